import { attemptEntry } from '../core/queue/attempt-entries';
import { rowsBetween, uncoveredRanges } from '../core/history/coverage';
import type { BacklogOf } from '../core/queue/backlogs';
import type { StageDeps } from '../core/deps';
import { dispatch, type DueEntry } from '../core/dispatch/dispatch';
import { entryAfter, scheduleOf } from '../core/domain/entry-planning';
import { planEntryOnly, planResend } from '../core/domain/plan-entry';
import { runsThrough } from '../core/domain/planned-times';
import { HOUR_MS, MINUTE_MS } from '../core/clock/clock';
import { execIdOfOccurrence, jobKeyOf } from '../core/contracts/tables';
import { dueTimesOf, type OccurrenceEntry } from '../core/domain/entry';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { shardOf } from '../core/domain/shard';

/** Looks at what nobody claims are ten minutes apart at most: what was to be found by one has been. */
const SETTLED_AFTER_MS = 30 * MINUTE_MS;
/** How much of the history each pass looks at: passes come every ten minutes, so one that fails is made up for. */
const LOOKS_BACK_MS = HOUR_MS;
/** What may rightly wait longer (for its queue, for its turn) is taken for lost at the end of that hour, once. */
const LAST_CHANCE_MS = 10 * MINUTE_MS;
/** A running one is taken over 75 s after its last sign of life. */
const ORPHANED_AFTER_MS = 10 * MINUTE_MS;
/** Entries that one pass files for one job: the rest is for the next. */
const MOST_ENTRIES = 100;

/**
 * Finds what fell due between an hour and a half and half an hour ago and has no record, or one that nobody looks at any
 * more, and files it anew: the scanner's step, by the misfire policy. `job` is active.
 * @returns how many occurrences and executions were repaired
 */
export async function repairHistory(job: Job, backlogOf: BacklogOf, deps: StageDeps): Promise<number> {
  const nowMs = deps.clock.nowMs();
  const since = Math.max(job.activeSinceMs, job.scheduleChangedAtMs);
  const backMs = nowMs - SETTLED_AFTER_MS - LOOKS_BACK_MS;
  const fromMs = Math.max(since, backMs) + 1;
  const toMs = nowMs - SETTLED_AFTER_MS;
  const firstMs = scheduleOf(job).next(fromMs - 1);
  if (firstMs === undefined || firstMs > toMs) return 0;
  const mayWait = job.overlap === 'queue' || job.overlap === 'replace' || job.orderingKey !== null;
  const patient = mayWait || (await backlogOf(job)) !== 'none';
  const range = { fromMs, toMs: patient ? backMs + LAST_CHANCE_MS : toMs };
  return (await fileMissing(job, range, nowMs, deps)) + (await fileOrphans(job, range, nowMs, deps));
}

async function fileMissing(
  job: Job,
  range: { fromMs: number; toMs: number },
  nowMs: number,
  deps: StageDeps,
): Promise<number> {
  const schedule = scheduleOf(job);
  const shard = shardOf(jobKeyOf(job), await deps.shardCount());
  const due: DueEntry[] = [];
  let count = 0;
  for (const gap of await uncoveredRanges(job, range, deps)) {
    for (let afterMs = gap.fromMs - 1; due.length < MOST_ENTRIES;) {
      const runsBefore = runsThrough(job, schedule, afterMs);
      const entry = entryAfter(job, schedule, { afterMs, runsBefore, shard, nowMs });
      if (!entry || entry.dueAtMs > gap.toMs) break;
      const inLine = await hasOrderingTicket(entry, job, deps);
      due.push({ entry: { ...entry, rechecks: 0 }, job, plan: inLine ? planResend : planEntryOnly });
      if (!inLine) count += schedule.count(afterMs, Math.min(entry.throughMs, gap.toMs), gap.count);
      afterMs = entry.throughMs;
    }
  }
  if (due.length === 0) return 0;
  await deps.schedule.putEntries(due.map(({ entry }) => entry));
  const { refused } = await dispatch(due, deps);
  for (const reason of refused.values()) throw reason;
  return count;
}

/** Whether it waits for its turn in its ordering key: then it is late, and no misfire policy has a say. */
async function hasOrderingTicket(
  entry: OccurrenceEntry,
  { orderingKey }: Job,
  { ordering: lines }: StageDeps,
): Promise<boolean> {
  if (orderingKey === null) return false;
  for (const dueAtMs of dueTimesOf(entry)) {
    const place = { jobKey: entry.jobKey, execId: execIdOfOccurrence(dueAtMs), orderingKey };
    if (await lines.hasTicket(place)) return true;
  }
  return false;
}

/** What was begun, or waits for an attempt, and has no entry that answers for it. */
async function fileOrphans(
  job: Job,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  nowMs: number,
  deps: StageDeps,
): Promise<number> {
  const rows = await rowsBetween(jobKeyOf(job), fromMs, toMs, deps);
  const orphans = rows.filter((row) => isOrphan(row, nowMs));
  await deps.schedule.putEntries(
    await Promise.all(orphans.map((row) => attemptEntry({ ...row, startAtMs: nowMs }, deps))),
  );
  return orphans.length;
}

const isOrphan = ({ status, heartbeatAtMs = 0, startAtMs = 0 }: Execution, nowMs: number): boolean =>
  (status === 'running' && heartbeatAtMs < nowMs - ORPHANED_AFTER_MS) ||
  ((status === 'retrying' || status === 'queued') && startAtMs < nowMs - SETTLED_AFTER_MS);
