import { NO_RECENT_LOAD } from '../../../lambdas/core/domain/call-load';
import { exceedsLaneLimit } from '../../../lambdas/executor/lane-limit';
import { aMessage, T0_MS } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { sameForAllLanes } from '../../support/lane-limits';
import { RecordingLog } from '../../support/recording-log';

const LIMIT = 8;
const AT_LIMIT_MS = LIMIT * 10_000;

/** An executor of a pool with a limit of 8 executors a lane. `load` is what executors have reported. */
function asking() {
  const clock = new FakeClock(T0_MS);
  const log = new RecordingLog();
  const state = { load: NO_RECENT_LOAD, asked: [] as string[], fails: false };
  const callLoads = {
    recent: async ({ userId, pool }: { userId: string; pool: string }) => {
      state.asked.push(`${userId} ${pool}`);
      if (state.fails) throw new Error('no answer');
      return state.load;
    },
  };
  const exceeds = exceedsLaneLimit({ default: sameForAllLanes(LIMIT) }, { callLoads, clock, log });
  return { clock, log, state, exceeds };
}

test.each([
  ['in the latest window', { heldMs: AT_LIMIT_MS + 1, heldBeforeMs: 0, windowAtMs: T0_MS }, true],
  ['in the window before', { heldMs: 0, heldBeforeMs: AT_LIMIT_MS + 1, windowAtMs: T0_MS }, true],
  ['not at all', { heldMs: AT_LIMIT_MS, heldBeforeMs: AT_LIMIT_MS, windowAtMs: T0_MS }, false],
  ['more than a minute ago', { heldMs: 1e9, heldBeforeMs: 1e9, windowAtMs: T0_MS - 60_001 }, false],
])('a project exceeds its limit %s', async (_, load, expected) => {
  const { state, exceeds } = asking();
  state.load = load;
  expect(await exceeds(aMessage())).toBe(expected);
});

test('long calls, offers to workers and pools without a limit are not asked for', async () => {
  const { state, exceeds } = asking();
  state.load = { heldMs: 1e9, heldBeforeMs: 0, windowAtMs: T0_MS };
  expect(await exceeds(aMessage({ longCall: true }))).toBe(false);
  expect(await exceeds(aMessage({ workQueue: 'mail', startWithinMs: 1_000 }))).toBe(false);
  expect(await exceeds(aMessage({ pool: 'gpu' }))).toBe(false);
  expect(state.asked).toEqual([]);
});

test('a project costs one read a second, whatever it has sent', async () => {
  const { clock, state, exceeds } = asking();
  for (const jobKey of ['alice/a', 'alice/b', 'bob/c']) await exceeds(aMessage({ jobKey }));
  expect(state.asked).toEqual(['alice default', 'bob default']);
  await clock.advance(1_000);
  await exceeds(aMessage({ jobKey: 'alice/a' }));
  expect(state.asked).toHaveLength(3);
});

test('a load that cannot be read counts as none', async () => {
  const { log, state, exceeds } = asking();
  state.fails = true;
  expect(await exceeds(aMessage())).toBe(false);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'load of a project is unknown'],
  ]);
});
