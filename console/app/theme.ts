import { preferences, prefer } from './preferences';

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;

/** System, light, dark, and again. */
export const nextTheme = (): void => prefer({ theme: NEXT[preferences.value.theme] });
