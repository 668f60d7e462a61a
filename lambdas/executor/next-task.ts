import type { TimeBudget } from '../core/async/time-budget';
import { type Clock, SECOND_MS } from '../core/clock/clock';
import { type ExecutionMessage, isForWorkers, usualLaneOf } from '../core/contracts/messages';
import type { Lane } from '../core/contracts/pools';
import { runOf } from '../core/domain/workflow/task-id';
import { type ExecutionQueue, MESSAGES_A_BATCH, type Outgoing } from '../core/queue/execution-queue';
import { WRITE_MARGIN_MS } from './call-within';

/**
 * An invocation keeps messages for this long. Then its run goes on through the queue, where other messages
 * may wait. That costs a run at most a few percent of its time.
 */
const KEEPS_FOR_MS = 2 * SECOND_MS;

/** What an invocation has received, and how far it is. */
export class OpenBatch {
  private readonly receivedAtMs: number;
  private readonly open: Set<string>;
  /** A batch that is not full has left no message in its queue. */
  private readonly isFull: boolean;

  constructor(
    ids: readonly string[],
    private readonly limits: TimeBudget,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.open = new Set(ids);
    this.receivedAtMs = clock.monotonicMs();
    this.isFull = ids.length >= MESSAGES_A_BATCH;
  }

  done(id: string): void {
    this.open.delete(id);
  }

  /** Whether a call of this length may follow here, after the message with this id, without a queue. */
  hasRoomAfter(id: string, callLimitMs: number): boolean {
    const isLast = this.open.size === 1 && this.open.has(id);
    const isSoon = this.clock.monotonicMs() - this.receivedAtMs <= KEEPS_FOR_MS;
    const leftMs = this.limits.remainingMs() - WRITE_MARGIN_MS;
    return isLast && isSoon && !this.isFull && callLimitMs <= leftMs;
  }
}

/** A message with the id that its queue knows it by. A kept one has that of the message before it. */
export interface Received {
  id: string;
  message: ExecutionMessage;
}

/**
 * Keeps the next task of a run, in place of sending its message. It has to be the only one and belong to the
 * same lane, and nothing else of the batch may wait for it. It is claimed as any message is. If the
 * invocation dies first, it is lost as a message may be lost, and the recheck of the run sends it.
 */
export class NextTask {
  /** What is kept. */
  message: ExecutionMessage | undefined;

  constructor(
    private readonly after: Received,
    private readonly batch: OpenBatch,
    private readonly own: Lane = usualLaneOf(after.message),
  ) {}

  /** The queues of what executes the message before it. */
  over(queue: ExecutionQueue): ExecutionQueue {
    return {
      has: (pool, priority) => queue.has(pool, priority),
      backlog: (pool, lane) => queue.backlog(pool, lane),
      send: (messages) =>
        queue.send(messages.length === 1 ? messages.map((one) => this.asked(one)) : messages),
    };
  }

  private asked(outgoing: Outgoing): Outgoing {
    const { message, callLimitMs } = outgoing;
    if (callLimitMs === undefined || isForWorkers(message) || !this.follows(message)) return outgoing;
    return { ...outgoing, keep: (lane) => this.keep(message, lane, callLimitMs) };
  }

  private follows({ jobKey, execId, pool }: ExecutionMessage): boolean {
    const { message } = this.after;
    return jobKey === message.jobKey && runOf(execId) === runOf(message.execId) && pool === message.pool;
  }

  private keep(message: ExecutionMessage, lane: Lane, callLimitMs: number): boolean {
    if (this.message || !this.isOwn(message, lane)) return false;
    if (!this.batch.hasRoomAfter(this.after.id, callLimitMs)) return false;
    this.message = message;
    return true;
  }

  /** A task above the limit of its user is kept too: it lengthens no queue. What is sent next overflows. */
  private isOwn({ priority }: ExecutionMessage, lane: Lane): boolean {
    return lane === this.own || (lane === 'overflow' && priority === this.own);
  }
}
