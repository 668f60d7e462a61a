import { MINUTE_MS, type Clock } from '../core/clock/clock';
import type { UsedKind } from '../core/contracts/tables';
import type { Job } from '../core/domain/job';
import { usesOf, usesThing } from '../core/domain/uses';
import type { JobStore } from '../core/store/job-store';
import type { Use, UsesStore } from '../core/store/uses-store';

/** A request that has written a row writes its job within seconds, or not at all. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** Uses of jobs for whose ends others wait. */
const WAITING_KINDS: readonly UsedKind[] = ['job', 'await'];

/**
 * Keeps the rows that say what jobs use, and the marks of jobs for whose ends others wait. A job that was
 * deleted and created again has lost its mark. A job whose waiters are gone has a mark too many.
 *
 * Removes rows that say of a job what it no longer uses. The rows of a user come before the jobs of that
 * user. So the jobs that were scanned meanwhile tell most of the rows that stay. The jobs of the others are
 * read again, consistently. What a pass forgets between two invocations is left to the next pass.
 */
export function usesPruner(deps: {
  jobs: Pick<JobStore, 'get' | 'setAwaited' | 'clearAwaited'>;
  uses: UsesStore;
  clock: Clock;
}) {
  let userId: string | undefined;
  const open = new Map<string, Use>();
  /** Ids of the jobs for which rows of this user say that another job waits. */
  let awaited = new Set<string>();
  return {
    use(use: Use): void {
      if (WAITING_KINDS.includes(use.kind)) awaited.add(use.name);
      if (deps.clock.nowMs() - use.atMs > SETTLED_AFTER_MS) open.set(keyOf(use), use);
    },
    job(job: Job): void {
      for (const used of usesOf(job)) open.delete(keyOf({ ...job, ...used }));
    },
    /** Corrects the mark of a job. Its user's rows of uses have been read before. */
    async mark(job: Job): Promise<void> {
      const { awaitedAtMs } = job;
      if (awaitedAtMs === undefined) {
        if (awaited.has(job.jobId)) await deps.jobs.setAwaited(job, deps.clock.nowMs());
      } else if (!awaited.has(job.jobId)) {
        for (const kind of WAITING_KINDS) {
          const [use] = await deps.uses.list(job.userId, kind, job.jobId, { limit: 1 });
          if (use) return;
        }
        await deps.jobs.clearAwaited(job, awaitedAtMs);
      }
    },
    /** The row of this user comes next; undefined: none. */
    async goTo(next: string | undefined): Promise<void> {
      if (next === userId) return;
      userId = next;
      awaited = new Set();
      const left = [...open.values()];
      open.clear();
      for (const use of left) if (!(await isInUse(use, deps))) await deps.uses.remove(use);
    },
  };
}

const keyOf = ({ userId, jobId, kind, name }: Omit<Use, 'atMs'>): string =>
  [encodeURIComponent(userId), jobId, kind, name].join('/');

async function isInUse({ userId, jobId, kind, name }: Use, { jobs }: { jobs: Pick<JobStore, 'get'> }) {
  const job = await jobs.get({ userId, jobId });
  return job !== undefined && usesThing(job, { kind, name });
}
