/** Time for all stages. It is injected, so that tests and the simulation control it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. It may step, so never measure a duration with it. */
  nowMs(): number;
  /** Monotonic milliseconds from an arbitrary origin. Never steps back and never stops. */
  monotonicMs(): number;
  /**
   * Resolves after `ms` milliseconds (at once if `ms <= 0`), or as soon as `signal` aborts. Never rejects,
   * and leaves no timer behind.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `done` after `ms` milliseconds, unless the function that it returns is called before. It is cheaper
   * than `sleep` with a signal. Absent: `startTimer` uses `sleep`.
   */
  timer?(ms: number, done: () => void): () => void;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** RFC 3339 in UTC with milliseconds. */
export const instantText = (ms: number): string => new Date(ms).toISOString();
