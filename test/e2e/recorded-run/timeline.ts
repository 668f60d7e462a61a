import type { Happening, LogRecord } from '../../simulation/log';

type Noted = { t: number; happening: Happening };

/** What several observers saw on one machine, by its wall clock. */
export class Timeline {
  private readonly noted: Noted[] = [];

  add(happening: Happening, t = Date.now()): void {
    this.noted.push({ t, happening });
  }

  /** All so far with what another observer saw; that comes first where both saw something in one millisecond. */
  with(others: readonly Noted[]): LogRecord[] {
    return [...others, ...this.noted]
      .sort((a, b) => a.t - b.t)
      .map(({ t, happening }, n) => ({ n, t, ...happening }));
  }
}
