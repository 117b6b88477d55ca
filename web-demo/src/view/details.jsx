import { seekEntry, select } from '../app/actions.js';
import { count, picture, playhead, recording, selection } from '../app/state.js';
import { changesText, outcomeText } from './ledger/rows.js';
import { Life } from './past/life.jsx';
import { spanFacts } from './timeline/describe.js';

/** What is selected, in full. */
export function Details() {
  const chosen = selection.value;
  return (
    <section class="panel details" aria-labelledby="details-title">
      <header class="panel-head">
        <h2 id="details-title">Details</h2>
        {chosen && (
          <button type="button" class="link-button" onClick={() => select(chosen.kind, chosen.id)}>
            clear
          </button>
        )}
      </header>
      {chosen ? (
        <Facts {...factsOf(chosen)} />
      ) : (
        <p class="quiet details-hint">
          Select a bar, a worker, a queued task or a row: what belongs to it lights up everywhere.
        </p>
      )}
    </section>
  );
}

function Facts({ title, facts, go, lifeOf }) {
  return (
    <>
      <h3 class="details-name">{title}</h3>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {go !== undefined && (
        <button type="button" class="link-button" onClick={() => seekEntry(go)}>
          go to this moment
        </button>
      )}
      {lifeOf !== undefined && <Life taskId={lifeOf} />}
    </>
  );
}

function factsOf({ kind, id }) {
  if (kind === 'lease') return leaseFacts(id);
  if (kind === 'task') return taskFacts(id);
  if (kind === 'worker') return workerFacts(id);
  if (kind === 'entry') return entryFacts(recording.value.entries[Number(id)]);
  return eventFacts(id);
}

function leaseFacts(id) {
  const span = recording.value.spans.find(({ leaseId }) => leaseId === id);
  if (!span || span.acquired >= count.value) return missing('lease', id);
  return {
    title: `Lease ${id} on ${span.taskId}`,
    facts: spanFacts(span, count.value, Math.floor(playhead.value)),
    go: span.acquired + 1,
    lifeOf: span.taskId,
  };
}

function taskFacts(id) {
  const task = picture.value.tasks.find(({ taskId }) => taskId === id);
  if (!task) return missing('task', id);
  return {
    title: `Task ${id}`,
    facts: [
      ['Status', task.status],
      ['Priority', task.priority],
      ['Worker', task.assignedTo ?? 'none'],
      ['Attempt', `${task.attempt}, retries ${task.retryCount}`],
      ['Generation', `${task.taskGeneration}, version ${task.recordVersion}`],
      ['Created', `at ${task.createdAt} s`],
    ],
    lifeOf: id,
  };
}

function workerFacts(id) {
  const worker = picture.value.workers.find(({ workerId }) => workerId === id);
  if (!worker) return missing('worker', id);
  return {
    title: `Worker ${id}`,
    facts: [
      ['Status', worker.status],
      ['Generation', String(worker.generation)],
      ['Slots', `${worker.currentTasks} of ${worker.effectiveCapacity} taken, capacity ${worker.capacity}`],
      ['Last heartbeat', `at ${worker.lastHeartbeat} s`],
      ['Completed', `${worker.completedTasks} tasks`],
      ['Processor', `${worker.cpuBasisPoints / 100} %`],
    ],
  };
}

function entryFacts(entry) {
  if (!entry || entry.index >= count.value) return missing('command', 'Command');
  const facts = [
    ['When', `${entry.at} s, by ${entry.actor}`],
    ['Outcome', entry.code ? <ErrorLink key="code" {...entry} /> : outcomeText(entry)],
  ];
  if (entry.domain === 'pool')
    facts.push(['Revision', `expected ${entry.expected}, was ${entry.actual}, then ${entry.revision}`]);
  const refused = entry.outcome === 'refused' || entry.outcome === 'failed';
  if (refused && entry.domain === 'pool') facts.push(['Said', entry.detail]);
  facts.push(
    ['Changed', changesText(entry) || 'nothing'],
    ['Fingerprint', <code key="print">{entry.fingerprint.slice(0, 32)}</code>],
  );
  const [lifeOf, ...others] = entry.refs.tasks;
  return {
    title: `${entry.command}, number ${entry.index + 1}`,
    facts,
    go: entry.index + 1,
    lifeOf: others.length === 0 ? lifeOf : undefined,
  };
}

/** What the docs say of a refusal. */
function ErrorLink({ code, domain }) {
  const page = domain === 'bridge' ? 'bridge.html' : 'errors.html';
  return (
    <a class="error-link" href={`./docs/${page}#${code}`}>
      {code}
    </a>
  );
}

function eventFacts(id) {
  const touched = recording.value.entries.filter(
    (entry) => entry.index < count.value && entry.refs.events.has(id),
  );
  if (touched.length === 0) return missing('event', id);
  return {
    title: `Event ${id}`,
    facts: touched.slice(-6).map((entry) => [`${entry.at} s`, `${entry.command}: ${outcomeText(entry)}`]),
  };
}

function missing(kind, id) {
  return { title: `${id}`, facts: [['', `At this moment there is no such ${kind}.`]] };
}
