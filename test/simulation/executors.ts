import { DEFAULT_POOL, type Lane, PRIORITIES } from '../../lambdas/core/contracts/pools';
import type { Received as ReceivedMessage } from '../../lambdas/executor/next-task';
import type { FakeRandom } from '../support/fake-random';
import type { MemoryQueue, Received } from '../support/memory-queue';
import type { Faults } from './faults';

type Invoked = { how: 'done'; value: { failedIds: readonly string[] } } | { how: 'failed' | 'killed' };

/** The executors of the priorities' queues, of the overflow queue, and of long calls. */
export type ExecutorGroup = 'priorities' | 'overflow' | 'long';

export interface ExecutorWorld {
  queue: MemoryQueue;
  faults: Faults;
  random: FakeRandom;
  /** How many executors of each group may run at once. */
  most: number;
  invoke(batch: readonly ReceivedMessage[], group: ExecutorGroup): Promise<Invoked>;
}

/**
 * The event sources of the execution queues: they receive visible messages, and give each batch to an
 * executor.
 */
export class SimExecutors {
  /** Executors that run now. */
  private readonly running: Record<ExecutorGroup, number> = { priorities: 0, overflow: 0, long: 0 };

  /** Messages that an executor has acknowledged. One whose delete is lost comes again, with nothing to do. */
  readonly acknowledged = new Set<string>();

  constructor(private readonly world: ExecutorWorld) {}

  /** Gives all visible messages to executors. */
  receive(): void {
    if (this.world.faults.strikes('queue-stopped', { detail: '' })) return;
    for (const priority of PRIORITIES) this.receiveFrom(priority, 'priorities');
    this.receiveFrom('overflow', 'overflow');
    this.receiveFrom('long', 'long');
  }

  private receiveFrom(lane: Lane, group: ExecutorGroup): void {
    while (this.running[group] < this.world.most) {
      const batch = this.batchOf(lane);
      if (batch.length === 0) return;
      this.execute(batch, group);
    }
  }

  private batchOf(lane: Lane): Received[] {
    const { queue, random, faults } = this.world;
    const batch = queue.receive(DEFAULT_POOL, lane, random.between(1, 10));
    if (batch.length > 1 && faults.strikes('queue-reordered', { detail: `${batch.length}` })) batch.reverse();
    return batch;
  }

  private execute(batch: readonly Received[], group: ExecutorGroup): void {
    const { queue, faults, most } = this.world;
    this.running[group] += 1;
    const messages = batch.map(({ messageId, message }) => ({ id: messageId, message }));
    void this.world.invoke(messages, group).then((outcome) => {
      this.running[group] -= 1;
      if (this.running[group] === most - 1) this.receive();
      if (outcome.how !== 'done') return;
      for (const { messageId, receiptHandle } of batch) {
        if (outcome.value.failedIds.includes(messageId)) continue;
        this.acknowledged.add(messageId);
        if (faults.strikes('queue-delete-lost', { detail: messageId })) continue;
        queue.delete(receiptHandle);
      }
    });
  }
}
