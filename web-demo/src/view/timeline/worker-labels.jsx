import { useRef } from 'preact/hooks';
import { select } from '../../app/actions.js';
import { highlight } from '../../app/highlight.js';
import { picture, playhead, recording } from '../../app/state.js';

const NEAR_SECS = 3;

/**
 * The head of each row: the worker with its health, slots and generation. A label that would say the same is the same
 * element, so that many workers cost little.
 */
export function WorkerLabels({ rows }) {
  const known = useRef(new Map());
  const workers = new Map(picture.value.workers.map((worker) => [worker.workerId, worker]));
  const found = highlight.value;
  const second = Math.floor(playhead.value);
  return (
    <ul class="worker-labels" aria-label="Workers">
      {rows.map((row) => {
        const { workerId } = row;
        const worker = workers.get(workerId) ?? null;
        const chosen = found?.workers.has(workerId) ?? false;
        const silent = lateFor(worker, second);
        const last = known.current.get(workerId);
        if (
          last &&
          last.row === row &&
          last.worker === worker &&
          last.chosen === chosen &&
          last.silent === silent
        ) {
          return last.element;
        }
        const element = (
          <li key={workerId} style={{ top: `${row.top}px`, height: `${row.height - 1}px` }}>
            <WorkerLabel id={workerId} worker={worker} chosen={chosen} silent={silent} />
          </li>
        );
        known.current.set(workerId, { row, worker, chosen, silent, element });
        return element;
      })}
    </ul>
  );
}

/** For how many seconds a worker has been silent, once that is near the limit; else 0. */
function lateFor(worker, second) {
  if (!worker || worker.status === 'offline') return 0;
  const silent = second - Number(worker.lastHeartbeat);
  return silent > recording.value.scenario.limits.heartbeatTimeoutSecs - NEAR_SECS ? silent : 0;
}

function WorkerLabel({ id, worker, chosen, silent }) {
  if (!worker) return <span class="worker worker-absent">{id} has not joined</span>;
  const { status, generation, currentTasks, effectiveCapacity, capacity } = worker;
  const health = silent > 0 ? `silent ${silent} s` : status;
  return (
    <button
      type="button"
      class={`worker worker-${status}${silent > 0 ? ' worker-late' : ''}${chosen ? ' is-chosen' : ''}`}
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
