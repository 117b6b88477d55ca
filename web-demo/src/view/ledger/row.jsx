import { seekEntry, select } from '../../app/actions.js';
import { changesText, outcomeText, rowTone, subjectText } from './rows.js';

export const ROW_HEIGHT = 50;

export function Row({ entry, place, total, chosen, related }) {
  const tone = rowTone(entry);
  const pool = entry.domain === 'pool';
  const conflict = entry.code === 'revision_conflict';
  return (
    <div
      id={`row-${entry.index}`}
      class={`row row-${tone}${chosen ? ' is-chosen' : ''}${related ? ' is-related' : ''}`}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-posinset={place + 1}
      aria-setsize={total}
      style={{ transform: `translateY(${place * ROW_HEIGHT}px)` }}
      onClick={() => select('entry', String(entry.index))}
      onDblClick={() => seekEntry(entry.index + 1)}
      onKeyDown={() => {}}
    >
      <span class="row-time">{entry.at} s</span>
      <span class="row-actor">{entry.actor}</span>
      <span class="row-command">
        {entry.command} <b>{subjectText(entry)}</b>
      </span>
      <span class={`badge badge-${tone}`}>{outcomeText(entry)}</span>
      <span class={conflict ? 'row-revision is-conflict' : 'row-revision'}>
        {pool ? revisionText(entry, conflict) : 'gate'}
      </span>
      <span class="row-changes" title={changesText(entry)}>
        {changesText(entry)}
      </span>
      <span class="row-print" title="fingerprint of the state after it">
        {entry.fingerprint.slice(0, 6)}
      </span>
    </div>
  );
}

function revisionText({ expected, actual, revision }, conflict) {
  if (conflict) return `expected ${expected}, is ${actual}`;
  return actual === revision ? `r${actual}` : `r${actual} → ${revision}`;
}
