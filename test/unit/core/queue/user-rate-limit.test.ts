import { jobKeyOf } from '../../../../lambdas/core/contracts/tables';
import {
  limitPerUser,
  routeToOverflow,
  type LimitScope,
} from '../../../../lambdas/core/queue/user-rate-limit';
import { shardOf } from '../../../../lambdas/core/domain/shard';
import { aMessage, T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryQueue } from '../../../support/memory-queue';

const SHARDS = 2;

function fair(limitScope: LimitScope, sharePerSec: number) {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock, { pools: ['default', 'gpu'] });
  const shared = limitPerUser(
    queue,
    { default: sharePerSec },
    { limitScope, clock, shards: async () => SHARDS },
  );
  const send = (userId: string, count: number, overrides: Parameters<typeof aMessage>[0] = {}) =>
    shared.send(
      Array.from({ length: count }, (_, index) => ({
        message: aMessage({ jobKey: jobKeyOf({ userId, jobId: `job-${index}` }), ...overrides }),
        delaySec: 0,
      })),
    );
  const visible = async () => ({
    own: (await queue.backlog('default', 'medium')).visible,
    overflow: (await queue.backlog('default', 'overflow')).visible,
  });
  return { clock, shared, queue, send, visible };
}

const onShard = (userId: string, count: number, shard: number) =>
  Array.from({ length: count }, (_, index) => jobKeyOf({ userId, jobId: `job-${index}` })).filter(
    (jobKey) => shardOf(jobKey, SHARDS) === shard,
  ).length;

test("each shard has its part of a user's share of a second, and the rest overflows", async () => {
  const { send, visible } = fair('per-shard', 20);
  expect(Math.min(onShard('alice', 100, 0), onShard('alice', 100, 1))).toBeGreaterThan(10);
  await send('alice', 60);
  await send('alice', 40);
  expect(await visible()).toEqual({ own: 20, overflow: 80 });
  await send('bob', 5);
  expect(await visible()).toEqual({ own: 25, overflow: 80 });
  await send('alice', 100, { startAtMs: T0_MS + 1_000 });
  expect(await visible()).toEqual({ own: 45, overflow: 160 });
});

test('one of many senders lets no more of a user through than a shard does', async () => {
  const { send, visible } = fair('per-process', 20);
  await send('alice', 100);
  expect(await visible()).toEqual({ own: 10, overflow: 90 });
});

test('a share smaller than the number of shards is one for each', async () => {
  const { send, visible } = fair('per-shard', 1);
  await send('alice', 100);
  expect(await visible()).toEqual({ own: SHARDS, overflow: 98 });
});

test('what is late counts for the second in which it is sent, and that second passes', async () => {
  const { clock, send, visible } = fair('per-process', 20);
  await clock.advance(5_000);
  await send('alice', 100, { startAtMs: T0_MS - 60_000 });
  await send('alice', 100, { startAtMs: T0_MS });
  expect(await visible()).toEqual({ own: 10, overflow: 190 });
  await clock.advance(1_000);
  await send('alice', 100, { startAtMs: T0_MS });
  expect(await visible()).toEqual({ own: 20, overflow: 280 });
});

test('a message that overflows keeps its priority, and a pool without a share has no bound', async () => {
  const { queue, send, shared } = fair('per-process', 1);
  await send('alice', 20, { priority: 'lowest' });
  expect(queue.receive('default', 'overflow')[0]!.message).toMatchObject({ priority: 'lowest' });
  await send('alice', 20, { pool: 'gpu' });
  expect((await queue.backlog('gpu', 'overflow')).visible).toBe(0);
  await expect(shared.send([{ message: aMessage({ pool: 'nope' }), delaySec: 0 }])).rejects.toThrow('"nope"');
});

test('what is sent by one that works on the overflow stays there, and takes nothing of the share', async () => {
  const { shared, send, visible } = fair('per-process', 20);
  await routeToOverflow(shared).send([{ message: aMessage(), delaySec: 0 }]);
  expect(await visible()).toEqual({ own: 0, overflow: 1 });
  await send('alice', 10);
  expect(await visible()).toEqual({ own: 10, overflow: 1 });
});
