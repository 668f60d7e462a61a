import { ArgumentError } from '../errors';

/**
 * One instant on two clocks. The monotonic clock never jumps, but stands still while the machine sleeps. The
 * wall clock goes on meanwhile, but may be set.
 */
export interface Moment {
  monotonicMs: number;
  wallMs: number;
}

/** A larger difference between the clocks is no drift: the machine slept, or its wall clock was set. */
const JUMP_MS = 1_000;

/**
 * Milliseconds from one moment to a later one, including those during which the machine slept. A wall clock
 * that was set ahead looks the same: a lease then seems older than it is, which is the safe side.
 */
export function elapsedMs(from: Moment, to: Moment): number {
  checkMoments({ from, to });
  const monotonicMs = to.monotonicMs - from.monotonicMs;
  const wallMs = to.wallMs - from.wallMs;
  return wallMs - monotonicMs > JUMP_MS ? wallMs : monotonicMs;
}

/** The moment `ms` after another one. */
export function later(from: Moment, ms: number): Moment {
  checkMoments({ from });
  if (typeof ms !== 'number') throw new ArgumentError('ms', ms, 'a number');
  return { monotonicMs: from.monotonicMs + ms, wallMs: from.wallMs + ms };
}

export const isPast = (limit: Moment, now: Moment): boolean => elapsedMs(limit, now) >= 0;

function checkMoments(given: Record<string, Moment>): void {
  for (const [name, moment] of Object.entries(given) as [string, Partial<Moment> | null | undefined][])
    if (typeof moment?.monotonicMs !== 'number' || typeof moment.wallMs !== 'number')
      throw new ArgumentError(name, moment, 'a moment');
}
