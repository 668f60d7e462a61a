import { allEnded } from '../core/async/all-ended';
import type { ExecutionMessage } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import { alarmMessage, attemptMessage } from '../core/queue/attempt-entries';
import { dispatch, type DueEntry } from '../core/dispatch/dispatch';
import { planForLate } from '../core/dispatch/next-entry';
import type { AttemptEntry, Entry, OccurrenceEntry } from '../core/domain/entry';
import { entryValidity } from '../core/domain/entry-validity';
import { isPutOff } from '../core/domain/work';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { type CatchUpPacer, planEntryAndNext, type PlanEntry } from '../core/domain/plan-entry';
import { delaySecFor, RECHECK_AFTER_MS } from '../core/domain/timing';
import { isTerminal } from '../core/domain/transitions';
import { isAlive } from '../core/domain/workflow/task-eligibility';
import { isRetryable } from '../core/is-retryable';
import { executionMapKey } from '../core/store/execution-store';
import { findExecutions, findJobs } from '../core/store/read-whole';

const TRIES = 3;

/**
 * Dispatches one page of a bucket.
 *
 * - A current occurrence entry is dispatched. One whose job is missing, or older than the entry, is left to
 *   its recheck.
 * - An attempt entry sends the next attempt of its execution. It is an alarm if that is a run under way.
 * - An entry that cannot be planned in three tries is quarantined: left to its recheck, so that it does not
 *   block the bucket.
 * - Entries that the sweeper filed again are ignored.
 *
 * Throws if a store or queue fails.
 */
export async function scanPage(
  entries: readonly Entry[],
  pacer: CatchUpPacer,
  deps: StageDeps,
): Promise<void> {
  const own = entries.filter((entry) => entry.rechecks === undefined);
  if (own.length === 0) return;
  const jobs = await readJobs(own, deps);
  const occurrences = own.filter((entry) => entry.kind === 'occurrence');
  const attempts = own.filter((entry) => entry.kind === 'attempt');
  await allEnded([dispatchCurrent(occurrences, jobs, pacer, deps), sendAttempts(attempts, jobs, deps)]);
}

/**
 * Jobs of the page. Throws `IncompleteReadError` if one could not be read; the store has retried it already.
 */
async function readJobs(entries: readonly Entry[], deps: StageDeps): Promise<ReadonlyMap<string, Job>> {
  const wanted = [...new Set(entries.map((entry) => entry.jobKey))];
  const { jobs, unreadable } = await findJobs(wanted, deps, { consistent: false });
  for (const jobKey of unreadable) {
    deps.meter.count(Metric.quarantined);
    deps.log.error('entries quarantined', new Error('the row of their job cannot be read'), { jobKey });
  }
  return jobs;
}

async function dispatchCurrent(
  entries: readonly OccurrenceEntry[],
  jobs: ReadonlyMap<string, Job>,
  pacer: CatchUpPacer,
  deps: StageDeps,
): Promise<void> {
  const current = entries.flatMap((entry) => {
    const job = jobs.get(entry.jobKey);
    return job && entryValidity(entry, job) === 'current' ? [{ entry, job }] : [];
  });
  let due: DueEntry[] = await Promise.all(
    current.map(async ({ entry, job }) => ({ entry, job, plan: await planFor(entry, job, deps) })),
  );
  if (due.length > 0) deps.meter.count(Metric.due, due.length);
  for (let tries = 1; due.length > 0; tries++) {
    const { refused } = await dispatch(due, deps, pacer);
    due = due.filter(({ entry }) => refused.has(entry));
    if (tries < TRIES) continue;
    for (const { entry } of due) {
      deps.meter.count(Metric.quarantined);
      deps.log.error('entry quarantined', refused.get(entry), { jobKey: entry.jobKey, shard: entry.shard });
    }
    return;
  }
}

async function sendAttempts(
  entries: readonly AttemptEntry[],
  jobs: ReadonlyMap<string, Job>,
  deps: StageDeps,
): Promise<void> {
  if (entries.length === 0) return;
  const { executions } = await findExecutions(entries, deps, { consistent: false });
  const messages = entries.flatMap((entry): ExecutionMessage[] => {
    const execution = executions.get(executionMapKey(entry));
    const job = jobs.get(entry.jobKey);
    if (!execution || !job || isTerminal(execution.status)) return [];
    // The row may have been read stale, from before a user retry: the recheck sends the message.
    if (execution.userRetries !== entry.userRetries) return [];
    const { attempt, checkAtMs: startAtMs } = entry;
    if (isPutOff(execution, startAtMs)) return []; // it was moved since this entry was written
    const message = isAlive(execution)
      ? alarmMessage(execution, startAtMs)
      : attemptMessage(execution, { attempt, startAtMs }, jobToSend(execution, job));
    // Its pool is gone: the recheck reports that, where it blocks nothing.
    return deps.queue.has(message.pool, message.priority) ? [message] : [];
  });
  const nowMs = deps.clock.nowMs();
  await deps.queue.send(
    messages.map((message) => ({ message, delaySec: delaySecFor(message.startAtMs, nowMs) })),
  );
}

/** The job by which a message goes out: a task has other targets, and its row says where its messages go. */
const jobToSend = ({ trigger }: Execution, job: Job): Job =>
  trigger === 'task' ? { ...job, target: undefined, targets: undefined } : job;

/**
 * An entry found late may have been rechecked already. No stage but the scanner decides one found in time.
 */
async function planFor(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<PlanEntry> {
  if (entry.checkAtMs >= deps.clock.nowMs() - RECHECK_AFTER_MS) return planEntryAndNext;
  try {
    return await planForLate(entry, job, deps);
  } catch (error) {
    if (isRetryable(error)) throw error;
    return planEntryAndNext; // it cannot be planned: dispatch refuses it, with the reason
  }
}
