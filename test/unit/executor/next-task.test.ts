import type { ExecutionMessage } from '../../../lambdas/core/contracts/messages';
import { askSender } from '../../../lambdas/core/queue/pipeline';
import { NextTask, OpenBatch } from '../../../lambdas/executor/next-task';
import { aMessage } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { MemoryQueue } from '../../support/memory-queue';

const RUN = '20261201T010000.000Z';
const task = (id: string, overrides: Partial<ExecutionMessage> = {}) =>
  aMessage({ execId: `${RUN}/${id}`, trigger: 'task', ...overrides });
const CALL_MS = 30_000;

function received({ ids = ['m1'], remainingMs = 60_000 } = {}) {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock, { pools: ['default', 'gpu'] });
  const batch = new OpenBatch(ids, { remainingMs: () => remainingMs }, clock);
  const after = (message: ExecutionMessage = task('a'), lane?: 'overflow') => {
    const next = new NextTask({ id: 'm1', message }, batch, lane);
    const over = next.over(askSender(queue));
    /** The next task that is kept when these messages are sent together. */
    const keptOf = async (
      messages: readonly ExecutionMessage[],
      callLimitMs: number | undefined = CALL_MS,
    ) => {
      await over.send(messages.map((one) => ({ message: one, delaySec: 0, callLimitMs })));
      return next.message;
    };
    return { keptOf, over, next };
  };
  return { clock, queue, batch, after };
}

test('the only next task of the run is kept', async () => {
  const { queue, after } = received();
  expect(await after().keptOf([task('b')])).toEqual(task('b'));
  expect(queue.messages).toEqual([]);
});

test('the first task of a run that has just started is kept', async () => {
  const { after } = received();
  expect(await after(aMessage({ execId: RUN, trigger: 'manual' })).keptOf([task('b')])).toEqual(task('b'));
});

test('one task is kept; another one is sent', async () => {
  const { queue, after } = received();
  const { keptOf } = after();
  await keptOf([task('b')]);
  expect(await keptOf([task('c')])).toEqual(task('b'));
  expect(queue.messages).toEqual([task('c')]);
});

test.each<[string, readonly ExecutionMessage[]]>([
  ['two next tasks', [task('b'), task('c')]],
  ['a task of another run', [task('b', { execId: '20261202T010000.000Z/b' })]],
  ['a task of another job', [task('b', { jobKey: 'alice/other' })]],
  ['another priority', [task('b', { priority: 'high' })]],
  ['another pool', [task('b', { pool: 'gpu' })]],
  ['a task for workers', [task('b', { workQueue: 'gpu', startWithinMs: 1_000 })]],
])('goes through its queue: %s', async (_, messages) => {
  const { queue, after } = received();
  expect(await after().keptOf(messages)).toBeUndefined();
  expect(queue.messages).toEqual(messages);
});

test('what is no first message of a task goes through its queue', async () => {
  const { queue, after } = received();
  const { over, next } = after();
  await over.send([{ message: task('a', { attempt: 2 }), delaySec: 0 }]);
  expect(next.message).toBeUndefined();
  expect(queue.messages).toHaveLength(1);
});

test('a task whose call may take longer than the invocation has left goes through its queue', async () => {
  const { after } = received({ remainingMs: CALL_MS + 10_000 });
  expect(await after().keptOf([task('b')], CALL_MS + 1)).toBeUndefined();
  expect(await after().keptOf([task('b')], CALL_MS)).toEqual(task('b'));
});

test('what another message of the batch would wait for goes through its queue', async () => {
  const { batch, after } = received({ ids: ['m1', 'm2'] });
  expect(await after().keptOf([task('b')])).toBeUndefined();
  batch.done('m2');
  expect(await after().keptOf([task('b')])).toEqual(task('b'));
});

test('after a full batch, every task goes through its queue: more messages may wait there', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `m${index + 1}`);
  const { batch, after } = received({ ids });
  for (const id of ids.slice(1)) batch.done(id);
  expect(await after().keptOf([task('b')])).toBeUndefined();
});

test('from two seconds after the batch has arrived, every task goes through its queue', async () => {
  const { clock, after } = received();
  await clock.advance(2_000);
  expect(await after().keptOf([task('b')])).toEqual(task('b'));
  await clock.advance(1);
  expect(await after().keptOf([task('b')])).toBeUndefined();
});

test('executors of the overflow lane keep what would go to that lane', async () => {
  const { queue, after } = received();
  const { over, next } = after(task('a'), 'overflow');
  await over.send([{ message: task('b'), delaySec: 0, callLimitMs: CALL_MS, lane: 'overflow' }]);
  expect(next.message).toEqual(task('b'));
  expect(queue.messages).toEqual([]);
});

test('a task above the limit of its user is kept: it lengthens no queue', async () => {
  const { queue, after } = received();
  const { over, next } = after();
  await over.send([{ message: task('b'), delaySec: 0, callLimitMs: CALL_MS, lane: 'overflow' }]);
  expect(next.message).toEqual(task('b'));
  expect(queue.messages).toEqual([]);
});

test('a task of another priority that overflows goes through that queue', async () => {
  const { after } = received();
  const { over, next } = after();
  const message = task('b', { priority: 'low' });
  await over.send([{ message, delaySec: 0, callLimitMs: CALL_MS, lane: 'overflow' }]);
  expect(next.message).toBeUndefined();
});

test('a long call that overflows goes through that queue: its lane is another one', async () => {
  const { after } = received();
  const { over, next } = after();
  const message = task('b', { longCall: true });
  await over.send([{ message, delaySec: 0, callLimitMs: CALL_MS, lane: 'overflow' }]);
  expect(next.message).toBeUndefined();
});
