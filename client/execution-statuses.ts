import type { ExecutionStatus } from './types';

/** Every status of an execution, from planned to ended. */
export const EXECUTION_STATUSES = [
  'scheduled',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies readonly ExecutionStatus[];

/** Those of an execution that has ended. Only a user's retry leads out of them. */
export const TERMINAL_STATUSES = [
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies readonly ExecutionStatus[];
