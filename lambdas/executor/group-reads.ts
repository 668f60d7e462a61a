import type { Claimed } from '../core/attempts/claim';
import { isLate } from '../core/attempts/late-claim';
import type { ExecutionMessage } from '../core/contracts/messages';
import { type CalendarKey, jobRefOf } from '../core/contracts/tables';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { isTaskExecution, runOf } from '../core/domain/workflow/task-id';
import { executionMapKey, type ExecutionRef } from '../core/store/execution-store';
import { findExecutions, findJobsPatiently } from '../core/store/read-whole';
import type { ExecutorDeps } from './deps';
import type { Received } from './next-task';

const READ_TRIES = 3;

const runRefOf = ({ jobKey, execId }: Execution): ExecutionRef => ({ jobKey, execId: runOf(execId) });

/**
 * The runs of all tasks of a group, by one consistent read; nothing is read if there is no task. The function
 * that it returns throws for an unreadable row.
 */
export async function readRuns(
  claimed: readonly Claimed[],
  deps: ExecutorDeps,
): Promise<(execution: Execution) => Execution | undefined> {
  const refs = claimed
    .filter(({ execution }) => isTaskExecution(execution.execId))
    .map(({ execution }) => runRefOf(execution));
  const { executions, unreadable } = await findExecutions(refs, deps);
  return (execution) => {
    const key = executionMapKey(runRefOf(execution));
    if (unreadable.has(key)) throw new Error(`the row of run ${runOf(execution.execId)} cannot be read`);
    return executions.get(key);
  };
}

const calendarsOf = (group: readonly Received[]): CalendarKey[] =>
  group.flatMap(({ message: { jobKey, calendars = [] } }) =>
    calendars.map((calendarId) => ({ userId: jobRefOf(jobKey).userId, calendarId })),
  );

/** The jobs of those that are late, by one read before the claims: see `mayStillClaim`. */
export function readJobsOfLate(
  group: readonly Received[],
  deps: ExecutorDeps,
): ReadonlyMap<ExecutionMessage, Promise<Job | undefined>> {
  const nowMs = deps.clock.nowMs();
  const late = group.map(({ message }) => message).filter((message) => isLate(message, nowMs));
  if (late.length === 0) return new Map();
  const reading = readJobs(
    late.map(({ jobKey }) => jobKey),
    group,
    deps,
  );
  return new Map(late.map((message) => [message, reading.then((jobOf) => jobOf(message.jobKey))]));
}

/**
 * One consistent read for all jobs of a group and the calendars that its messages name. The jobs are planned
 * by their calendars as they are then. The function that it returns throws for an unreadable row.
 */
export async function readJobs(
  jobKeys: readonly string[],
  group: readonly Received[],
  deps: ExecutorDeps,
): Promise<(jobKey: string) => Job | undefined> {
  const how = { today: calendarsOf(group), tries: READ_TRIES };
  const { jobs, unreadable } = await findJobsPatiently(jobKeys, how, deps);
  return (jobKey) => {
    if (unreadable.has(jobKey)) throw new Error(`the row of job ${jobKey} cannot be read`);
    return jobs.get(jobKey);
  };
}
