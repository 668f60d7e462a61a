import { jobKeyOf } from '../../../../lambdas/core/contracts/tables';
import { shardOf } from '../../../../lambdas/core/domain/shard';
import { limitPerUser, type LimitScope } from '../../../../lambdas/core/queue/user-rate-limit';
import { aMessage, T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { MemoryQueue } from '../../../support/memory-queue';

const SHARDS = 2;

function limitedTo(limitPerSec: number, limitScope: LimitScope) {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock, { pools: ['default', 'gpu'] });
  const limited = limitPerUser(
    queue,
    { default: limitPerSec },
    { limitScope, clock, shardCount: async () => SHARDS },
  );
  const send = (userId: string, count: number, overrides: Parameters<typeof aMessage>[0] = {}) =>
    limited.send(
      Array.from({ length: count }, (_, index) => ({
        message: aMessage({ jobKey: jobKeyOf({ userId, jobId: `job-${index}` }), ...overrides }),
        delaySec: 0,
      })),
    );
  const visible = async () => ({
    own: (await queue.backlog('default', 'medium')).visible,
    overflow: (await queue.backlog('default', 'overflow')).visible,
  });
  return { clock, limited, queue, send, visible };
}

const onShard = (userId: string, count: number, shard: number) =>
  Array.from({ length: count }, (_, index) => jobKeyOf({ userId, jobId: `job-${index}` })).filter(
    (jobKey) => shardOf(jobKey, SHARDS) === shard,
  ).length;

test("each shard has its part of a user's limit, and the rest overflows", async () => {
  const { send, visible } = limitedTo(20, 'per-shard');
  expect(Math.min(onShard('alice', 100, 0), onShard('alice', 100, 1))).toBeGreaterThan(10);
  await send('alice', 60);
  await send('alice', 40);
  expect(await visible()).toEqual({ own: 20, overflow: 80 });
  await send('bob', 5);
  expect(await visible()).toEqual({ own: 25, overflow: 80 });
  await send('alice', 100, { startAtMs: T0_MS + 1_000 });
  expect(await visible()).toEqual({ own: 45, overflow: 160 });
});

test('a limit per process admits no more of a user than one shard does', async () => {
  const { send, visible } = limitedTo(20, 'per-process');
  await send('alice', 100);
  expect(await visible()).toEqual({ own: 10, overflow: 90 });
});

test('long calls have their own lane above the limit too, and take nothing of it', async () => {
  const { queue, send, visible } = limitedTo(20, 'per-process');
  await send('alice', 100, { longCall: true });
  expect(await visible()).toEqual({ own: 0, overflow: 0 });
  expect((await queue.backlog('default', 'long')).visible).toBe(100);
  await send('alice', 100);
  expect(await visible()).toEqual({ own: 10, overflow: 90 });
});

test('a limit below the number of shards is 1 for each shard', async () => {
  const { send, visible } = limitedTo(1, 'per-shard');
  await send('alice', 100);
  expect(await visible()).toEqual({ own: SHARDS, overflow: 98 });
});

test('a late message counts for the second in which it is sent', async () => {
  const { clock, send, visible } = limitedTo(20, 'per-process');
  await clock.advance(5_000);
  await send('alice', 100, { startAtMs: T0_MS - 60_000 });
  await send('alice', 100, { startAtMs: T0_MS });
  expect(await visible()).toEqual({ own: 10, overflow: 190 });
  await clock.advance(1_000);
  await send('alice', 100, { startAtMs: T0_MS });
  expect(await visible()).toEqual({ own: 20, overflow: 280 });
});

test('an overflowing message keeps its priority, and a pool without a limit never overflows', async () => {
  const { limited, queue, send } = limitedTo(1, 'per-process');
  await send('alice', 20, { priority: 'lowest' });
  expect(queue.receive('default', 'overflow')[0]!.message).toMatchObject({ priority: 'lowest' });
  await send('alice', 20, { pool: 'gpu' });
  expect((await queue.backlog('gpu', 'overflow')).visible).toBe(0);
  await expect(limited.send([{ message: aMessage({ pool: 'nope' }), delaySec: 0 }])).rejects.toThrow(
    '"nope"',
  );
});

test('a message that names its lane goes there, and does not count', async () => {
  const { limited, send, visible } = limitedTo(20, 'per-process');
  await limited.send([{ message: aMessage(), delaySec: 0, lane: 'overflow' }]);
  expect(await visible()).toEqual({ own: 0, overflow: 1 });
  await send('alice', 10);
  expect(await visible()).toEqual({ own: 10, overflow: 1 });
});
