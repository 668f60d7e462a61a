import { createHash } from 'node:crypto';

import { compactInstant, jobKeyOf, jobRefOf } from '../../contracts/tables';
import type { Execution, ParentTask } from '../execution';
import type { Job } from '../job';
import { isTerminal } from '../transitions';
import { keyRoundOf, type MarkedStatus, roundOf } from './marks';
import { readsOf } from './references';
import type { RunTask } from './run-task';

/** At most so many runs lie above an execution. */
export const MAX_CHILD_DEPTH = 5;

/** A task of a run that starts a child. */
export type ChildTask = RunTask;

const HASH_LENGTH = 26;

/** The child of a task: the same one, however often it is started. A retry of what failed keeps it, too. */
export function childRefOf({ run, graph, index }: ChildTask): { jobKey: string; execId: string } {
  const { id, task } = graph.tasks[index]!;
  const parts = [run.jobKey, run.execId, id, keyRoundOf(run.run, index)];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH);
  const { userId } = jobRefOf(run.jobKey);
  const jobKey = jobKeyOf({ userId, jobId: task.job! });
  return { jobKey, execId: `${compactInstant(run.dueAtMs)}-c${hash}` };
}

/** What a child keeps of the runs above it. */
export function lineageOf({
  run,
  graph,
  index,
}: ChildTask): Required<Pick<Execution, 'parent' | 'ancestors'>> {
  const { jobKey, execId, parent } = run;
  const orderingKey = run.orderingKey ?? parent?.orderingKey;
  const concurrencyKey = run.concurrencyKey ?? parent?.concurrencyKey;
  const own: ParentTask = {
    jobKey,
    execId,
    task: graph.tasks[index]!.id,
    round: roundOf(run.run, index),
    ...(readsOf(graph).keepsOutput[index] && { keepsOutput: true }),
    ...(orderingKey !== undefined && { orderingKey }),
    ...(concurrencyKey !== undefined && { concurrencyKey }),
  };
  return { parent: own, ancestors: [...(run.ancestors ?? []), jobRefOf(jobKey).jobId] };
}

/**
 * Whether the child has ended for the present round of its task. One that failed in an earlier round is to
 * run again. A success counts in any round: its work is done.
 */
export const hasEndedForRound = (
  { run, index }: ChildTask,
  child: Pick<Execution, 'status' | 'parent'>,
): boolean =>
  isTerminal(child.status) &&
  (child.status === 'succeeded' || (child.parent?.round ?? 0) >= roundOf(run.run, index));

/** The job by which an execution is delivered: its output is kept, if a task above it is read. */
export const asChild = (job: Job, { parent }: Pick<Execution, 'parent'>): Job =>
  parent?.keepsOutput ? { ...job, keepsOutput: true } : job;

/** How the task of an ended child is marked. A child that a gate or the project has skipped has failed. */
export function markOfChild({ status, reason }: Pick<Execution, 'status' | 'reason'>): MarkedStatus {
  if (status === 'succeeded' || status === 'cancelled') return status;
  return status === 'skipped' && reason === 'skipped-by-user' ? 'skipped' : 'failed';
}
