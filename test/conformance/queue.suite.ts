import type { ExecutionMessage } from '../../lambdas/core/contracts/messages';
import type { Lane } from '../../lambdas/core/contracts/pools';
import { type ExecutionQueue, type Outgoing } from '../../lambdas/core/queue/execution-queue';
import { aMessage } from '../support/factories';

/** An ExecutionQueue for the suite, with pools `default` and `gpu`, and access to its receiving end. */
export interface QueueBackend {
  queue: ExecutionQueue;
  /** Receives up to ten messages, and leaves them in flight. */
  receive(pool: string, lane: Lane): Promise<ExecutionMessage[]>;
  /** Resolves once this much of the queue's own time has passed. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

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

    it('delivers each of many messages once, as it was sent, and counts them', async () => {
      const messages = outgoing(33, {
        priority: 'high',
        overlap: 'replace',
        orderingKey: 'é#1',
        takeovers: 2,
      });
      await backend.queue.send(messages);
      expect(await backend.queue.backlog('default', 'high')).toEqual({ visible: 33, inFlight: 0 });
      const byKey = (a: ExecutionMessage, b: ExecutionMessage) => (a.jobKey < b.jobKey ? -1 : 1);
      const received = (await drain('default', 'high')).sort(byKey);
      expect(received).toEqual(messages.map(({ message }) => message).sort(byKey));
      expect(await backend.queue.backlog('default', 'high')).toEqual({ visible: 0, inFlight: 33 });
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
      expect(await backend.queue.backlog('gpu', 'overflow')).toEqual({ visible: 1, inFlight: 0 });
      expect(await drain('gpu', 'lowest')).toEqual([]);
      expect(await drain('gpu', 'overflow')).toEqual([one!.message]);
    });

    it('delivers a delayed message not before its time, and does not count it as waiting', async () => {
      await backend.queue.send(outgoing(1, { priority: 'highest' }, 1));
      expect(await backend.receive('default', 'highest')).toEqual([]);
      expect(await backend.queue.backlog('default', 'highest')).toEqual({ visible: 0, inFlight: 0 });
      await backend.pass(1_050);
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
