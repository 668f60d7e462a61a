import type { BatchView } from '../../core/http/openapi/answers';
import type { Job } from '../../core/domain/job';
import { minus, NO_USAGE, plus, type Usage } from '../../core/quotas/usage';
import { usageOf } from '../../core/quotas/usage-of';
import type { ApiDeps } from '../request';
import { usageChange } from './charge-quotas';
import { checkReferences, jobsOf } from './check-references';
import { pendingMisfits } from './pending-misfits';
import type { Save } from './save-job';

const MINUTES_AN_HOUR = 60;

interface DryRun {
  /** Stands in for `insertJob` and `changeJob`: checks the quotas, and writes nothing. */
  save: Save;
  /** The quotas, and what the checked changes would add to them. */
  usage(project: string, deps: Pick<ApiDeps, 'quotas'>): Promise<NonNullable<BatchView['usage']>>;
}

/**
 * The dry run of one request. Its changes are checked against the quotas together. A change that lowers the
 * usage makes no room for another one, because nothing says which of them is made first. Quotas of a minute
 * are not checked: a client that exceeds them waits. Paused jobs among `resumed` are counted as active.
 */
export function dryRun(resumed: readonly string[] = []): DryRun {
  const seen = new Map<string, Job>();
  let adds = NO_USAGE;
  return {
    save: async (stored, { job, schedule }, { nowMs }, deps) => {
      const { quotas } = deps;
      const current = seen.get(job.jobId) ?? stored;
      const isResumed = job.status === 'paused' && resumed.includes(job.jobId);
      if (job === stored && !isResumed) return { job, schedule, outcome: 'unchanged' };
      const next: Job = isResumed ? { ...job, status: 'active' } : job;
      const read = jobsOf(job.userId, deps, seen);
      await checkReferences(current, next, read, deps);
      seen.set(job.jobId, next);
      const growth = growthOf(
        usageChange(current && usageOf(current, nowMs), usageOf(next, nowMs, schedule)),
      );
      adds = plus(adds, growth);
      try {
        await quotas.check(job.userId, isZero(growth) ? NO_USAGE : adds);
      } catch (error) {
        adds = minus(adds, growth);
        throw error;
      }
      const outcome = job === stored ? 'unchanged' : current ? 'replaced' : 'created';
      return { job, schedule, outcome, misfits: await pendingMisfits(current, job, deps) };
    },
    usage: async (project, { quotas }) => {
      const { used, bounds } = await quotas.check(project, NO_USAGE);
      return {
        jobs: { used: used.jobs, adds: adds.jobs, allowed: bounds.jobs },
        firesPerMinute: {
          used: used.firesPerHour / MINUTES_AN_HOUR,
          adds: adds.firesPerHour / MINUTES_AN_HOUR,
          allowed: bounds.firesPerHour / MINUTES_AN_HOUR,
        },
        payloadBytes: { used: used.payloadBytes, adds: adds.payloadBytes, allowed: bounds.payloadBytes },
      };
    },
  };
}

const growthOf = (change: Usage): Usage => ({
  jobs: Math.max(0, change.jobs),
  firesPerHour: Math.max(0, change.firesPerHour),
  payloadBytes: Math.max(0, change.payloadBytes),
  liveRuns: 0,
});

const isZero = ({ jobs, firesPerHour, payloadBytes }: Usage): boolean =>
  jobs + firesPerHour + payloadBytes === 0;
