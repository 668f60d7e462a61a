import { DAY_MS, MINUTE_MS } from '../clock/clock';
import { compactInstant, jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import {
  type Expectation,
  expectationEntry,
  expectationIdOf,
  firstExpectation,
  isExpected,
  nextExpectation,
} from '../domain/expectation';
import type { Job } from '../domain/job';
import { passesFilter } from '../domain/notification';
import { MAX_RUN_TIME } from '../http/workflow';
import { parseDuration } from '../schedule/duration';
import { updateAlert } from './update-alert';

/** A job that succeeds usually has a success among its newest executions. */
const FIRST_PAGE = 10;
const PAGE = 500;
/** An attempt lasts no longer than this, and a run of a workflow no longer than that. */
const LONGEST_MS = { attempt: 7 * DAY_MS, run: parseDuration(MAX_RUN_TIME) };
/** The sweeper rechecks an entry within this, unless maintenance mode or an outage delays it. */
const RECHECKED_WITHIN_MS = 30 * MINUTE_MS;
/** Sorts after the ids of all runs of an instant. */
const AFTER_ALL = '~';

/**
 * Rechecks an expectation, and files the next one of its series. Order of writes: the messages → the next
 * entry → the row that names it. A recheck that dies in between is repeated. It finds each message in the
 * state of its alert. Another next entry that it may have left behind is settled by that row.
 */
export async function recheckExpectation(
  expected: Expectation,
  job: Job | undefined,
  deps: StageDeps,
): Promise<void> {
  if (!job?.expectEvery || !isExpected(expected, job)) return;
  const known = await deps.alerts.expectation(job);
  if (known && isExpected(known, job) && known.atMs > expected.atMs) return;
  const everyMs = parseDuration(job.expectEvery);
  const successMs = await successAfter(expected.atMs - everyMs, job, deps);
  const nowMs = deps.clock.nowMs();
  const { isMissed, next } = nextExpectation(expected, { everyMs, successMs }, nowMs);
  if (isMissed) await tellMissed(expected, job, deps);
  const shardCount = await deps.shardCount();
  const entry = expectationEntry(job, next, { shardCount, fromMs: deps.clock.nowMs() });
  await deps.schedule.putEntries([entry]);
  await deps.alerts.putExpectation(job, { ...next, checkAtMs: entry.checkAtMs });
}

async function tellMissed(expected: Expectation, job: Job, deps: StageDeps): Promise<void> {
  const missed = { kind: 'late', execId: expectationIdOf(expected), fence: 0, atMs: expected.atMs } as const;
  for (const notification of await deps.alerting.notificationsOf(job.userId)) {
    if (!notification.on.includes('late') || !passesFilter(notification, job)) continue;
    if (expected.atMs < notification.createdAtMs) continue;
    await updateAlert(notification, { jobKey: jobKeyOf(job), job }, [missed], deps);
  }
}

/** A range of a job's executions, by their ids. */
type Range = Pick<Parameters<StageDeps['executions']['list']>[1], 'order' | 'fromExecId' | 'toExecId'>;

/**
 * When a success ended after `afterMs`; undefined: there is none. It reads what was due before `afterMs` only
 * as far as that may have ended later. A run that was moved to an earlier time keeps the id of its first one.
 * So ids that lie ahead are read too, but only if there is no other success: many runs may wait there.
 */
async function successAfter(afterMs: number, job: Job, deps: StageDeps): Promise<number | undefined> {
  const attemptMs = Math.max(LONGEST_MS.attempt, parseDuration(job.timeout));
  const longestMs = job.workflow ? LONGEST_MS.run : attemptMs;
  const fromMs = Math.max(0, afterMs - parseDuration(job.retry.maxAge) - longestMs);
  const now = compactInstant(deps.clock.nowMs());
  const due: Range = { order: 'desc', fromExecId: compactInstant(fromMs), toExecId: now + AFTER_ALL };
  const ahead: Range = { order: 'asc', fromExecId: now };
  return (await successIn(due, afterMs, job, deps)) ?? (await successIn(ahead, afterMs, job, deps));
}

/** The newest end of the successes that ended after `afterMs`, on the first page of the range with any. */
async function successIn(
  range: Range,
  afterMs: number,
  job: Job,
  deps: StageDeps,
): Promise<number | undefined> {
  let after: string | undefined;
  let limit = FIRST_PAGE;
  do {
    const page = await deps.executions.list(jobKeyOf(job), { ...range, after, limit });
    const ends = page.executions.flatMap(({ status, backfill, finishedAtMs = 0 }) =>
      status === 'succeeded' && backfill === undefined && finishedAtMs > afterMs ? [finishedAtMs] : [],
    );
    if (ends.length > 0) return Math.max(...ends);
    after = page.nextAfter;
    limit = PAGE;
  } while (after !== undefined);
  return undefined;
}

/**
 * Makes sure that an active job with `expectEvery` has the entry of its expectation. Any shard count that was
 * ever active may have filed it. Jobs without it cost nothing.
 *
 * @param shardCounts every shard count that was ever active
 */
export async function ensureExpectation(
  job: Job,
  shardCounts: readonly number[],
  deps: StageDeps,
): Promise<'present' | 'repaired'> {
  const first = firstExpectation(job);
  if (!first) return 'present';
  const known = await deps.alerts.expectation(job);
  const expected = known && isExpected(known, job) ? known : { ...first, checkAtMs: first.atMs };
  const shardCount = await deps.shardCount();
  const nowMs = deps.clock.nowMs();
  const isOverdue = nowMs - expected.atMs > RECHECKED_WITHIN_MS;
  for (const count of isOverdue ? [] : new Set([shardCount, ...shardCounts]))
    if (
      await deps.schedule.hasEntry(
        expectationEntry(job, expected, { shardCount: count, fromMs: expected.checkAtMs }),
      )
    )
      return 'present';
  // The scan may be stale, and the recheck may have filed the next one meanwhile.
  const [current, now] = await Promise.all([deps.jobs.get(job), deps.alerts.expectation(job)]);
  const hasMoved = now?.sinceMs !== known?.sinceMs || now?.atMs !== known?.atMs;
  if (!current || !isExpected(expected, current) || hasMoved) return 'present';
  await deps.schedule.putEntries([expectationEntry(job, expected, { shardCount, fromMs: nowMs })]);
  return 'repaired';
}
