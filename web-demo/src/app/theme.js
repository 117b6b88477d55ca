import { effect } from '@preact/signals';
import { theme } from './state.js';

const KEY = 'leasegate-demo-theme';
const THEMES = ['auto', 'light', 'dark'];

/** Light, dark, or as the system says; remembered where the browser lets us. */
export function followTheme() {
  try {
    const kept = localStorage.getItem(KEY);
    if (THEMES.includes(kept)) theme.value = kept;
  } catch {
    // No storage: the choice lasts as long as the page.
  }
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    try {
      localStorage.setItem(KEY, theme.value);
    } catch {
      // As above.
    }
  });
}

export function nextTheme() {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
}
