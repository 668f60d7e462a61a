import { itemExecId } from '../../../contracts/execution-keys';
import type { StageDeps } from '../../../deps';
import { expiresAtSecAfter } from '../../../domain/timing';
import type { ForEach } from '../../../domain/workflow/definition';
import type { RunTask } from '../../../domain/workflow/run-task';
import type { ExecutionRef } from '../../../store/execution-store';
import { taskRefIn } from '../unstarted-task';

/** A task with `forEach`, in a run. */
export type FanOutTask = RunTask;

/** The execution of the task in its present round. It names the fan-out. */
export const fanOutRef = ({ run, graph, index }: FanOutTask): ExecutionRef => taskRefIn(run, graph, index);

export const itemRef = (task: FanOutTask, item: number): ExecutionRef => {
  const { jobKey, execId } = fanOutRef(task);
  return { jobKey, execId: itemExecId(execId, item) };
};

export const forEachOf = ({ graph, index }: FanOutTask): ForEach => graph.tasks[index]!.task.forEach!;

/** Seconds: the rows of a fan-out are kept as long as those of the other tasks of its run. */
export const fanOutExpiry = (
  { run }: FanOutTask,
  { clock, retentionDays }: Pick<StageDeps, 'clock' | 'retentionDays'>,
): number => expiresAtSecAfter(Math.max(clock.nowMs(), run.run.endsAtMs), retentionDays);
