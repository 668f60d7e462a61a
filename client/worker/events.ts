import type { Work } from '../types';
import type { StopReason } from './lease-rules';

/** How the worker has left an execution. */
export type WorkOutcome =
  | 'succeeded'
  | 'failed'
  | 'released'
  /** The lease was lost: another worker takes over. */
  | 'lost'
  /** The outcome could not be reported while the lease lasted: another worker takes over. */
  | 'unreported';

/** What a worker tells while it runs. */
export type WorkerEvent =
  | { type: 'started'; work: Work }
  | {
      type: 'ended';
      work: Work;
      outcome: WorkOutcome;
      /** Only of a failure: whether another attempt may follow. */
      retriable?: boolean;
      error?: string;
      /** Why the handler was asked to stop, if it was. */
      stopped?: StopReason;
      durationMs: number;
      /** Lines that were written faster than they could be sent. */
      droppedLogLines: number;
    }
  /** The worker tries again after the pause. */
  | { type: 'claim-failed'; error: unknown; retryInMs: number }
  /** The rest of the log of this attempt is not kept. */
  | { type: 'log-failed'; work: Work; error: unknown };
