import { execIdOfOccurrence, parseCompactInstant } from '../core/contracts/tables';
import type { DispatchDeps } from '../core/dispatch/deps';
import { makeSureOfNext } from '../core/dispatch/chain';
import { dispatch, skippedRow } from '../core/dispatch/dispatch';
import { standingOf } from '../core/dispatch/standing';
import type { OccurrenceEntry } from '../core/domain/entry';
import type { Reason } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import type { Again, Look } from './look';
import { sendAgain } from './send-again';

/** Planned occurrences without any row: the scanner's whole step once more, misfire and next entry included. */
export async function lookAtUnclaimed(
  entry: OccurrenceEntry,
  unclaimed: readonly string[],
  job: Job | undefined,
  look: Look,
): Promise<Again | undefined> {
  const { deps } = look;
  if (!job || standingOf(entry, job) !== 'current') {
    await accountFor(unclaimed, entry.jobKey, job, deps);
    return undefined;
  }
  return sendAgain(entry, job, look, async () => {
    await makeSureOfNext(entry, job, deps);
    const { refused } = await dispatch([{ entry, job }], deps);
    if (refused.has(entry)) throw refused.get(entry);
  });
}

/**
 * The job has moved on, or is gone. Occurrences that fell due before it did were planned and never ran: each is
 * recorded with the reason. Later ones are no longer planned.
 */
async function accountFor(
  unclaimed: readonly string[],
  jobKey: string,
  job: Job | undefined,
  deps: DispatchDeps,
): Promise<void> {
  const { reason, changedAtMs } = changeOf(job);
  for (const execId of unclaimed) {
    const dueAtMs = parseCompactInstant(execId);
    if (dueAtMs > changedAtMs || (await isAccountedFor(jobKey, dueAtMs, deps))) continue;
    const skipped = { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };
    await deps.executions.putSkipped(skippedRow(jobKey, skipped, reason, deps));
  }
}

function changeOf(job: Job | undefined): { reason: Reason; changedAtMs: number } {
  if (!job) return { reason: 'deleted', changedAtMs: Number.POSITIVE_INFINITY };
  if (job.status === 'paused') return { reason: 'paused', changedAtMs: job.pausedAtMs ?? job.updatedAtMs };
  return { reason: 'superseded', changedAtMs: Math.max(job.activeSinceMs, job.scheduleChangedAtMs) };
}

/** Whether a row, or a stretch that began earlier, stands for this occurrence. */
async function isAccountedFor(jobKey: string, dueAtMs: number, deps: DispatchDeps): Promise<boolean> {
  const { executions } = await deps.executions.list(jobKey, {
    order: 'desc',
    toExecId: execIdOfOccurrence(dueAtMs),
    limit: 1,
  });
  const newest = executions[0];
  return newest !== undefined && (newest.dueAtMs === dueAtMs || (newest.skipped?.toMs ?? 0) >= dueAtMs);
}
