import { icons } from './icons.js';

/** Decoration: what it means is said beside it. */
export function Icon({ name, size = 16, solid = false }) {
  return (
    <svg
      class={solid ? 'icon icon-solid' : 'icon'}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path d={icons[name]} />
    </svg>
  );
}
