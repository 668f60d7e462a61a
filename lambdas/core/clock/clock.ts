/** Time as the stages see it. Injected everywhere, so that tests and the simulation own it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. May step; never use it to measure a duration. */
  nowMs(): number;
  /** Monotonic milliseconds from an arbitrary origin. Never steps back; stops for nothing. */
  monotonicMs(): number;
  /**
   * Resolves after `ms` milliseconds (at once where `ms <= 0`), or as soon as `signal` aborts.
   * Never rejects, and leaves no timer behind once it has resolved.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** RFC 3339 in UTC with milliseconds. */
export const instantText = (ms: number): string => new Date(ms).toISOString();
