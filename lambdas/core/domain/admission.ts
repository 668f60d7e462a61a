import type { Execution } from './execution';

/** An end that a gate asks for. The gate writes none itself: `core/ending` does. */
export interface GateEnd extends Pick<Execution, 'jobKey' | 'execId'> {
  dueAtMs: number;
  status: 'skipped' | 'cancelled';
  reason: 'overlap';
  /** The execution of the job for which this one ends. */
  heldBy: string;
  /** It ends although it runs: its cancellation is requested then. */
  evenIfRunning?: true;
}

/**
 * `go`: the gate is open for this execution. `wait`: it is not; the end of the one ahead wakes it. `skip`:
 * nothing is left to run. `toEnd`: executions that end because of this answer.
 */
export interface Admission {
  decision: 'go' | 'wait' | 'skip';
  toEnd: readonly GateEnd[];
  /** With `go`: what else follows. It is done while the claim is written. */
  meanwhile?: () => Promise<void>;
}
