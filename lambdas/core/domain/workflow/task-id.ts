/*
 * Ids of tasks. An execution of a task has the id `<run>/<task>`, and from its second round on
 * `<run>/<task>~<round>`.
 */

export const TASK_ID = /^[A-Za-z][A-Za-z0-9_-]{0,47}$/;

const EXECUTION_OF_TASK = /^([^/]+)\/([A-Za-z][A-Za-z0-9_-]{0,47})(?:~([2-9]|[1-9]\d{1,2}))?$/;

/** What the id of a task's execution names. */
export interface TaskRef {
  /** execId of the run. */
  run: string;
  task: string;
  /** From 1. */
  round: number;
}

/** Whether an execId is that of a task's execution. */
export const isTaskExecution = (execId: string): boolean => execId.includes('/');

export const taskExecId = ({ run, task, round }: TaskRef): string =>
  round === 1 ? `${run}/${task}` : `${run}/${task}~${round}`;

/** Undefined if the execId is none of a task. */
export function taskRefOf(execId: string): TaskRef | undefined {
  const match = EXECUTION_OF_TASK.exec(execId);
  if (!match) return undefined;
  return { run: match[1]!, task: match[2]!, round: match[3] === undefined ? 1 : Number(match[3]) };
}

/** execId of the run that an execution of a task belongs to; any other execId is its own run. */
export const runOf = (execId: string): string => {
  const slash = execId.indexOf('/');
  return slash < 0 ? execId : execId.slice(0, slash);
};
