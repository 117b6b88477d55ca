import { select } from '../../app/actions.js';
import { highlight } from '../../app/highlight.js';
import { picture, revisionNow } from '../../app/state.js';
import { diffText } from '../../world/diff-text.js';

const MAX_SHOWN = 8;

/** What the revision at the playhead changed, against the one before, out of the pool's own journal. */
export function Revision() {
  const { revision } = picture.value.snapshot;
  const made = revisionNow.value;
  const changes = made ? diffText(made.diff) : [];
  return (
    <section class="panel revision" aria-labelledby="revision-title">
      <header class="panel-head">
        <h2 id="revision-title">Revision {String(revision)}</h2>
        {made && (
          <p class="quiet">
            {made.record.command.kind} · {made.record.size} bytes
          </p>
        )}
      </header>
      {changes.length > 0 ? (
        <ul class="changes">
          {changes.slice(0, MAX_SHOWN).map((change) => (
            <Change key={`${change.kind} ${change.id}`} {...change} />
          ))}
          {changes.length > MAX_SHOWN && <li class="quiet">and {changes.length - MAX_SHOWN} more</li>}
        </ul>
      ) : (
        <p class="quiet">
          {made ? 'Only the revision and the time.' : 'A new pool: nothing has happened yet.'}
        </p>
      )}
      {made && <p class="quiet revision-way">{wayText(made)}</p>}
    </section>
  );
}

function Change({ kind, id, note, fields }) {
  const chosen = highlight.value?.[kind === 'task' ? 'tasks' : 'workers'].has(id) ?? false;
  return (
    <li class="change">
      <button
        type="button"
        class={`chip${chosen ? ' is-chosen' : ''}`}
        aria-pressed={chosen}
        onClick={() => select(kind, id)}
      >
        {id}
      </button>
      {note && <span class="change-note">{note}</span>}
      {fields.length > 0 && (
        <dl class="change-fields">
          {fields.map(({ name, before, after }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {before} <span aria-hidden="true">→</span> <b>{after}</b>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function wayText({ kept, commands }) {
  const from = kept === 0n ? 'From the empty pool' : `From the state kept at revision ${kept}`;
  return `${from}, ${commands === 1 ? 'one command' : `${commands} commands`} of the journal lead here.`;
}
