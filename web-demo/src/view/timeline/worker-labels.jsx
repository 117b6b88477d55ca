import { select } from '../../app/actions.js';
import { highlight } from '../../app/highlight.js';
import { picture, playhead, recording } from '../../app/state.js';

/** The head of each row: the worker with its health, slots and generation. */
export function WorkerLabels({ rows }) {
  const workers = new Map(picture.value.workers.map((worker) => [worker.workerId, worker]));
  return (
    <ul class="worker-labels" aria-label="Workers">
      {rows.map((row) => (
        <li key={row.workerId} style={{ top: `${row.top}px`, height: `${row.height - 1}px` }}>
          <WorkerLabel id={row.workerId} worker={workers.get(row.workerId)} />
        </li>
      ))}
    </ul>
  );
}

function WorkerLabel({ id, worker }) {
  if (!worker) return <span class="worker worker-absent">{id} has not joined</span>;
  const { status, generation, currentTasks, effectiveCapacity, capacity, lastHeartbeat } = worker;
  const chosen = highlight.value?.workers.has(id) ?? false;
  // By whole seconds: the row does not change with every frame.
  const silent = Math.floor(playhead.value) - Number(lastHeartbeat);
  const late = status !== 'offline' && silent > recording.value.scenario.limits.heartbeatTimeoutSecs - 3;
  const health = status === 'offline' ? 'offline' : late ? `silent ${silent} s` : status;
  return (
    <button
      type="button"
      class={`worker worker-${status}${late ? ' worker-late' : ''}${chosen ? ' is-chosen' : ''}`}
      aria-pressed={chosen}
      onClick={() => select('worker', id)}
    >
      <span class="worker-name">{id}</span>
      <span class="worker-generation" title="generation">
        g{String(generation)}
        <span class="sr-only"> is its generation</span>
      </span>
      <span class="worker-health">
        <span class="health-dot" aria-hidden="true" />
        {health}
      </span>
      <span class="worker-slots">
        <span class="slots" aria-hidden="true">
          {Array.from({ length: capacity }, (_, i) => (
            <span
              key={i}
              class={i < currentTasks ? 'slot is-taken' : i < effectiveCapacity ? 'slot' : 'slot is-shut'}
            />
          ))}
        </span>
        <span class="sr-only">
          {currentTasks} of {effectiveCapacity} slots taken
        </span>
      </span>
    </button>
  );
}
