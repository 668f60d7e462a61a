import type { Happening, LogRecord } from '../../simulation/log';

type Noted = { t: number; happening: Happening };

/** The observations of several observers on one machine, by its wall clock. */
export class Timeline {
  private readonly noted: Noted[] = [];

  add(happening: Happening, t = Date.now()): void {
    this.noted.push({ t, happening });
  }

  /** All observations so far, merged with `others`. Those come first within the same millisecond. */
  with(others: readonly Noted[]): LogRecord[] {
    return [...others, ...this.noted]
      .sort((a, b) => a.t - b.t)
      .map(({ t, happening }, n) => ({ n, t, ...happening }));
  }
}
