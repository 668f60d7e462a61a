import type { ExecutionMessage } from '../contracts/messages';
import { RetryableError } from '../errors';
import type { Lane, Priority } from '../contracts/pools';

/** How messages are sent: SQS's limit for one call, and the number of calls of one send at the same time. */
export const MESSAGES_A_BATCH = 10;
export const PARALLEL_BATCHES = 8;

export interface Outgoing {
  message: ExecutionMessage;
  /** Whole seconds, 0–900: the delay of the queue. */
  delaySec: number;
  /** @default `usualLaneOf` the message */
  lane?: Lane;
  /** Only of the first message of a task: how long its calls take at most. Its sender may then keep it. */
  callLimitMs?: number;
  /** Whether the sender keeps the message, which would go to this lane. It is asked instead of the send. */
  keep?: (lane: Lane) => boolean;
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
   * Sends in batches of ten, to the lane given or the message's usual one. Messages that a batch
   * reports as failed are sent again, alone. Throws `SendError` with those that are rejected again. Accepted
   * messages stay sent.
   */
  send(messages: readonly Outgoing[]): Promise<void>;
  /** Whether there is such a queue. A pool may be gone from the configuration while jobs still name it. */
  has(pool: string, priority: Priority): boolean;
  backlog(pool: string, lane: Lane): Promise<BacklogCounts>;
}

/** Some messages were not accepted. Sending them again is safe. */
export class SendError extends RetryableError {
  override readonly name = 'SendError';
  constructor(
    readonly rejected: readonly Outgoing[],
    options?: ErrorOptions,
  ) {
    super(`${rejected.length} messages were not accepted by their queue`, options);
  }
}
