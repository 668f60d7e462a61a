import { parseCompactInstant } from '../core/contracts/tables';
import { newestRowThrough, covers } from '../core/history/coverage';
import type { StageDeps } from '../core/deps';
import { ensureNextEntry, missingNextEntry } from '../core/dispatch/next-entry';
import { dispatch } from '../core/dispatch/dispatch';
import { dispatchAhead } from '../core/dispatch/dispatch-ahead';
import { recordSkippedOccurrence } from '../core/ending/skip-ranges';
import { entryValidity } from '../core/domain/entry-validity';
import type { OccurrenceEntry } from '../core/domain/entry';
import type { Reason } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { oldestClaimedMs } from '../core/domain/timing';
import type { ExecutionRef } from '../core/store/execution-store';
import type { NextRecheck, RecheckContext } from './recheck';
import { resend } from './resend';

/** Planned occurrences without any row: the scanner's whole step once more, misfire and next entry included. */
export async function recheckUnclaimed(
  entry: OccurrenceEntry,
  withoutRow: readonly string[],
  job: Job | undefined,
  look: RecheckContext,
): Promise<NextRecheck | undefined> {
  const { deps } = look;
  const open = await notCovered(withoutRow, entry.jobKey, deps);
  const unclaimed = await withoutOutlived(open, entry.jobKey, job, deps);
  const [first] = unclaimed;
  if (first === undefined) {
    if (job && entryValidity(entry, job) === 'current') await ensureNextEntry(entry, job, deps);
    return undefined;
  }
  if (!job || entryValidity(entry, job) !== 'current') {
    await recordAsSkipped(unclaimed, entry.jobKey, job, deps);
    return undefined;
  }
  const waiting = {
    jobKey: entry.jobKey,
    execId: first,
    dueAtMs: parseCompactInstant(first),
    orderingKey: job.orderingKey ?? undefined,
  };
  return resend({ entry, job, unclaimed: waiting }, look, async (why) => {
    const scope = why === 'long' ? 'resend' : (await missingNextEntry(entry, job, deps)) ? 'chain' : 'own';
    const { next, refused } = await dispatch([{ entry, job, scope }], deps, look.pacer);
    if (refused.has(entry)) throw refused.get(entry);
    const following = next.get(entry);
    if (following) await dispatchAhead(following, job, deps);
  });
}

/** Those for which no stretch of skipped ones stands either. */
async function notCovered(withoutRow: readonly string[], jobKey: string, deps: StageDeps): Promise<string[]> {
  const left: string[] = [];
  for (const execId of withoutRow) {
    const dueAtMs = parseCompactInstant(execId);
    if (!covers(await newestRowThrough(jobKey, dueAtMs, deps), dueAtMs)) left.push(execId);
  }
  return left;
}

/** Executors refuse to claim what is nearly as old as retention: it is recorded as skipped instead. */
async function withoutOutlived(
  open: readonly string[],
  jobKey: string,
  job: Job | undefined,
  deps: StageDeps,
): Promise<readonly string[]> {
  const oldestMs = oldestClaimedMs(deps.clock.nowMs(), deps.retentionDays);
  const isOutlived = (execId: string) => parseCompactInstant(execId) < oldestMs;
  for (const execId of open.filter(isOutlived)) await recordSkipped({ jobKey, execId }, 'misfire', job, deps);
  return open.filter((execId) => !isOutlived(execId));
}

async function recordSkipped(
  { jobKey, execId }: ExecutionRef,
  reason: Reason,
  job: Job | undefined,
  deps: StageDeps,
): Promise<void> {
  const orderingKey = job?.orderingKey ?? undefined;
  const occurrence = { jobKey, dueAtMs: parseCompactInstant(execId), orderingKey };
  await recordSkippedOccurrence(occurrence, reason, 'sweeper', deps);
}

/**
 * The job has moved on, or is gone. Occurrences that fell due before it did were planned and never ran: each is
 * recorded with the reason. Later ones are no longer planned.
 */
async function recordAsSkipped(
  unclaimed: readonly string[],
  jobKey: string,
  job: Job | undefined,
  deps: StageDeps,
): Promise<void> {
  const { reason, changedAtMs } = changeOf(job);
  for (const execId of unclaimed) {
    const dueAtMs = parseCompactInstant(execId);
    if (dueAtMs > changedAtMs) continue;
    await recordSkipped({ jobKey, execId }, reason, job, deps);
  }
}

function changeOf(job: Job | undefined): { reason: Reason; changedAtMs: number } {
  if (!job) return { reason: 'deleted', changedAtMs: Number.POSITIVE_INFINITY };
  if (job.status === 'paused') return { reason: 'paused', changedAtMs: job.pausedAtMs ?? job.updatedAtMs };
  return { reason: 'superseded', changedAtMs: Math.max(job.activeSinceMs, job.scheduleChangedAtMs) };
}
