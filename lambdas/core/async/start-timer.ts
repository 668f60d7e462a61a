import type { Clock } from '../clock/clock';

export type TimerClock = Pick<Clock, 'sleep' | 'timer'>;

/** A ready-made abort reason, so that no error is created for each timer that is cancelled. */
const CANCELLED = 'cancelled';

/** Calls `done` after `ms` milliseconds, unless the function that it returns is called before. */
export function startTimer(clock: TimerClock, ms: number, done: () => void): () => void {
  if (clock.timer) return clock.timer(ms, done);
  const wait = new AbortController();
  void clock.sleep(ms, wait.signal).then(() => {
    if (!wait.signal.aborted) done();
  });
  return () => wait.abort(CANCELLED);
}
