import type { ExecutionMessage } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import { attemptMessage } from '../core/queue/attempt-entries';
import type { StageDeps } from '../core/deps';
import { missingNextEntry } from '../core/dispatch/next-entry';
import { dispatch, type DueEntry } from '../core/dispatch/dispatch';
import type { CatchUpPacer, Scope } from '../core/domain/plan-entry';
import { entryValidity } from '../core/domain/entry-validity';
import type { AttemptEntry, Entry, OccurrenceEntry } from '../core/domain/entry';
import { isTerminal } from '../core/domain/transitions';
import type { Job } from '../core/domain/job';
import { delaySecFor, RECHECK_AFTER_MS } from '../core/domain/timing';
import { IncompleteReadError } from '../core/errors';
import { isRetryable } from '../core/is-retryable';
import { executionMapKey } from '../core/store/execution-store';

const PASSES = 3;

/**
 * The scanner's step for one page of a bucket. Occurrence entries are dispatched where they are their job's current
 * ones; one whose job is missing, or older than the entry, is left to its second look. Attempt entries send the
 * attempt that their execution waits for. An entry that cannot be handled in three passes is set aside, to its second
 * look, and never holds up the bucket. Looks that were filed again belong to the sweeper alone.
 */
export async function scanPage(
  entries: readonly Entry[],
  pacer: CatchUpPacer,
  deps: StageDeps,
): Promise<void> {
  const fresh = entries.filter((entry) => entry.rechecks === undefined);
  if (fresh.length === 0) return;
  const jobs = await readJobs(fresh, deps);
  const occurrences = fresh.filter((entry) => entry.kind === 'occurrence');
  const attempts = fresh.filter((entry) => entry.kind === 'attempt');
  await Promise.all([dispatchCurrent(occurrences, jobs, pacer, deps), sendAttempts(attempts, jobs, deps)]);
}

/** Jobs of the page. A key without an answer is no answer: it is asked for again, then the pass is given up. */
async function readJobs(entries: readonly Entry[], deps: StageDeps): Promise<Map<string, Job>> {
  const wanted = [...new Set(entries.map((entry) => entry.jobKey))];
  const { jobs, unread, unreadable } = await deps.jobs.getMany(wanted, { consistent: false });
  if (unread.size > 0) throw new IncompleteReadError('jobs', unread.size);
  for (const jobKey of unreadable) {
    deps.meter.count(Metric.quarantined);
    deps.log.error('entries set aside', new Error('the row of their job cannot be read'), { jobKey });
  }
  return jobs;
}

async function dispatchCurrent(
  entries: readonly OccurrenceEntry[],
  jobs: Map<string, Job>,
  pacer: CatchUpPacer,
  deps: StageDeps,
): Promise<void> {
  const current = entries.flatMap((entry) => {
    const job = jobs.get(entry.jobKey);
    return job && entryValidity(entry, job) === 'current' ? [{ entry, job }] : [];
  });
  let due: DueEntry[] = await Promise.all(
    current.map(async ({ entry, job }) => ({ entry, job, scope: await scopeOf(entry, job, deps) })),
  );
  if (due.length > 0) deps.meter.count(Metric.due, due.length);
  for (let pass = 1; due.length > 0; pass++) {
    const { refused } = await dispatch(due, deps, pacer);
    due = due.filter(({ entry }) => refused.has(entry));
    if (pass < PASSES) continue;
    for (const { entry } of due) {
      deps.meter.count(Metric.quarantined);
      deps.log.error('entry set aside', refused.get(entry), { jobKey: entry.jobKey, shard: entry.shard });
    }
    return;
  }
}

async function sendAttempts(
  entries: readonly AttemptEntry[],
  jobs: Map<string, Job>,
  deps: StageDeps,
): Promise<void> {
  if (entries.length === 0) return;
  const { executions, unread } = await deps.executions.getMany(entries, { consistent: false });
  if (unread.size > 0) throw new IncompleteReadError('executions', unread.size);
  const messages = entries.flatMap((entry): ExecutionMessage[] => {
    const execution = executions.get(executionMapKey(entry));
    const job = jobs.get(entry.jobKey);
    if (!execution || !job || isTerminal(execution.status)) return [];
    // Its pool is gone: the second look says so, where it holds up nothing.
    if (!deps.queue.has(job.pool, job.priority)) return [];
    return [attemptMessage(execution, { attempt: entry.attempt, startAtMs: entry.checkAtMs }, job)];
  });
  const nowMs = deps.clock.nowMs();
  await deps.queue.send(
    messages.map((message) => ({ message, delaySec: delaySecFor(message.startAtMs, nowMs) })),
  );
}

/**
 * What is found late may have been decided by a second look already: where the chain goes on, it is not decided again.
 */
async function scopeOf(entry: OccurrenceEntry, job: Job, deps: StageDeps): Promise<Scope> {
  if (entry.checkAtMs >= deps.clock.nowMs() - RECHECK_AFTER_MS) return 'chain';
  try {
    return (await missingNextEntry(entry, job, deps)) ? 'chain' : 'own';
  } catch (error) {
    if (isRetryable(error)) throw error;
    return 'chain'; // it cannot be planned: dispatch says why, and sets it aside
  }
}
