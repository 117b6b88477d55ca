import { select } from '../app/actions.js';
import { highlight } from '../app/highlight.js';
import { count, picture, recording } from '../app/state.js';
import { PRIORITIES, queueOrder } from '../world/queue-order.js';

const MAX_CHIPS = 36;

/** The queue as it will be served: by priority, first in, first out within one. */
export function Queue() {
  const { tasks, next, snapshot } = picture.value;
  const order = queueOrder(recording.value.entries, count.value, tasks);
  const limit = recording.value.scenario.limits.maxQueuedTasks;
  return (
    <section class="panel queue" id="queue" aria-labelledby="queue-title">
      <header class="panel-head">
        <h2 id="queue-title">Queue</h2>
        <p class="quiet">
          {snapshot.queuedTasks} of at most {limit}
          {next ? `, next is ${next.taskId}` : ', empty'}
        </p>
      </header>
      <div class="queue-lanes">
        {PRIORITIES.map((priority) => (
          <Lane
            key={priority}
            priority={priority}
            tasks={order.filter((task) => task.priority === priority)}
            next={next}
          />
        ))}
      </div>
    </section>
  );
}

function Lane({ priority, tasks, next }) {
  return (
    <div class={`queue-lane queue-${priority}`}>
      <h3>{priority}</h3>
      <ol>
        {tasks.slice(0, MAX_CHIPS).map((task) => (
          <li key={task.taskId}>
            <button
              type="button"
              class={`chip${task.taskId === next?.taskId ? ' is-next' : ''}${highlight.value?.tasks.has(task.taskId) ? ' is-chosen' : ''}`}
              aria-pressed={highlight.value?.tasks.has(task.taskId) ?? false}
              onClick={() => select('task', task.taskId)}
            >
              {task.taskId}
              {task.taskId === next?.taskId && <span class="chip-note">next</span>}
              {task.retryCount > 0 && <span class="chip-note">retry {task.retryCount}</span>}
            </button>
          </li>
        ))}
        {tasks.length > MAX_CHIPS && <li class="quiet">and {tasks.length - MAX_CHIPS} more</li>}
      </ol>
    </div>
  );
}
