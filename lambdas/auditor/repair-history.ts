import { HOUR_MS, MINUTE_MS } from '../core/clock/clock';
import { execIdOfOccurrence, jobKeyOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { dispatch, type DueEntry } from '../core/dispatch/dispatch';
import { dueTimesOf, type OccurrenceEntry } from '../core/domain/entry';
import { decidedAfterMs, entryAfter, scheduleOf } from '../core/domain/entry-planning';
import type { Execution } from '../core/domain/execution';
import { concurrencyKeyOf, type Job, plannedSinceMs } from '../core/domain/job';
import { leaseLimitMs } from '../core/domain/lease';
import { longCallOf } from '../core/domain/long-call';
import { planEntryOnly, planResend } from '../core/domain/plan-entry';
import { runsThrough } from '../core/domain/planned-times';
import { shardOf } from '../core/domain/shard';
import { causesNamedBy } from '../core/domain/uses';
import { workerTargetOf } from '../core/domain/work';
import { waitsForOverlapLock } from '../core/gates/overlap';
import { rowsBetween, uncoveredRanges } from '../core/history/coverage';
import { attemptEntry } from '../core/queue/attempt-entries';
import type { BacklogOf } from '../core/queue/backlogs';

/** Rechecks of unclaimed work are at most ten minutes apart: by now they have found what they can find. */
const SETTLED_AFTER_MS = 30 * MINUTE_MS;
/**
 * How much of the history each pass covers. Passes come every ten minutes, so others cover what a failed one
 * missed.
 */
const AUDITED_MS = HOUR_MS;
/**
 * Work that may rightly wait longer, for its queue or its ordering key, is repaired in the oldest part of it,
 * once.
 */
const OLDEST_MS = 10 * MINUTE_MS;
/** A running execution is taken over 35 s after the limit of its lease. */
const ORPHANED_AFTER_MS = 10 * MINUTE_MS;
/** Entries that one pass files for one job. The next pass files the rest. */
const MAX_ENTRIES = 100;

interface AuditedRange {
  fromMs: number;
  toMs: number;
}

/**
 * Repairs the history of a job between one and a half hours and half an hour ago. Occurrences of an active
 * job without a record are dispatched again, by the misfire policy. Unfinished executions that no entry
 * covers any more get a new entry.
 *
 * Throws if a store or queue fails, and if an occurrence cannot be planned.
 *
 * @returns how many occurrences and executions were repaired
 */
export async function repairHistory(job: Job, backlogOf: BacklogOf, deps: StageDeps): Promise<number> {
  const nowMs = deps.clock.nowMs();
  const toMs = nowMs - decidedAfterMs(job) - SETTLED_AFTER_MS;
  const oldestMs = toMs - AUDITED_MS;
  const fromMs = Math.max(plannedSinceMs(job), oldestMs) + 1;
  const firstMs = job.status === 'active' ? scheduleOf(job).next(fromMs - 1, toMs) : undefined;
  const hasPlanned = firstMs !== undefined;
  // A job that has not changed begins nothing between its occurrences, unless something else starts it.
  if (!hasPlanned && causesNamedBy(job).length === 0 && job.updatedAtMs < oldestMs - HOUR_MS) return 0;
  const mayWait =
    workerTargetOf(job) !== undefined ||
    job.overlap === 'queue' ||
    job.overlap === 'replace' ||
    job.orderingKey !== null ||
    job.concurrencyKey !== undefined;
  const isPatient = mayWait || (await backlogOf({ ...job, ...longCallOf(job) })) !== 'none';
  const untilMs = isPatient ? oldestMs + OLDEST_MS : toMs;
  const rows = await rowsBetween(jobKeyOf(job), oldestMs + 1, untilMs, deps);
  const orphans = rows.filter((row) => isOrphan(row, nowMs));
  const dispatched = hasPlanned ? await dispatchUncovered(job, { fromMs, toMs: untilMs }, nowMs, deps) : 0;
  return dispatched + (await fileOrphans(orphans, nowMs, deps));
}

async function dispatchUncovered(
  job: Job,
  range: AuditedRange,
  nowMs: number,
  deps: StageDeps,
): Promise<number> {
  const schedule = scheduleOf(job);
  const shard = shardOf(jobKeyOf(job), await deps.shardCount());
  const due: DueEntry[] = [];
  let count = 0;
  for (const gap of await uncoveredRanges(job, range, deps)) {
    for (let afterMs = gap.fromMs - 1; due.length < MAX_ENTRIES;) {
      const runsBefore = runsThrough(job, schedule, afterMs);
      const entry = entryAfter(job, schedule, { afterMs, runsBefore, shard, nowMs });
      if (!entry || entry.dueAtMs > gap.toMs) break;
      afterMs = entry.throughMs;
      if (await isOffered(entry, job, deps)) continue; // nothing is lost: its own entry rechecks it
      const isWaiting = (await hasTicket(entry, job, deps)) || (await waitsForLock(entry, job, deps));
      // Work that waits for its ordering key or its job is late for that reason: no misfire policy applies,
      // and nothing was lost.
      due.push({ entry: { ...entry, rechecks: 0 }, job, plan: isWaiting ? planResend : planEntryOnly });
      if (!isWaiting)
        count += schedule.count(entry.dueAtMs - 1, Math.min(entry.throughMs, gap.toMs), gap.count);
    }
  }
  if (due.length === 0) return 0;
  await deps.schedule.putEntries(due.map(({ entry }) => entry));
  const { refused } = await dispatch(due, deps);
  for (const reason of refused.values()) throw reason;
  return count;
}

/** Whether an occurrence of the entry waits for its job: behind a date of a backfill it does under `skip`. */
async function waitsForLock(entry: OccurrenceEntry, { overlap }: Job, deps: StageDeps): Promise<boolean> {
  if (overlap === 'allow') return false;
  for (const dueAtMs of dueTimesOf(entry))
    if (await waitsForOverlapLock(entry.jobKey, execIdOfOccurrence(dueAtMs), deps)) return true;
  return false;
}

/** Whether all occurrences of the entry wait for a worker, or have a row by now. */
async function isOffered(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<boolean> {
  const target = workerTargetOf(job);
  if (!target) return false;
  for (const dueAtMs of dueTimesOf(entry)) {
    const ref = { jobKey: entry.jobKey, execId: execIdOfOccurrence(dueAtMs), dueAtMs, attempt: 1 };
    if (await deps.work.find({ ...ref, priority: job.priority, workQueue: target.queue })) continue;
    if (!(await deps.executions.get(ref))) return false;
  }
  return true;
}

/** Whether any occurrence of the entry has a ticket: of its ordering key, or of its concurrency key. */
async function hasTicket(
  entry: OccurrenceEntry,
  job: Job,
  { ordering, concurrency }: Pick<StageDeps, 'ordering' | 'concurrency'>,
): Promise<boolean> {
  const { orderingKey } = job;
  const concurrencyKey = concurrencyKeyOf(job);
  if (orderingKey === null && concurrencyKey === undefined) return false;
  for (const dueAtMs of dueTimesOf(entry)) {
    const execId = execIdOfOccurrence(dueAtMs);
    const ref = { jobKey: entry.jobKey, execId };
    if (orderingKey !== null && (await ordering.hasTicket({ ...ref, orderingKey }))) return true;
    if (concurrencyKey !== undefined && (await concurrency.hasTicket({ ...ref, concurrencyKey })))
      return true;
  }
  return false;
}

/** Files an entry for each execution that was begun, or has a next attempt, and that no entry covers. */
async function fileOrphans(orphans: readonly Execution[], nowMs: number, deps: StageDeps): Promise<number> {
  await deps.schedule.putEntries(
    await Promise.all(orphans.map((row) => attemptEntry({ ...row, startAtMs: nowMs }, deps))),
  );
  return orphans.length;
}

const isOrphan = (execution: Execution, nowMs: number): boolean => {
  const { status, startAtMs = 0 } = execution;
  // A run has no lease. Its entries lie up to an hour apart, and it ends soon after its time at the latest.
  if (execution.run) return status === 'running' && execution.run.endsAtMs < nowMs - SETTLED_AFTER_MS;
  if (status === 'running') return leaseLimitMs(execution) < nowMs - ORPHANED_AFTER_MS;
  return (status === 'retrying' || status === 'queued') && startAtMs < nowMs - SETTLED_AFTER_MS;
};
