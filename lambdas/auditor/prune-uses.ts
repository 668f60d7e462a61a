import { DAY_MS, MINUTE_MS, type Clock } from '../core/clock/clock';
import { type CalendarKey, jobKeyOf, type UsedKind } from '../core/contracts/tables';
import type { Job } from '../core/domain/job';
import { expiresAtSecAfter } from '../core/domain/timing';
import { usesOf, usesThing } from '../core/domain/uses';
import { expireVersion } from '../core/job-writes/replan-calendar';
import type { CalendarStore } from '../core/store/calendar-store';
import type { FlowStore } from '../core/store/flow-store';
import type { JobStore } from '../core/store/job-store';
import type { Use, UsesStore } from '../core/store/uses-store';

/** A request that has written a row writes its job within seconds, or not at all. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** A run may have started right before its version was replaced, and lasts at most 30 days. */
const LONGEST_RUN_MS = 31 * DAY_MS;

/** Uses of jobs for whose ends others wait. */
const WAITING_KINDS: readonly UsedKind[] = ['job', 'await'];

/**
 * Keeps the rows that say what jobs use, and the marks of jobs for whose ends others wait. A job that was
 * deleted and created again has lost its mark. A job whose waiters are gone has a mark too many.
 *
 * Removes rows that say of a job what it no longer uses. The rows of a user come before the jobs of that
 * user. So the jobs that were scanned meanwhile tell most of the rows that stay. The jobs of the others are
 * read again, consistently. What a pass forgets between two invocations is left to the next pass.
 *
 * Versions of workflows and of calendars expire before the rows go that name them. So whatever a save or a
 * deletion leaves, its version is seen to.
 */
export function usesPruner(deps: PrunerDeps) {
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
      for (const use of left) if (await isDone(use, deps)) await deps.uses.remove(use);
    },
  };
}

interface PrunerDeps {
  jobs: Pick<JobStore, 'get' | 'setAwaited' | 'clearAwaited'>;
  uses: UsesStore;
  flows: Pick<FlowStore, 'expire'>;
  calendars: CalendarStore;
  retentionDays: number;
  clock: Clock;
}

const keyOf = ({ userId, jobId, kind, name }: Omit<Use, 'atMs'>): string =>
  [encodeURIComponent(userId), jobId, kind, name].join('/');

/** Whether nothing needs the row. */
async function isDone(use: Use, deps: PrunerDeps): Promise<boolean> {
  const { userId, jobId, kind, name } = use;
  if (kind === 'calendar-version') return expireUnlessNamed({ userId, calendarId: jobId }, name, deps);
  const job = await deps.jobs.get({ userId, jobId });
  if (job && usesThing(job, { kind, name })) return false;
  return kind !== 'flow' || expireFlow(use, deps);
}

/** A version that a pointer names still was not deleted. None names it again that does not. */
async function expireUnlessNamed(key: CalendarKey, version: string, deps: PrunerDeps): Promise<true> {
  const pointer = await deps.calendars.get(key);
  if (pointer?.version !== version && pointer?.changing?.from !== version)
    await expireVersion(key, version, deps);
  return true;
}

/** A job that was read to name no version may be about to: such a version was saved a moment ago. */
async function expireFlow({ userId, jobId, name }: Use, deps: PrunerDeps): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const at = {
    savedBeforeMs: nowMs - SETTLED_AFTER_MS,
    expiresAtSec: expiresAtSecAfter(nowMs + LONGEST_RUN_MS, deps.retentionDays),
  };
  return (await deps.flows.expire(jobKeyOf({ userId, jobId }), name, at)) !== 'saved-later';
}
