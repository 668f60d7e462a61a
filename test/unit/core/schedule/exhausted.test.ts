import { CronCalendar } from '../../../../lambdas/core/schedule/cron-calendar';
import { cronPlan } from '../../../../lambdas/core/schedule/cron-plan';
import { parseCronExpression } from '../../../../lambdas/core/schedule/cron-expression';
import { parseExclusions } from '../../../../lambdas/core/schedule/exclusions';
import { fixedRate, withoutExcluded } from '../../../../lambdas/core/schedule/interval-occurrences';
import { validateSchedule } from '../../../../lambdas/core/schedule/validate';
import type { ClockChangePolicy } from '../../../../lambdas/core/schedule/wall-occurrences';
import { AS_THE_CLOCK_SHOWS, wallOccurrences } from '../../../../lambdas/core/schedule/wall-occurrences';
import type { Zone } from '../../../../lambdas/core/schedule/zone';
import { zoneFrom, zoneOf } from '../../../../lambdas/core/schedule/zone';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const SKIP: ClockChangePolicy = { gap: 'skip', overlap: 'first' };
const DAY_MS = 86_400_000;

/** A zone with an empty cache, and how often its offset was read: each time would be a call of Intl. */
function countingZone(name: string): { zone: Zone; asked: () => number } {
  let asked = 0;
  const zone = zoneFrom(name, (sec) => {
    asked++;
    return zoneOf(name).segmentAt(sec).offsetSec;
  });
  return { zone, asked: () => asked };
}

describe('a schedule that only falls into gaps', () => {
  it.each<[expression: string, zone: string, policy: ClockChangePolicy]>([
    ['30 2 * 3 SUNL', 'Europe/Berlin', SKIP],
    ['*/15 1 * 3 SUNL', 'Europe/London', AS_THE_CLOCK_SHOWS],
    ['*/20 2 * 3 SUN#2', 'America/New_York', AS_THE_CLOCK_SHOWS],
    ['30 2 * 10 SUN#1', 'Australia/Sydney', SKIP],
    ['*/30 2 * 9 SUNL', 'Pacific/Auckland', AS_THE_CLOCK_SHOWS],
  ])('is given up soon: %s in %s', (expression, name, policy) => {
    const { zone, asked } = countingZone(name);
    const plan = cronPlan(parseCronExpression(expression), undefined);
    const next = jest.spyOn(plan, 'next');
    expect(wallOccurrences(plan, zone, policy).next(nowMs)).toBeUndefined();
    expect(asked()).toBeLessThan(3_000);
    expect(next.mock.calls.length).toBeLessThan(2_000);
  });

  it('is given up though many exclusions lie between', () => {
    const cron = parseCronExpression('30 2 * * *');
    const exclude = ['* * 1-15 4-12,1-2 *', '* * 16-31 4-12,1-2 *', '* * 1-24 3 *', '* * * * MON-SAT'];
    const months = jest.spyOn(CronCalendar.prototype, 'daysOf');
    const plan = cronPlan(cron, parseExclusions(exclude));
    expect(wallOccurrences(plan, zoneOf('Europe/Berlin'), SKIP).next(nowMs)).toBeUndefined();
    expect(months.mock.calls.length).toBeLessThan(30_000);
    months.mockRestore();
  });

  it('is not what plans every second of an hour that is a gap this year alone', () => {
    const plan = cronPlan(parseCronExpression('* * 2 8 3 *'), undefined);
    const next = wallOccurrences(plan, zoneOf('America/New_York'), SKIP).next(Date.UTC(2026, 2, 1));
    expect(new Date(next!).toISOString()).toBe('2027-03-08T07:00:00.000Z');
  });

  it('is refused, and not where it fires at last', () => {
    const validate = (expression: string) =>
      validateSchedule(
        { type: 'cron', expression, timezone: 'Europe/Berlin', dst: { gap: 'skip' } },
        { jobKey: 'alice/report', changedAtMs: nowMs },
        nowMs,
      );
    expect(() => validate('30 2 * 3 SUNL')).toThrow(expect.objectContaining({ path: 'expression' }));
    expect(() => validate('0 30 2 * 3 SUNL 2027-2150')).toThrow(
      expect.objectContaining({ path: 'expression' }),
    );
    expect(validate('30 2 25 3 *').next(nowMs)).toBe(Date.parse('2027-03-25T01:30:00Z'));
    expect(validate('30 2 29 2,3 SUNL').next(nowMs)).toBe(Date.parse('2027-02-28T01:30:00Z'));
  });
});

describe('a schedule that is excluded for good', () => {
  it.each([
    ['365d', 'Asia/Tehran', 365, ['* * * * *']],
    ['365d', 'Europe/Oslo', 365, ['* * * * *']],
    ['3653d', 'Asia/Gaza', 3_653, ['* * * * *']],
    ['365d, by halves', 'Europe/Oslo', 365, ['* * * 1-6 *', '* * * 7-12 *']],
  ])('is given up soon: every %s in %s', (_, name, days, exclude) => {
    const { zone, asked } = countingZone(name);
    const steady = fixedRate(nowMs, days * DAY_MS, 1);
    expect(withoutExcluded(steady, zone, parseExclusions(exclude)).next(nowMs)).toBeUndefined();
    expect(asked()).toBeLessThan(3_000);
  });

  it('is not one whose exclusion leaves a day, a minute or a year', () => {
    const next = (exclude: string[]) =>
      withoutExcluded(fixedRate(nowMs, 60_000, 1), zoneOf('UTC'), parseExclusions(exclude)).next(nowMs);
    expect(next(['* * 1-30 * *'])).toBe(Date.parse('2026-12-31T00:00:00Z'));
    expect(next(['* * * * 1-6'])).toBe(Date.parse('2026-11-22T00:00:00Z'));
    expect(next(['* * * 1-11 *'])).toBe(Date.parse('2026-12-01T00:00:00Z'));
    expect(next(['0-58 * * * *'])).toBe(Date.parse('2026-11-20T10:59:00Z'));
    expect(next(['* * * * * * 2026'])).toBe(Date.parse('2027-01-01T00:00:00Z'));
  });

  it('is not one whose days have nothing for months', () => {
    const steady = fixedRate(Date.parse('2027-01-01T00:00:30Z'), 60_000, 0);
    const { next } = withoutExcluded(steady, zoneOf('UTC'), parseExclusions(['1-59 * * * 1-4 *']));
    expect(next(nowMs)).toBe(Date.parse('2027-05-01T00:00:30Z'));
  });
});
