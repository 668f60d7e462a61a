/** `unknown`: could not be checked, and the text says why. */
export type Level = 'ok' | 'warning' | 'problem' | 'unknown';

/** What the doctor found out about one thing. */
export interface Check {
  name: string;
  level: Level;
  text: string;
  /** What to do about it. */
  advice?: string;
}

export const ok = (name: string, text: string): Check => ({ name, level: 'ok', text });

export const unknown = (name: string, text: string, advice?: string): Check => ({
  name,
  level: 'unknown',
  text,
  ...(advice !== undefined && { advice }),
});

export const warning = (name: string, text: string, advice: string): Check => ({
  name,
  level: 'warning',
  text,
  advice,
});

export const problem = (name: string, text: string, advice: string): Check => ({
  name,
  level: 'problem',
  text,
  advice,
});
