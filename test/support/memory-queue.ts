import type { Clock } from '../../lambdas/core/clock/clock';
import { MAX_DELAY_SEC } from '../../lambdas/core/contracts/horizon';
import { ExecutionMessage, usualLaneOf } from '../../lambdas/core/contracts/messages';
import type { Lane } from '../../lambdas/core/contracts/pools';
import {
  type BacklogCounts,
  type ExecutionQueue,
  SendError,
  type Outgoing,
} from '../../lambdas/core/queue/execution-queue';

export interface MemoryQueueOptions {
  /** Pools that exist; messages to another one throw. */
  pools?: readonly string[];
  visibilitySec?: number;
  /** Receives before a message goes to the dead letters. */
  maxReceiveCount?: number;
  /** Reads a message that is sent. Default: as an executor does, which rejects what it does not know. */
  parse?: (message: unknown) => ExecutionMessage;
  /** Called with each message before it is accepted: throws where it shall not be (the others are). */
  beforeAccept?: (outgoing: Outgoing) => void | Promise<void>;
}

export interface Received {
  messageId: string;
  /** Good until the message is received again. */
  receiptHandle: string;
  message: ExecutionMessage;
  /** 1 at the first receive. */
  receiveCount: number;
}

interface Stored {
  messageId: string;
  body: string;
  visibleAtMs: number;
  receiveCount: number;
}

/**
 * The execution queues on virtual time: delays, visibility, receive counts, dead letters. Messages of one
 * instant come in the order of their sends. Messages are delivered by `receive` alone.
 */
export class MemoryQueue implements ExecutionQueue {
  private readonly queues = new Map<string, Stored[]>();
  private readonly dead: Stored[] = [];
  private readonly options: Required<MemoryQueueOptions>;
  private lastId = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    options: MemoryQueueOptions = {},
  ) {
    this.options = {
      pools: ['default'],
      visibilitySec: 60,
      maxReceiveCount: 5,
      beforeAccept: () => undefined,
      parse: (message) => ExecutionMessage.parse(message),
      ...options,
    };
  }

  async send(messages: readonly Outgoing[]): Promise<void> {
    const rejected: Outgoing[] = [];
    let cause: unknown;
    for (const outgoing of messages) {
      const { message, delaySec, lane = usualLaneOf(message) } = outgoing;
      if (!Number.isInteger(delaySec) || delaySec < 0 || delaySec > MAX_DELAY_SEC) {
        throw new Error(`delaySec is ${delaySec}, must be a whole number from 0 to ${MAX_DELAY_SEC}`);
      }
      const queue = this.queueOf(message.pool, lane);
      const body = JSON.stringify(this.options.parse(message));
      try {
        await this.options.beforeAccept(outgoing);
      } catch (error) {
        cause = error;
        rejected.push(outgoing);
        continue;
      }
      const visibleAtMs = this.clock.monotonicMs() + delaySec * 1_000;
      queue.push({ messageId: `m${++this.lastId}`, body, visibleAtMs, receiveCount: 0 });
    }
    if (rejected.length > 0) throw new SendError(rejected, { cause });
  }

  has(pool: string): boolean {
    return this.options.pools.includes(pool);
  }

  async backlog(pool: string, lane: Lane): Promise<BacklogCounts> {
    const nowMs = this.clock.monotonicMs();
    const queue = this.queueOf(pool, lane);
    const hidden = queue.filter((stored) => stored.visibleAtMs > nowMs);
    return {
      visible: queue.length - hidden.length,
      inFlight: hidden.filter((stored) => stored.receiveCount > 0).length,
    };
  }

  /** Takes up to `max` messages that are visible now; each stays hidden for the visibility time. */
  receive(pool: string, lane: Lane, max = 10): Received[] {
    const nowMs = this.clock.monotonicMs();
    const queue = this.queueOf(pool, lane);
    const received: Received[] = [];
    for (const stored of [...queue]) {
      if (received.length === max) break;
      if (stored.visibleAtMs > nowMs) continue;
      if (stored.receiveCount >= this.options.maxReceiveCount) {
        queue.splice(queue.indexOf(stored), 1);
        this.dead.push(stored);
        continue;
      }
      stored.receiveCount += 1;
      stored.visibleAtMs = nowMs + this.options.visibilitySec * 1_000;
      received.push({
        messageId: stored.messageId,
        receiptHandle: receiptOf(stored),
        message: parse(stored),
        receiveCount: stored.receiveCount,
      });
    }
    return received;
  }

  /** Acknowledges; a handle that a later receive replaced does nothing. */
  delete(receiptHandle: string): void {
    for (const queue of this.queues.values()) {
      const at = indexOfReceipt(queue, receiptHandle);
      if (at >= 0) queue.splice(at, 1);
    }
  }

  /** Makes a received message visible again after `visibilitySec`; 0 is at once. */
  changeVisibility(receiptHandle: string, visibilitySec: number): void {
    for (const queue of this.queues.values()) {
      const at = indexOfReceipt(queue, receiptHandle);
      if (at >= 0) queue[at]!.visibleAtMs = this.clock.monotonicMs() + visibilitySec * 1_000;
    }
  }

  /** Sends all dead letters again, to the queues of their priorities. Returns how many. */
  async redrive(): Promise<number> {
    const messages = this.dead.splice(0).map(parse);
    await this.send(messages.map((message) => ({ message, delaySec: 0 })));
    return messages.length;
  }

  /** Loses all that is stored, as a purge does. */
  purge(): void {
    this.queues.clear();
  }

  get deadLetters(): ExecutionMessage[] {
    return this.dead.map(parse);
  }

  get deadLetterIds(): string[] {
    return this.dead.map(({ messageId }) => messageId);
  }

  /** Every message not yet acknowledged, hidden ones included, in the order sent. */
  get messages(): ExecutionMessage[] {
    return [...this.queues.values()].flat().map(parse);
  }

  /** When the next message turns up, on the monotonic clock; undefined where none is stored. */
  nextVisibleAtMs(): number | undefined {
    let firstMs = Infinity;
    for (const queue of this.queues.values())
      for (const { visibleAtMs } of queue) if (visibleAtMs < firstMs) firstMs = visibleAtMs;
    return firstMs === Infinity ? undefined : firstMs;
  }

  private queueOf(pool: string, lane: Lane): Stored[] {
    if (!this.options.pools.includes(pool)) throw new Error(`no queue for pool ${JSON.stringify(pool)}`);
    const key = `${pool}/${lane}`;
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = []));
    return queue;
  }
}

const parse = (stored: Stored): ExecutionMessage => JSON.parse(stored.body) as ExecutionMessage;

const receiptOf = (stored: Stored): string => `${stored.messageId}:${stored.receiveCount}`;

function indexOfReceipt(queue: readonly Stored[], receiptHandle: string): number {
  const [id] = receiptHandle.split(':');
  return queue.findIndex((stored) => stored.messageId === id && receiptOf(stored) === receiptHandle);
}
