import type { ExecutionMessage } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import { attemptMessage } from '../core/dispatch/attempts';
import type { DispatchDeps } from '../core/dispatch/deps';
import { dispatch } from '../core/dispatch/dispatch';
import type { CatchUpPacer } from '../core/dispatch/plan';
import { standingOf } from '../core/dispatch/standing';
import type { AttemptEntry, Entry, OccurrenceEntry } from '../core/domain/entry';
import { isTerminal } from '../core/domain/transitions';
import type { Job } from '../core/domain/job';
import { delaySecFor } from '../core/domain/timing';
import { Unanswered } from '../core/store/errors';
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
  deps: DispatchDeps,
): Promise<void> {
  const fresh = entries.filter((entry) => entry.waits === undefined);
  if (fresh.length === 0) return;
  const jobs = await readJobs(fresh, deps);
  const occurrences = fresh.filter((entry) => entry.kind === 'occurrence');
  const attempts = fresh.filter((entry) => entry.kind === 'attempt');
  await Promise.all([dispatchCurrent(occurrences, jobs, pacer, deps), sendAttempts(attempts, jobs, deps)]);
}

/** Jobs of the page. A key without an answer is no answer: it is asked for again, then the pass is given up. */
async function readJobs(entries: readonly Entry[], deps: DispatchDeps): Promise<Map<string, Job>> {
  const wanted = [...new Set(entries.map((entry) => entry.jobKey))];
  const { jobs, unread } = await deps.jobs.getMany(wanted, { consistent: false });
  if (unread.size > 0) throw new Unanswered('jobs', unread.size);
  return jobs;
}

async function dispatchCurrent(
  entries: readonly OccurrenceEntry[],
  jobs: Map<string, Job>,
  pacer: CatchUpPacer,
  deps: DispatchDeps,
): Promise<void> {
  let due = entries.flatMap((entry) => {
    const job = jobs.get(entry.jobKey);
    return job && standingOf(entry, job) === 'current' ? [{ entry, job }] : [];
  });
  if (due.length > 0) deps.meter.count(Metric.due, due.length);
  for (let pass = 1; due.length > 0; pass++) {
    const { refused } = await dispatch(due, deps, pacer);
    due = due.filter(({ entry }) => refused.has(entry));
    if (pass < PASSES) continue;
    for (const { entry } of due) {
      deps.meter.count(Metric.setAside);
      deps.log.error('entry set aside', refused.get(entry), { jobKey: entry.jobKey, shard: entry.shard });
    }
    return;
  }
}

async function sendAttempts(
  entries: readonly AttemptEntry[],
  jobs: Map<string, Job>,
  deps: DispatchDeps,
): Promise<void> {
  if (entries.length === 0) return;
  const { executions, unread } = await deps.executions.getMany(entries, { consistent: false });
  if (unread.size > 0) throw new Unanswered('executions', unread.size);
  const messages = entries.flatMap((entry): ExecutionMessage[] => {
    const execution = executions.get(executionMapKey(entry));
    const job = jobs.get(entry.jobKey);
    if (!execution || !job || isTerminal(execution.status)) return [];
    // Its pool is gone: the second look says so, where it holds up nothing.
    if (!deps.queue.has(job.pool, job.priority)) return [];
    return [attemptMessage(execution, { attempt: entry.attempt, startAtMs: entry.lookAtMs }, job)];
  });
  const nowMs = deps.clock.nowMs();
  await deps.queue.send(
    messages.map((message) => ({ message, delaySec: delaySecFor(message.startAtMs, nowMs) })),
  );
}
