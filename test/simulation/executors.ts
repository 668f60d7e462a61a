import { type Lane, PRIORITIES } from '../../lambdas/core/contracts/pools';
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
  /** Each has queues and executors of its own. */
  pools: readonly string[];
  /** How many executors of each group may run at once, in each pool. */
  most: number;
  invoke(batch: readonly ReceivedMessage[], group: ExecutorGroup): Promise<Invoked>;
}

/**
 * The event sources of the execution queues: they receive visible messages, and give each batch to an
 * executor.
 */
export class SimExecutors {
  /** Executors that run now, by pool and group. */
  private readonly running = new Map<string, number>();

  /** Messages that an executor has acknowledged. One whose delete is lost comes again, with nothing to do. */
  readonly acknowledged = new Set<string>();

  constructor(private readonly world: ExecutorWorld) {}

  /** Gives all visible messages to executors. */
  receive(): void {
    if (this.world.faults.strikes('queue-stopped', { detail: '' })) return;
    for (const pool of this.world.pools) {
      for (const priority of PRIORITIES) this.receiveFrom(pool, priority, 'priorities');
      this.receiveFrom(pool, 'overflow', 'overflow');
      this.receiveFrom(pool, 'long', 'long');
    }
  }

  private receiveFrom(pool: string, lane: Lane, group: ExecutorGroup): void {
    while (this.runningIn(pool, group) < this.world.most) {
      const batch = this.batchOf(pool, lane);
      if (batch.length === 0) return;
      this.execute(batch, pool, group);
    }
  }

  private runningIn(pool: string, group: ExecutorGroup, change = 0): number {
    const key = `${pool} ${group}`;
    const running = (this.running.get(key) ?? 0) + change;
    this.running.set(key, running);
    return running;
  }

  private batchOf(pool: string, lane: Lane): Received[] {
    const { queue, random, faults } = this.world;
    const batch = queue.receive(pool, lane, random.between(1, 10));
    if (batch.length > 1 && faults.strikes('queue-reordered', { detail: `${batch.length}` })) batch.reverse();
    return batch;
  }

  private execute(batch: readonly Received[], pool: string, group: ExecutorGroup): void {
    const { queue, faults, most } = this.world;
    this.runningIn(pool, group, 1);
    const messages = batch.map(({ messageId, message }) => ({ id: messageId, message }));
    void this.world.invoke(messages, group).then((outcome) => {
      if (this.runningIn(pool, group, -1) === most - 1) this.receive();
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
