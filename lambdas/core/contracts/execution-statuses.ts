/** Every status of an execution, from planned to ended. The client has the same list, and a test compares. */
export const EXECUTION_STATUSES = [
  'scheduled',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const;

/** Those of an execution that has ended. Only a user's retry leads out of them. */
export const TERMINAL_STATUSES = ['succeeded', 'failed', 'cancelled', 'skipped'] as const;

/** The states of a task, as its run shows them. */
export const TASK_STATUSES = [
  'waiting',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
  'excluded',
  'blocked',
  'stopped',
] as const;
