import { itemExecId } from '../../contracts/execution-keys';

/*
 * Ids of tasks. An execution of a task has the id `<run>/<task>`, and from its second round on
 * `<run>/<task>~<round>`. That of an item of a fan-out ends with its index: `<run>/<task>.00317`.
 */

export const TASK_ID = /^[A-Za-z][A-Za-z0-9_-]{0,47}$/;

const EXECUTION_OF_TASK = /^([^/]+)\/([A-Za-z][A-Za-z0-9_-]{0,47})(?:~([2-9]|[1-9]\d{1,2}))?(?:\.(\d{5}))?$/;

/** What the id of a task's execution names. */
export interface TaskRef {
  /** execId of the run. */
  run: string;
  task: string;
  /** From 1. */
  round: number;
  /** Only of an item of a fan-out: its index, from 0. */
  item?: number;
}

/** Whether an execId is that of a task's execution, or of an item. */
export const isTaskExecution = (execId: string): boolean => execId.includes('/');

/** Whether an execId is that of an item of a fan-out. */
export const isItemExecution = (execId: string): boolean =>
  execId.includes('.', execId.indexOf('/') + 1 || execId.length);

export function taskExecId({ run, task, round, item }: TaskRef): string {
  const execId = round === 1 ? `${run}/${task}` : `${run}/${task}~${round}`;
  return item === undefined ? execId : itemExecId(execId, item);
}

/** Undefined if the execId is none of a task. */
export function taskRefOf(execId: string): TaskRef | undefined {
  const match = EXECUTION_OF_TASK.exec(execId);
  if (!match) return undefined;
  const [, run, task, round, item] = match;
  return {
    run: run!,
    task: task!,
    round: round === undefined ? 1 : Number(round),
    ...(item !== undefined && { item: Number(item) }),
  };
}

/** execId of the run that an execution of a task belongs to; any other execId is its own run. */
export const runOf = (execId: string): string => {
  const slash = execId.indexOf('/');
  return slash < 0 ? execId : execId.slice(0, slash);
};
