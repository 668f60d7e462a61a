import type { ExecutionMessage } from '../contracts/messages';
import { RetryableError } from '../errors';
import type { Lane, Priority } from '../contracts/pools';

export interface Outgoing {
  message: ExecutionMessage;
  /** Whole seconds, 0–900: the queue's own timing wheel. */
  delaySec: number;
  /** @default that of the message's priority */
  lane?: Lane;
}

export interface BacklogCounts {
  /** Ready to be received. */
  visible: number;
  /** Received and not yet acknowledged. */
  inFlight: number;
}

/** The execution queues of all pools. */
export interface ExecutionQueue {
  /**
   * Sends in batches of ten, to the lane given, or the one of the message's priority. Entries that a batch reports as failed are sent
   * again, alone; throws `SendError` with the rest where some are still refused. What was accepted stays sent.
   */
  send(messages: readonly Outgoing[]): Promise<void>;
  /** Whether there is such a queue: a pool may be gone from the configuration while jobs still name it. */
  has(pool: string, priority: Priority): boolean;
  backlog(pool: string, lane: Lane): Promise<BacklogCounts>;
}

/** Some messages were not accepted; sending them again is safe. */
export class SendError extends RetryableError {
  override readonly name = 'SendError';
  constructor(
    readonly rejected: readonly Outgoing[],
    options?: ErrorOptions,
  ) {
    super(`${rejected.length} messages were not accepted by their queue`, options);
  }
}
