import { useSignal } from '@preact/signals';
import { load } from '../app/actions.js';
import { recording, theme } from '../app/state.js';
import { nextTheme } from '../app/theme.js';
import { Icon } from './icon.jsx';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' };

export function Header() {
  return (
    <header class="top">
      <a class="brand" href="./" aria-label="leasegate, to the start">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" class="brand-mark">
          <rect width="32" height="32" rx="8" />
          <path class="brand-lines" d="M7 10h11M7 16h16M7 22h8" />
          <path class="brand-gate" d="M24 6v20" />
        </svg>
        <h1>leasegate</h1>
      </a>
      <p class="tagline">
        Who may do which task until when, decided by one small machine. It runs in this page.
      </p>
      <div class="top-tools">
        <Seed />
        <button
          type="button"
          class="tool"
          onClick={nextTheme}
          aria-label={`Colours: ${theme.value}. Change.`}
        >
          <Icon name={THEME_ICONS[theme.value]} />
        </button>
        <a class="tool" href="./docs/guide-leases.html" aria-label="Docs">
          <Icon name="book" />
          <span>Docs</span>
        </a>
      </div>
    </header>
  );
}

/** Another seed is another day; the same seed is the same day, everywhere. */
function Seed() {
  const text = useSignal(null);
  return (
    <form
      class="seed"
      onSubmit={(event) => {
        event.preventDefault();
        if (/^\d{1,9}$/.test(text.value ?? '')) {
          load({ scenario: recording.value.scenario.id, seed: Number(text.value), play: false });
        }
        text.value = null;
      }}
    >
      <label>
        <span>seed</span>
        <input
          type="text"
          inputMode="numeric"
          value={text.value ?? String(recording.value?.seed ?? 1)}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
    </form>
  );
}
