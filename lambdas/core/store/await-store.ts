/** A task of a run that waits for executions of a job in a window. `toMs` does not belong to it. */
export interface AwaitingTask {
  /** The job of the run. */
  jobKey: string;
  /** The task, in its round. */
  execId: string;
  fromMs: number;
  toMs: number;
  expiresAtSec: number;
}

/**
 * Which tasks wait for a job, in Executions. The end of an execution of that job asks them. A row may be left
 * over: whether its task still waits is said by its run alone. TTL removes it.
 */
export interface AwaitStore {
  /** @param awaited the job that the task waits for, by its full id */
  put(awaited: string, task: AwaitingTask): Promise<void>;
  /** Whether the task has a row for this window. Consistent. */
  has(awaited: string, task: Pick<AwaitingTask, 'jobKey' | 'execId' | 'fromMs' | 'toMs'>): Promise<boolean>;
  /** The tasks whose windows end after an instant, by the ends of their windows. Consistent. */
  list(awaited: string, endsAfterMs: number): Promise<AwaitingTask[]>;
}
