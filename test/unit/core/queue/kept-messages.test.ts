import type { Lane } from '../../../../lambdas/core/contracts/pools';
import { routeToOverflow } from '../../../../lambdas/core/queue/overflow';
import { queuePipeline } from '../../../../lambdas/core/queue/pipeline';
import { aMessage } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryQueue } from '../../../support/memory-queue';

/** The queues of an executor whose users have two executions a second, and a sender that keeps all. */
function keeping() {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock);
  const state = { maintenance: false };
  const asked: Lane[] = [];
  const pipeline = queuePipeline(
    queue,
    'executor',
    { default: 2 },
    { clock, inMaintenance: async () => state.maintenance, shardCount: async () => 1 },
  );
  const keep = (lane: Lane): boolean => {
    asked.push(lane);
    return lane !== 'overflow';
  };
  return { pipeline, queue, state, asked, outgoing: { message: aMessage(), delaySec: 0, keep } };
}

test('a message that its sender keeps is not sent, and the others are', async () => {
  const { pipeline, queue, asked, outgoing } = keeping();
  const other = { message: aMessage({ jobKey: 'bob/other' }), delaySec: 0 };
  await pipeline.send([outgoing, other]);
  expect(asked).toEqual(['medium']);
  expect(queue.messages).toEqual([other.message]);
});

test('a kept message counts against the limit of its user', async () => {
  const { pipeline, queue, asked, outgoing } = keeping();
  for (let sent = 0; sent < 3; sent++) await pipeline.send([outgoing]);
  expect(asked).toEqual(['medium', 'medium', 'overflow']);
  expect((await queue.backlog('default', 'overflow')).visible).toBe(1);
});

test('in maintenance mode a sender is not asked', async () => {
  const { pipeline, queue, state, asked, outgoing } = keeping();
  state.maintenance = true;
  await pipeline.send([outgoing]);
  expect(asked).toEqual([]);
  expect(queue.messages).toEqual([]);
});

test('an executor of the overflow lane is asked for that lane', async () => {
  const { pipeline, asked, outgoing } = keeping();
  await routeToOverflow(pipeline).send([outgoing]);
  expect(asked).toEqual(['overflow']);
});
