import { seekRevision } from '../../app/actions.js';
import { lives, picture, playing } from '../../app/state.js';
import { lifeText } from '../../world/life-text.js';

/** Why a task is where it is: what happened to it up to the playhead, each the way to its moment. */
export function Life({ taskId }) {
  const now = picture.value.snapshot.revision;
  const events = lives.value(taskId).filter(({ revision }) => revision <= now);
  if (events.length === 0) return null;
  return (
    <section class="life" aria-labelledby="life-title">
      <h4 id="life-title">Why is {taskId} here?</h4>
      <ol>
        {events.map((event, i) => (
          <li key={`${event.revision} ${event.kind}`}>
            <button
              type="button"
              class={`life-event life-${event.kind}`}
              aria-current={i === events.length - 1 ? 'step' : undefined}
              title={`revision ${event.revision}, ${event.command}`}
              onClick={() => {
                playing.value = false;
                seekRevision(event.revision);
              }}
            >
              <span class="life-time">{String(event.now)} s</span>
              <span class="life-what">{lifeText(event)}</span>
              <span class="life-revision">r{String(event.revision)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
