import { picture } from '../../app/state.js';

/** How many tasks there are of each status. */
export function Numbers() {
  const { tasks, snapshot } = picture.value;
  const of = (...statuses) => tasks.filter(({ status }) => statuses.includes(status)).length;
  const numbers = [
    ['queued', snapshot.queuedTasks],
    ['leased', of('leased')],
    ['running', of('running')],
    ['completed', of('completed')],
    ['failed', of('failed')],
  ];
  return (
    <dl class="numbers">
      {numbers.map(([name, value]) => (
        <div key={name} class={`number number-${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
