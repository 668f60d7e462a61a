import type { StageDeps } from '../core/deps';
import type { Lease } from '../core/store/execution-store';
import type { CallTarget } from '../core/delivery/call/call-target';
import type { ReportBy } from '../core/delivery/delivery';
import type { SigningSecrets } from '../core/delivery/signing/signing-secrets';
import type { CallMeter } from './call-meter';
import type { ExceedsLaneLimit } from './lane-limit';
import type { ResponseLogDeps } from './log-responses';

export interface ExecutorDeps extends StageDeps, ResponseLogDeps {
  /** Present if its messages are those of the overflow lane. */
  lane?: 'overflow';
  call: CallTarget;
  /** Measures how long calls hold the executor. */
  callMeter: Pick<CallMeter, 'begin' | 'saved'>;
  exceedsLaneLimit: ExceedsLaneLimit;
  /** The secrets that sign the project's deliveries to a host: several for a day after a rotation. */
  signingSecrets(userId: string, host: string): Promise<SigningSecrets>;
  /** The URL that a secret of the project is; undefined if there is no such secret. */
  secretUrl(userId: string, name: string): Promise<string | undefined>;
  /**
   * What lets a target report on the attempt that holds this lease; `target` where the job has several.
   * `secretNames`: what the target is sent, and its report must not repeat.
   */
  reportBy(lease: Lease, target?: number, secretNames?: readonly string[]): Promise<ReportBy>;
}
