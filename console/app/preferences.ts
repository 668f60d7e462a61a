import { effect, type Signal, signal } from '@preact/signals';

/** What a reader chose for this browser. Nothing else is kept in `localStorage`. */
interface Preferences {
  /** `browser`, `UTC`, `schedule`, or an IANA name. */
  zone: string;
  theme: 'system' | 'light' | 'dark';
  /** Whether single keys are shortcuts (WCAG 2.1.4). */
  keys: boolean;
  density: 'normal' | 'dense';
}

const DEFAULTS: Preferences = { zone: 'browser', theme: 'system', keys: true, density: 'normal' };
const KEY = 'quarterjack.preferences';

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS; // storage is switched off, or another program wrote there
  }
}

export const preferences: Signal<Preferences> = signal(read());

export const prefer = (changes: Partial<Preferences>): void => {
  preferences.value = { ...preferences.value, ...changes };
};

effect(() => {
  const { theme, density } = preferences.value;
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.density = density;
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.value));
  } catch {
    // Without storage, preferences last as long as the page.
  }
});
