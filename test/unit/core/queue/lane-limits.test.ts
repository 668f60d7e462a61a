import {
  type CallLoad,
  NO_LOAD,
  NO_RECENT_LOAD,
  type RecentLoad,
} from '../../../../lambdas/core/domain/call-load';
import { knownLoads } from '../../../../lambdas/core/queue/known-loads';
import { exceedsLaneLimit, limitLanes } from '../../../../lambdas/core/queue/lane-limits';
import type { LimitScope } from '../../../../lambdas/core/queue/user-rate-limit';
import { aMessage, T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { sameForAllLanes } from '../../../support/lane-limits';
import { MemoryQueue } from '../../../support/memory-queue';
import { RecordingLog } from '../../../support/recording-log';

const LIMIT = 8;
const LIMITS = { default: sameForAllLanes(LIMIT) };
const SHARDS = 2;

/** Queues of a sender. `load` is what executors have reported of every project. */
function sharing(limitScope: LimitScope = 'per-process') {
  const clock = new FakeClock();
  const queue = new MemoryQueue(clock, { pools: ['default', 'gpu'] });
  const state = { load: NO_RECENT_LOAD, reads: 0 };
  const callLoads = {
    recent: async () => {
      state.reads += 1;
      return state.load;
    },
  };
  const loadOf = knownLoads({ callLoads, clock, log: new RecordingLog() });
  const bounded = limitLanes(queue, LIMITS, { limitScope, loadOf, clock, shardCount: async () => SHARDS });
  const send = (count: number, overrides: Parameters<typeof aMessage>[0] = {}, lane?: 'overflow') =>
    bounded.send(
      Array.from({ length: count }, (_, index) => ({
        message: aMessage({ jobKey: `loud/job-${index}`, startAtMs: clock.nowMs(), ...overrides }),
        delaySec: 0,
        ...(lane && { lane }),
      })),
    );
  const report = (latest: CallLoad) => {
    state.load = { latest, before: NO_LOAD, windowAtMs: clock.nowMs() };
  };
  const visible = async () => ({
    own: (await queue.backlog('default', 'medium')).visible,
    overflow: (await queue.backlog('default', 'overflow')).visible,
  });
  return { clock, queue, state, send, report, visible };
}

/** 20 calls that have been open for 10 s and more. */
const SLOW: CallLoad = { calls: 20, heldMs: 600_000 };

test('a project whose calls hold fewer executors than its limit keeps its lane', async () => {
  const { send, report, visible } = sharing();
  report({ calls: 800, heldMs: LIMIT * 10_000 });
  await send(500);
  expect(await visible()).toEqual({ own: 500, overflow: 0 });
});

test.each([
  ['per-process', LIMIT / SHARDS],
  ['per-shard', LIMIT],
] as const)('calls above the limit overflow, %s', async (scope, ofLimit) => {
  const { clock, send, report, visible } = sharing(scope);
  report(SLOW);
  await send(100);
  expect(await visible()).toEqual({ own: ofLimit, overflow: 100 - ofLimit });
  await clock.advance(29_000);
  report(SLOW);
  await send(100);
  expect((await visible()).own).toBe(ofLimit); // calls of 30 s may be open still
  await clock.advance(1_000);
  await send(100);
  expect((await visible()).own).toBe(2 * ofLimit);
});

test('shorter calls have room for more of them', async () => {
  const { send, report, visible } = sharing();
  report({ calls: 4_000, heldMs: 400_000 }); // 40 executors, by calls of 0.1 s
  await send(100);
  expect((await visible()).own).toBe(LIMIT / SHARDS / 0.1);
});

test('a load without news for a minute is over', async () => {
  const { clock, send, report, visible } = sharing();
  report(SLOW);
  await clock.advance(60_001);
  await send(100);
  expect(await visible()).toEqual({ own: 100, overflow: 0 });
});

test('few messages cost no read, and many cost one in two seconds, or in 0.2 s for as many as the limit', async () => {
  const { clock, send, state } = sharing();
  await send(LIMIT / SHARDS);
  expect(state.reads).toBe(0);
  await send(LIMIT);
  expect(state.reads).toBe(1);
  await send(LIMIT);
  expect(state.reads).toBe(1);
  await clock.advance(200);
  await send(1);
  expect(state.reads).toBe(2);
  await clock.advance(2_000);
  await send(1);
  expect(state.reads).toBe(3);
});

test('long calls, offers to workers, other pools and what overflows anyway take nothing of the limit', async () => {
  const { queue, send, report, visible } = sharing();
  report(SLOW);
  await send(50, { longCall: true });
  await send(50, { workQueue: 'mail', startWithinMs: 1_000 });
  await send(50, { pool: 'gpu' });
  await send(50, {}, 'overflow');
  expect(await visible()).toEqual({ own: 50, overflow: 50 });
  expect((await queue.backlog('gpu', 'medium')).visible).toBe(50);
  await send(100);
  expect((await visible()).own).toBe(50 + LIMIT / SHARDS);
});

test('a load that cannot be read counts as none', async () => {
  const log = new RecordingLog();
  const recent = () => Promise.reject(new Error('no answer'));
  const loadOf = knownLoads({ callLoads: { recent }, clock: new FakeClock(), log });
  expect(await loadOf({ userId: 'loud', pool: 'default' }, 1)).toEqual(NO_RECENT_LOAD);
  expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
});

test.each<[string, CallLoad, CallLoad, boolean]>([
  ['the latest window', { calls: 9, heldMs: 80_001 }, NO_LOAD, true],
  ['the window before', NO_LOAD, { calls: 9, heldMs: 80_001 }, true],
  ['neither', { calls: 9, heldMs: 80_000 }, { calls: 9, heldMs: 80_000 }, false],
])('a project exceeds its limit by %s', async (_, latest, before, expected) => {
  const load: RecentLoad = { latest, before, windowAtMs: T0_MS };
  const deps = { limits: LIMITS, loadOf: async () => load, clock: new FakeClock(T0_MS + 5_000) };
  expect(await exceedsLaneLimit(aMessage(), deps)).toBe(expected);
  expect(await exceedsLaneLimit(aMessage({ pool: 'gpu' }), deps)).toBe(false);
});
