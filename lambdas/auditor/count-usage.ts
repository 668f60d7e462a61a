import type { QuotaLimits } from '../core/contracts/quotas';
import { usageOf } from '../core/quotas/usage-of';
import type { Job } from '../core/domain/job';
import { boundsOf, minus, NO_USAGE, plus, reaches, type Usage } from '../core/quotas/usage';
import type { UsageStore } from '../core/store/usage-store';

/** One user's jobs as far as the pass has come, and what the user's row said when it came to them. */
export interface Counting {
  userId: string;
  stored: Usage;
  counted: Usage;
}

/** Below this share of a bound a difference is not worth a write. */
const DRIFT_SHARE = 0.01;

/**
 * Counts users' jobs on the way of a pass that meets each user's rows one after the other, the row of the stored usage
 * first. Where the two differ, the difference is added: so what is changed meanwhile is not lost.
 */
export function usageCounter(
  start: Counting | undefined,
  limits: QuotaLimits,
  { usage, nowMs }: { usage: UsageStore; nowMs: () => number },
) {
  const bounds = boundsOf(limits);
  let counting = start;

  const finish = async (): Promise<boolean> => {
    if (!counting) return false;
    const drift = minus(counting.counted, counting.stored);
    const differs = reaches(drift, bounds, DRIFT_SHARE);
    if (differs) await usage.add(counting.userId, drift);
    counting = undefined;
    return differs;
  };

  return {
    /** For the bookmark: where the pass goes on another time. */
    get counting(): Counting | undefined {
      return counting;
    },
    /** To the user whose row comes next. True where the one before had to be corrected. */
    async goTo(userId: string): Promise<boolean> {
      const corrected = counting?.userId !== userId && (await finish());
      counting ??= { userId, stored: NO_USAGE, counted: NO_USAGE };
      return corrected;
    },
    /** The row of the user that `goTo` named. */
    stored(stored: Usage): void {
      counting = { ...counting!, stored };
    },
    /** A job of the user that `goTo` named. */
    job(job: Job): void {
      counting = { ...counting!, counted: plus(counting!.counted, usageOf(job, nowMs())) };
    },
    /** Of the user that was come to last. True where that one had to be corrected. */
    finish,
  };
}
