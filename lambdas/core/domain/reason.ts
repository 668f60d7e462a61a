import type { StopReason } from './workflow/run-state';

/** Why an execution was skipped, failed or cancelled. */
export type Reason =
  | 'misfire'
  | 'paused'
  | 'superseded'
  | 'attempts-exhausted'
  | 'max-age'
  | 'fatal'
  | 'crashed'
  | 'blocked-target'
  | 'bad-input'
  | 'bad-auth'
  | 'output-too-large'
  | 'items-failed'
  | 'stopped'
  | 'rejected'
  | 'nothing-planned'
  | 'upstream-failed'
  | 'skipped-by-user'
  | 'delivery-depth'
  | 'recursion'
  | 'ordering-key'
  | 'concurrency-key'
  | 'not-started'
  | 'live-runs'
  | 'lost-sight'
  | StopReason;
