import type { StageDeps } from '../core/deps';
import type { Lease } from '../core/store/execution-store';
import type { KeptLease } from '../core/attempts/keep-lease';
import type { SettledStatus } from '../core/attempts/settle';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import type { CallTarget } from '../core/delivery/call/call-target';
import type { ErrandStarts } from '../core/delivery/errands/errand-calls';
import type { AttemptTokenPayload } from '../core/delivery/attempt-token';
import type { ReportBy } from '../core/delivery/delivery';
import type { SigningSecrets } from '../core/delivery/signing/signing-secrets';
import type { TraceHeaders } from '../core/delivery/trace-ids';
import type { CallMeter } from './call-meter';
import type { ExceedsLaneLimit } from './lane-limit';
import type { ResponseLogDeps } from './log-responses';

export interface ExecutorDeps extends StageDeps, ResponseLogDeps {
  /** Present if its messages are those of the overflow lane. */
  lane?: 'overflow';
  call: CallTarget;
  /**
   * Begins to connect to a target of a project. Returns what closes the connection, unless a call has taken
   * it. Absent: each call connects by itself.
   */
  connectEarly?(userId: string, origin: string): () => void;
  /** How errands are started. */
  errandStarts: ErrandStarts;
  /** Starts the errand of a claimed execution. Undefined: it has none, and its job asks for none. */
  startErrand(
    starting: { execution: Execution; handle: KeptLease; job: Job },
    deps: ExecutorDeps,
  ): Promise<SettledStatus | undefined>;
  /** Measures how long calls hold the executor. */
  callMeter: Pick<CallMeter, 'begin' | 'saved'>;
  exceedsLaneLimit: ExceedsLaneLimit;
  /** The secrets that sign the project's deliveries to a host: several for a day after a rotation. */
  signingSecrets(userId: string, host: string): Promise<SigningSecrets>;
  /**
   * The trace context of the call of one target. `of`: whose trace it is, the execution or, of a task, its
   * run.
   */
  traceHeaders(
    execution: Execution,
    of: Pick<Execution, 'jobKey' | 'execId' | 'trace'>,
    target: number,
  ): Promise<TraceHeaders>;
  /** The URL that a secret of the project is; undefined if there is no such secret. */
  secretUrl(userId: string, name: string): Promise<string | undefined>;
  /**
   * What lets a target report on the attempt that holds this lease, or only observe it. `target` where the
   * job has several. `secretNames`: what the target is sent, and its report must not repeat.
   */
  reportBy(lease: Lease, by?: Omit<AttemptTokenPayload, 'lease'>): Promise<ReportBy>;
}
