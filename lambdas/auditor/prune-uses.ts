import { MINUTE_MS, type Clock } from '../core/clock/clock';
import type { Job } from '../core/domain/job';
import { secretNamesOfJob } from '../core/domain/target-secrets';
import type { JobStore } from '../core/store/job-store';
import type { Use, UsesStore } from '../core/store/uses-store';

/** A request that has written a row writes its job within seconds, or not at all. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/**
 * Removes rows that say of a job what it no longer uses. The rows of a user come before the jobs of that
 * user. So the jobs that were scanned meanwhile tell most of the rows that stay. The jobs of the others are
 * read again, consistently. What a pass forgets between two invocations is left to the next pass.
 */
export function usesPruner(deps: { jobs: Pick<JobStore, 'get'>; uses: UsesStore; clock: Clock }) {
  let userId: string | undefined;
  const open = new Map<string, Use>();
  return {
    use(use: Use): void {
      if (deps.clock.nowMs() - use.atMs > SETTLED_AFTER_MS) open.set(keyOf(use), use);
    },
    job(job: Job): void {
      for (const name of secretNamesOfJob(job)) open.delete(keyOf({ ...job, kind: 'secret', name }));
    },
    /** The row of this user comes next; undefined: none. */
    async goTo(next: string | undefined): Promise<void> {
      if (next === userId) return;
      userId = next;
      const left = [...open.values()];
      open.clear();
      for (const use of left) if (!(await isInUse(use, deps))) await deps.uses.remove(use);
    },
  };
}

const keyOf = ({ userId, jobId, kind, name }: Omit<Use, 'atMs'>): string =>
  [encodeURIComponent(userId), jobId, kind, name].join('/');

async function isInUse({ userId, jobId, name }: Use, { jobs }: { jobs: Pick<JobStore, 'get'> }) {
  const job = await jobs.get({ userId, jobId });
  return job !== undefined && secretNamesOfJob(job).includes(name);
}
