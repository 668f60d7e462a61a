import { parseCompactInstant } from '../core/contracts/tables';
import { newestThrough, standsFor } from '../core/dispatch/accounted';
import type { DispatchDeps } from '../core/dispatch/deps';
import { missingNext } from '../core/dispatch/chain';
import { dispatch, skippedRow } from '../core/dispatch/dispatch';
import { followChain } from '../core/dispatch/follow-chain';
import { standingOf } from '../core/dispatch/standing';
import type { OccurrenceEntry } from '../core/domain/entry';
import type { Reason } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import type { Again, Look } from './look';
import { sendAgain } from './send-again';

/** Planned occurrences without any row: the scanner's whole step once more, misfire and next entry included. */
export async function lookAtUnclaimed(
  entry: OccurrenceEntry,
  withoutRow: readonly string[],
  job: Job | undefined,
  look: Look,
): Promise<Again | undefined> {
  const { deps } = look;
  const unclaimed = await notAccountedFor(withoutRow, entry.jobKey, deps);
  if (unclaimed.length === 0) return undefined;
  if (!job || standingOf(entry, job) !== 'current') {
    await accountFor(unclaimed, entry.jobKey, job, deps);
    return undefined;
  }
  return sendAgain(entry, job, look, async (why) => {
    const scope = why === 'long' ? 'resend' : (await missingNext(entry, job, deps)) ? 'chain' : 'own';
    const { next, refused } = await dispatch([{ entry, job, scope }], deps);
    if (refused.has(entry)) throw refused.get(entry);
    const following = next.get(entry);
    if (following) await followChain(following, job, deps);
  });
}

/** Those for which no stretch of skipped ones stands either. */
async function notAccountedFor(
  withoutRow: readonly string[],
  jobKey: string,
  deps: DispatchDeps,
): Promise<string[]> {
  const left: string[] = [];
  for (const execId of withoutRow) {
    const dueAtMs = parseCompactInstant(execId);
    if (!standsFor(await newestThrough(jobKey, dueAtMs, deps), dueAtMs)) left.push(execId);
  }
  return left;
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
    if (dueAtMs > changedAtMs) continue;
    const skipped = { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };
    await deps.executions.putSkipped(skippedRow(jobKey, skipped, reason, deps));
  }
}

function changeOf(job: Job | undefined): { reason: Reason; changedAtMs: number } {
  if (!job) return { reason: 'deleted', changedAtMs: Number.POSITIVE_INFINITY };
  if (job.status === 'paused') return { reason: 'paused', changedAtMs: job.pausedAtMs ?? job.updatedAtMs };
  return { reason: 'superseded', changedAtMs: Math.max(job.activeSinceMs, job.scheduleChangedAtMs) };
}
