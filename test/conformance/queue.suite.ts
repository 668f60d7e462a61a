import type { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import type { Lane } from '../../lambdas/core/contracts/pools';
import type { BacklogCounts, ExecutionQueue, Outgoing } from '../../lambdas/core/queue/execution-queue';
import { aMessage } from '../support/factories';

/** An ExecutionQueue for the suite, with pools `default` and `gpu`, and access to its receiving end. */
export interface QueueBackend {
  queue: ExecutionQueue;
  /** Receives up to ten messages, and leaves them in flight. */
  receive(pool: string, lane: Lane): Promise<ExecutionMessage[]>;
  /** Resolves once this much of the queue's own time has passed. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
  /** How long its counts may take to be right. @default they are right at once */
  countsWithinMs?: number;
  /** A delay that a receive does not wait for. @default 1 */
  delaySec?: number;
}

const COUNT_AGAIN_MS = 1_000;

/** What every ExecutionQueue must do, and must not. Each test has its own queue: a priority of a pool. */
export function describeQueue(name: string, open: () => Promise<QueueBackend>): void {
  describe(`execution queue on ${name}`, () => {
    let backend: QueueBackend;

    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend?.close());

    const outgoing = (count: number, overrides: Partial<ExecutionMessage>, delaySec = 0): Outgoing[] =>
      Array.from({ length: count }, (_, index) => ({
        message: aMessage({ jobKey: `alice/job-${index}`, ...overrides }),
        delaySec,
      }));

    async function drain(pool: string, lane: Lane): Promise<ExecutionMessage[]> {
      const all: ExecutionMessage[] = [];
      for (;;) {
        const some = await backend.receive(pool, lane);
        if (some.length === 0) return all;
        all.push(...some);
      }
    }

    /** What the queue counts, once it is as expected or its patience is at its end. */
    async function backlog(pool: string, lane: Lane, expected: BacklogCounts): Promise<BacklogCounts> {
      const isExpected = (found: BacklogCounts) =>
        found.visible === expected.visible && found.inFlight === expected.inFlight;
      for (let leftMs = backend.countsWithinMs ?? 0; ; leftMs -= COUNT_AGAIN_MS) {
        const found = await backend.queue.backlog(pool, lane);
        if (isExpected(found) || leftMs <= 0) return found;
        await backend.pass(COUNT_AGAIN_MS);
      }
    }

    async function expectBacklog(pool: string, lane: Lane, expected: BacklogCounts): Promise<void> {
      expect(await backlog(pool, lane, expected)).toEqual(expected);
    }

    it('delivers each of many messages once, as it was sent, and counts them', async () => {
      const messages = outgoing(33, {
        priority: 'high',
        overlap: 'replace',
        orderingKey: 'é#1',
        takeovers: 2,
      });
      await backend.queue.send(messages);
      await expectBacklog('default', 'high', { visible: 33, inFlight: 0 });
      const byKey = (a: ExecutionMessage, b: ExecutionMessage) => (a.jobKey < b.jobKey ? -1 : 1);
      const received = (await drain('default', 'high')).sort(byKey);
      expect(received).toEqual(messages.map(({ message }) => message).sort(byKey));
      await expectBacklog('default', 'high', { visible: 0, inFlight: 33 });
    });

    it('keeps pools and priorities apart', async () => {
      await backend.queue.send([
        ...outgoing(1, { priority: 'low' }),
        ...outgoing(2, { priority: 'low', pool: 'gpu' }),
        ...outgoing(3, { priority: 'lowest' }),
      ]);
      expect(await drain('default', 'low')).toHaveLength(1);
      expect(await drain('gpu', 'low')).toHaveLength(2);
      expect(await drain('default', 'lowest')).toHaveLength(3);
    });

    it('delivers what overflows by the overflow alone, whatever its priority', async () => {
      const [one] = outgoing(1, { priority: 'lowest', pool: 'gpu' });
      await backend.queue.send([{ ...one!, lane: 'overflow' }]);
      await expectBacklog('gpu', 'overflow', { visible: 1, inFlight: 0 });
      expect(await drain('gpu', 'lowest')).toEqual([]);
      expect(await drain('gpu', 'overflow')).toEqual([one!.message]);
    });

    it('delivers a delayed message not before its time, and does not count it as waiting', async () => {
      const { delaySec = 1 } = backend;
      await backend.queue.send(outgoing(1, { priority: 'highest' }, delaySec));
      expect(await backend.receive('default', 'highest')).toEqual([]);
      await expectBacklog('default', 'highest', { visible: 0, inFlight: 0 });
      await backend.pass(delaySec * 1_000 + 50);
      expect(await backend.receive('default', 'highest')).toHaveLength(1);
    });

    it('refuses a delay that the queue cannot keep, and a pool that it does not have', async () => {
      await expect(backend.queue.send(outgoing(1, {}, 901))).rejects.toThrow('delaySec is 901');
      await expect(backend.queue.send(outgoing(1, { pool: 'nope' }))).rejects.toThrow('"nope"');
      await expect(backend.queue.backlog('nope', 'low')).rejects.toThrow('"nope"');
      expect(await drain('default', 'medium')).toEqual([]);
    });
  });
}
