import { createHash } from 'node:crypto';

import { compactInstant, jobKeyOf, jobRefOf } from '../../contracts/tables';
import { DATE_MARK } from '../../contracts/tickets';
import type { Execution, ParentTask } from '../execution';
import type { Job } from '../job';
import { isTerminal } from '../transitions';
import { parseDuration } from '../../schedule/duration';
import type { Json } from '../../templates/syntax';
import { dateOfItem } from './backfill';
import type { ForEach } from './definition';
import { keyRoundOf, type MarkedStatus, roundOf } from './marks';
import { readsOf } from './references';
import type { RunTask } from './run-task';

/** At most so many runs lie above an execution. */
export const MAX_CHILD_DEPTH = 5;

/** An item of a fan-out: its index, and its value. */
export interface ChildItem {
  index: number;
  value: Json;
}

/** A task of a run that starts a child, or an item of such a task. */
export interface ChildTask extends RunTask {
  /** Only of a fan-out, each item of which starts a child. */
  item?: ChildItem;
}

const HASH_LENGTH = 26;
const datesOf = ({ graph, index }: ChildTask): ForEach['dates'] => graph.tasks[index]!.task.forEach?.dates;

/** The due time of a child: that of its run, or the date that a backfill starts it for. */
export const dueTimeOfChild = (task: ChildTask): number =>
  datesOf(task) && task.item ? dateOfItem(task.item.value) : task.run.dueAtMs;

/**
 * The child of a task, or of an item: the same one, however often it is started. A retry of what failed keeps
 * it, too. Another value of an item is another child.
 */
export function childRefOf(child: ChildTask): { jobKey: string; execId: string } {
  const { run, graph, index, item } = child;
  const { id, task } = graph.tasks[index]!;
  const parts = [run.jobKey, run.execId, id, keyRoundOf(run.run, index)];
  if (item) parts.push(item.index, JSON.stringify(item.value));
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH);
  const { userId } = jobRefOf(run.jobKey);
  const jobKey = jobKeyOf({ userId, jobId: task.job! });
  return {
    jobKey,
    execId: compactInstant(dueTimeOfChild(child)) + (datesOf(child) ? DATE_MARK : '-c') + hash,
  };
}

/** What a child keeps of the runs above it. A backfill of its job is none of them. */
export function lineageOf(child: ChildTask): Required<Pick<Execution, 'parent' | 'ancestors'>> {
  const { run, graph, index, item } = child;
  const { jobKey, execId, parent } = run;
  const dates = datesOf(child);
  const orderingKey = run.orderingKey ?? parent?.orderingKey;
  const concurrencyKey = run.concurrencyKey ?? parent?.concurrencyKey;
  const own: ParentTask = {
    jobKey,
    execId,
    task: graph.tasks[index]!.id,
    round: roundOf(run.run, index),
    ...(item && { item: item.index }),
    ...(dates && { overlap: dates.overlap }),
    ...(readsOf(graph).keepsOutput[index] && { keepsOutput: true }),
    ...(orderingKey !== undefined && { orderingKey }),
    ...(concurrencyKey !== undefined && { concurrencyKey }),
  };
  const above = run.ancestors ?? [];
  return { parent: own, ancestors: dates ? above : [...above, jobRefOf(jobKey).jobId] };
}

/** The parent of a child that starts, or starts again, at an instant. */
export function parentAt(child: ChildTask, nowMs: number): ParentTask {
  const { timeout } = child.graph.tasks[child.index]!.task;
  const { parent } = lineageOf(child);
  return timeout === undefined ? parent : { ...parent, untilMs: nowMs + parseDuration(timeout) };
}

export const triggerOfChild = (task: ChildTask): 'backfill' | 'workflow' =>
  datesOf(task) ? 'backfill' : 'workflow';

/** The lane of a child, if a backfill has given it another priority than its job's. */
export function laneOfChild(task: ChildTask, { pool }: Pick<Job, 'pool'>): Partial<Pick<Execution, 'lane'>> {
  const dates = datesOf(task);
  return dates ? { lane: { priority: dates.priority, pool } } : {};
}

/**
 * Whether the child has ended for the present round of its task. One that failed in an earlier round is to
 * run again. A success counts in any round: its work is done.
 */
export const hasEndedForRound = (
  { run, index }: Pick<ChildTask, 'run' | 'index'>,
  child: Pick<Execution, 'status' | 'parent'>,
): boolean =>
  isTerminal(child.status) &&
  (child.status === 'succeeded' || (child.parent?.round ?? 0) >= roundOf(run.run, index));

/**
 * How the task of an ended child is marked. A child that a gate or the project has skipped has failed. So
 * has one that was cancelled because it took longer than its task allows.
 */
export function markOfChild({
  status,
  reason,
  parent,
}: Pick<Execution, 'status' | 'reason' | 'parent'>): MarkedStatus {
  const isOverLimit = reason === 'timed-out' && parent?.untilMs !== undefined;
  if (status === 'succeeded') return status;
  if (status === 'cancelled') return isOverLimit ? 'failed' : status;
  return status === 'skipped' && reason === 'skipped-by-user' ? 'skipped' : 'failed';
}
