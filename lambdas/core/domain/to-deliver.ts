import type { Execution, Run } from './execution';
import type { Reason } from './reason';
import type { Job } from './job';
import type { TaskData } from './workflow/task-data';

/** How a claimed execution ends without a call. */
export interface EndWithoutCall {
  status: 'succeeded' | 'skipped' | 'cancelled';
  reason?: Reason;
}

/** It is delivered by this job; a task by the task as a job. `of` has the values that templates take. */
export interface CallOfTargets {
  to: 'deliver';
  job: Job;
  of: Execution;
  run?: Run;
  data?: TaskData;
}

/**
 * A claimed execution ends without a call. `keep-range` and `stop-run` are done before. A crash in between
 * must leave neither an occurrence without a record, nor a run that goes on without its job.
 */
export type EndedUncalled = { to: 'end'; end: EndWithoutCall } & (
  | { run?: Run; first?: 'keep-range' }
  | { run: Run; first: 'stop-run' }
);

/** A claimed task goes back to its run, which is paused. */
export interface Requeued {
  to: 'requeue';
  run: Run;
}

/** A claimed delayed run waits until its job is resumed. */
export interface Suspended {
  to: 'suspend';
}

/** What a claimed execution leads to. */
export type ToDeliver = CallOfTargets | EndedUncalled | Requeued | Suspended;

/** What became of a claimed execution that its run took over. `end`: it is to end, under its lease. */
export type TakenByRun = 'running' | 'retrying' | 'lease-lost' | { end: EndWithoutCall };
