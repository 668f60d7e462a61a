import type { QuotaLimits } from '../core/contracts/quotas';
import { usageOf } from '../core/quotas/usage-of';
import type { Job } from '../core/domain/job';
import { boundsOf, minus, NO_USAGE, plus, reaches, type Usage } from '../core/quotas/usage';
import type { UsageStore } from '../core/store/usage-store';

/**
 * One project's usage, counted over the jobs that the pass has read so far, and as it was stored when the
 * pass began.
 */
export interface Counting {
  userId: string;
  stored: Usage;
  counted: Usage;
}

/** A difference below this fraction of a bound is not worth a write. */
const MIN_DRIFT = 0.01;

/**
 * Counts projects' jobs during a pass, which reads each project's rows one after the other, the stored usage
 * first. If the two differ, the difference is added to the stored usage, so that a concurrent change is not
 * lost.
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
    const differs = reaches(drift, bounds, MIN_DRIFT);
    if (differs) await usage.add(counting.userId, drift);
    counting = undefined;
    return differs;
  };

  return {
    /** For the bookmark: the next invocation continues with it. */
    get counting(): Counting | undefined {
      return counting;
    },
    /**
     * Call before each row, with its user. Finishes the user before. Returns true if that one was corrected.
     */
    async goTo(userId: string): Promise<boolean> {
      const corrected = counting?.userId !== userId && (await finish());
      counting ??= { userId, stored: NO_USAGE, counted: NO_USAGE };
      return corrected;
    },
    /** The stored usage of the user that `goTo` named. */
    stored(stored: Usage): void {
      counting = { ...counting!, stored };
    },
    /** A job of the user that `goTo` named. */
    job(job: Job): void {
      counting = { ...counting!, counted: plus(counting!.counted, usageOf(job, nowMs())) };
    },
    /** Runs of workflows that are under way, of a job of the user that `goTo` named. */
    liveRuns(liveRuns: number): void {
      counting = { ...counting!, counted: plus(counting!.counted, { ...NO_USAGE, liveRuns }) };
    },
    /** Call at the end of a pass: finishes the last user. Returns true if its stored usage was corrected. */
    finish,
  };
}
