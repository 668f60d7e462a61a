import type { RunOutcome } from '../contracts/events';
import type { EndedBy } from '../domain/ended';
import type { AttemptRecord, Execution, ExecutionResult, Run, SkipDetail } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { Job } from '../domain/job';
import type { TerminalStatus } from '../domain/transitions';
import type { Lease, LeaseOutcome } from '../store/execution-store';

/** How an execution ends. */
export interface End {
  status: TerminalStatus;
  reason?: Reason;
  result?: ExecutionResult;
  /** Only of a task whose output is kept, and of a run with an output: a JSON value, as text. */
  output?: string;
  /** Present if a ping ends it. */
  ping?: Execution['ping'];
  /** What the last attempt adds to the history. */
  records?: readonly AttemptRecord[];
  /** What the gate knows that ends it. */
  detail?: SkipDetail;
  /** Present if a user ends it. */
  userRequest?: Execution['userRequest'];
  /** Only of a run that a task has failed. */
  failedTask?: Execution['failedTask'];
  /** For the log of a failure. */
  error?: string;
  /** Only of a run: how its tasks ended. It is published. */
  workflow?: RunOutcome;
}

/**
 * What entitles the caller to end the execution as it was seen. `lease`: the claim; `write` repeats the write
 * for as long as the lease holds. `stale`: a heartbeat that has not moved. `waiting`: the attempt that it
 * waits for. `run`: the moves of a run as seen. `unclaimed`: it has no row yet, and gets this one.
 */
export type Precondition =
  | { kind: 'lease'; lease: Lease; write: (end: () => Promise<LeaseOutcome>) => Promise<LeaseOutcome> }
  | { kind: 'stale' }
  | { kind: 'waiting' }
  | { kind: 'run' }
  | { kind: 'unclaimed' };

export interface EndRequest {
  execution: Execution;
  end: End;
  precondition: Precondition;
  /** As read after the claim, or now; undefined: it is deleted. */
  job: Job | undefined;
  by: EndedBy;
  /** Only for a task: its run, as the caller has read it. */
  run?: Run | undefined;
  /**
   * What is known of the errand of an execution that has an open one. `ended`: it does not run any more.
   * `lost`: no probe says whether it runs. Absent: it may run, so the watcher ends the execution.
   */
  errand?: 'ended' | 'lost';
}
