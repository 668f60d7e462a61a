import type { ExecutionMessage } from '../contracts/messages';
import type { StageDeps } from '../deps';
import type { Admission, GateEnd } from '../domain/admission';
import type { FollowUp, FollowUpSource } from '../domain/follow-ups';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import type { ExecutionRef } from '../store/execution-store';

export const GO: Admission = { decision: 'go', toEnd: [] };
export const WAIT: Admission = { decision: 'wait', toEnd: [] };
export const SKIP: Admission = { decision: 'skip', toEnd: [] };

/** An execution that has ended, and its job if the caller has read it. */
export interface Released extends ExecutionRef, FollowUpSource, Pick<Execution, 'askedAtMs'> {
  job?: Job;
}

/**
 * What a limited number of executions may pass at a time. It is held from the admission until the execution
 * is terminal.
 */
export interface Gate {
  /** The follow-up that releases it. */
  readonly followUp: FollowUp;
  /** An execution keeps it while it waits at a later gate. What is not kept is taken when all are open. */
  readonly isKeptWaiting: boolean;
  /** Whether an execution has to pass it. */
  concerns(message: ExecutionMessage): boolean;
  /** What `admit` would answer now. Takes nothing, and is asked before an earlier gate gives something. */
  peek(message: ExecutionMessage, deps: StageDeps): Promise<Admission>;
  /** Before the claim. Repeating it does no harm. */
  admit(message: ExecutionMessage, deps: StageDeps): Promise<Admission>;
  /** For an execution that waits at an earlier gate: what this gate's policy demands already. */
  whileWaiting(message: ExecutionMessage, deps: StageDeps): Promise<readonly GateEnd[]>;
  /** Names what an ended execution held. Executions that held the same are released together. */
  resourceOf(ended: Released): string;
  /** After the end of executions that held the same. Wakes the next one. Repeating it does no harm. */
  release(ended: readonly [Released, ...Released[]], deps: StageDeps): Promise<void>;
}
