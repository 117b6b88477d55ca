import { ends } from '../icons.js';

/** How a lease stands after the first `count` entries. */
function spanState(span, count) {
  if (span.ended < count) return span.end;
  return span.started < count ? 'running' : 'leased';
}

/** A lease as name and value, for the tooltip and the details. */
export function spanFacts(span, count, playhead) {
  const { lease } = span;
  const state = spanState(span, count);
  const over = span.ended < count;
  const left = Number(lease.expiresAt) - playhead;
  const facts = [
    ['State', ends[state].label],
    ['Worker', `${span.workerId}, generation ${lease.workerGeneration}`],
    ['Attempt', `${lease.attempt}, task generation ${lease.taskGeneration}`],
    ['Lease', `number ${span.leaseId}, ${lease.acquiredAt} s to ${lease.expiresAt} s`],
  ];
  if (!over) facts.push(['Deadline', left > 0 ? `in ${left.toFixed(1)} s` : 'has passed']);
  if (over) facts.push(['Ended', `at ${Math.floor(span.endedWhen)} s`]);
  if (over && state !== 'completed') facts.push(['Task after it', span.final]);
  const late = span.refused.filter((index) => index < count).length;
  if (late > 0) facts.push(['Reports refused', String(late)]);
  return facts;
}

/** The same in one sentence, for those who listen. */
export function spanSentence(span, count, playhead) {
  const facts = spanFacts(span, count, playhead).map(([name, value]) => `${name}: ${value}`);
  return `Task ${span.taskId}, ${span.priority}. ${facts.join('. ')}.`;
}
