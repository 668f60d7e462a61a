import type { StageDeps } from '../core/deps';
import type { TargetResult } from '../core/domain/target-result';
import type { Target } from '../core/domain/target';
import type { Lease } from '../core/store/execution-store';
import type { Delivery, ReportBy } from './delivery';

/** Calls a target once. Settles soon after `signal` aborts; never throws for what the target does. */
export type CallTarget = (target: Target, delivery: Delivery, signal: AbortSignal) => Promise<TargetResult>;

export interface ExecutorDeps extends StageDeps {
  call: CallTarget;
  /**
   * The secrets (`whsec_…`) that the user's deliveries are signed with: several for a day after a rotation.
   */
  signingSecrets(userId: string): Promise<readonly string[]>;
  /** What lets a target report on the attempt that holds this lease; `target` where the job has several. */
  reportBy(lease: Lease, target?: number): Promise<ReportBy>;
}
