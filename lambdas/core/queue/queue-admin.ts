/** How much is in a queue. All counts are SQS's, which are approximate. */
export interface QueueStatus {
  name: string;
  /** Messages that no function has received. Delayed ones do not count. */
  waiting: number;
  /** Received and not yet acknowledged. */
  inFlight: number;
  /** Messages of its dead-letter queue. */
  dead: number;
}

/** The queues as an operator sees them: by name, those of executions and those of requests. */
export interface QueueAdmin {
  names: readonly string[];
  status(): Promise<QueueStatus[]>;
  /**
   * Seconds since the oldest message was sent that is not deleted yet, as known up to two minutes ago. Queues
   * of which none is known are missing.
   */
  oldestSec(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /**
   * Moves at most `max` dead letters back to their queue, and returns how many it moved. It stops after 20 s.
   * Throws if the queue takes none of them.
   */
  redrive(name: string, max: number): Promise<number>;
}
