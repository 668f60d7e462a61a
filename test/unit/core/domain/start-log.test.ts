import {
  freeStarts,
  MAX_LOGGED,
  nextStartMs,
  type Rate,
  recentStarts,
  type StartLog,
  withStart,
} from '../../../../lambdas/core/domain/start-log';
import { FakeRandom } from '../../../support/fake-random';

const MINUTE_MS = 60_000;

/** Plays executions that ask for a start at random times. Returns the times of those that started. */
function play(rate: Rate, seed: number, asked: number, gapMs: number) {
  const random = new FakeRandom(seed);
  const starts: number[] = [];
  let log: StartLog | undefined;
  let nowMs = 1_767_225_600_000;
  let mostEntries = 0;
  for (let index = 0; index < asked; index++) {
    nowMs += random.between(0, gapMs);
    if (freeStarts(log, rate, nowMs) <= 0) nowMs = nextStartMs(log, rate, nowMs);
    log = withStart(log, rate, { nowMs, startId: `e${index}`, logId: `${index}` });
    starts.push(nowMs);
    mostEntries = Math.max(mostEntries, log.starts.length);
  }
  return { starts, mostEntries };
}

describe('a rate', () => {
  it.each([
    [{ limit: 1, per: '1m' }, 20_000],
    [{ limit: 3, per: '1m' }, 5_000],
    [{ limit: 32, per: '1m' }, 1_000],
    [{ limit: 33, per: '1m' }, 1_000],
    [{ limit: 1_000, per: '1m' }, 60],
  ])('of %j lets no more start in any period', (rate, gapMs) => {
    for (let seed = 1; seed <= 5; seed++) {
      const { starts, mostEntries } = play(rate, seed, 3 * rate.limit + 20, gapMs);
      for (const [index, atMs] of starts.entries())
        if (index >= rate.limit) expect(atMs - starts[index - rate.limit]!).toBeGreaterThanOrEqual(MINUTE_MS);
      expect(mostEntries).toBeLessThanOrEqual(MAX_LOGGED + 1);
    }
  });

  it('lets the next one start as soon as a period after the start that is in its way', () => {
    const rate = { limit: 2, per: '1m' };
    const start = (log: StartLog | undefined, nowMs: number, startId: string) =>
      withStart(log, rate, { nowMs, startId, logId: startId });
    const log = start(start(undefined, 0, 'a'), 10_000, 'b');
    expect(nextStartMs(undefined, rate, 5)).toBe(5);
    expect([freeStarts(log, rate, 59_999), nextStartMs(log, rate, 59_999)]).toEqual([0, MINUTE_MS]);
    expect([freeStarts(log, rate, MINUTE_MS), recentStarts(log, rate, MINUTE_MS)]).toEqual([1, 1]);
    expect(nextStartMs(log, { limit: 1, per: '1m' }, 20_000)).toBe(70_000);
  });

  it('does not count an execution twice that is counted again', () => {
    const rate = { limit: 1, per: '1m' };
    const log = withStart(undefined, rate, { nowMs: 0, startId: 'a', logId: '1' });
    expect([freeStarts(log, rate, 30_000, 'a'), freeStarts(log, rate, 30_000, 'b')]).toEqual([1, 0]);
    const again = withStart(log, rate, { nowMs: 30_000, startId: 'a', logId: '2' });
    expect(again.starts).toEqual([{ atMs: 30_000, count: 1, startId: 'a' }]);
  });

  it('counts a start by a slow clock as long as the one before it', () => {
    const rate = { limit: 2, per: '1m' };
    const log = withStart(undefined, rate, { nowMs: 5_000, startId: 'a', logId: '1' });
    const later = withStart(log, rate, { nowMs: 1_000, startId: 'b', logId: '2' });
    expect(later.starts.map(({ atMs }) => atMs)).toEqual([5_000, 5_000]);
  });
});
