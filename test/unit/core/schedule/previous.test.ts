import fc from 'fast-check';

import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import { previousOccurrence } from '../../../../lambdas/core/schedule/previous-occurrence';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const context = { jobKey: 'alice/report', changedAtMs: Date.parse('2026-01-01T00:00:00Z') };

const previousOf = (spec: ScheduleSpec, before: string): string | undefined => {
  const ms = parseSchedule(spec, context).previous(Date.parse(before));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

const SPECS: readonly ScheduleSpec[] = [
  { type: 'cron', expression: '*/7 * * * *' },
  { type: 'cron', expression: '*/5 * * * * *' },
  { type: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' },
  { type: 'cron', expression: '30 1 * * *', timezone: 'America/New_York', dst: { overlap: 'both' } },
  { type: 'cron', expression: '0 9 * * MON-FRI', timezone: 'Asia/Tokyo', jitter: '10m' },
  { type: 'cron', expression: '0 0 29 2 *' },
  { type: 'cron', expression: '0 12 * * *', exclude: ['2026-02-01/2026-03-15', '* * * * SUN'] },
  { type: 'cron', expression: '0 * * * *', startAt: '2026-02-01T00:00:00Z', endAt: '2026-04-01T00:00:00Z' },
  { type: 'interval', every: '90m' },
  { type: 'interval', every: '36h', anchor: '2026-01-03T00:00:00Z' },
  { type: 'interval', every: 'P1M', anchor: '2026-01-31T09:00:00', timezone: 'Europe/Berlin' },
  { type: 'at', at: '2026-05-01T09:00:00Z' },
  { type: 'delay', delay: '36h' },
  'rate(5 minutes)',
];

it.each([
  ['0 9 * * *', '2026-03-02T09:00:00Z', '2026-03-01T09:00:00.000Z'],
  ['0 9 * * *', '2026-03-02T09:00:00.001Z', '2026-03-02T09:00:00.000Z'],
  ['0 0 29 2 *', '2026-03-01T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('the time of %s before %s is %s', (expression, before, expected) => {
  expect(previousOf({ type: 'cron', expression }, before)).toBe(expected);
});

it('knows the time that a clock change moved', () => {
  const nightly: ScheduleSpec = { type: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' };
  expect(previousOf(nightly, '2026-03-30T00:30:00Z')).toBe('2026-03-29T01:00:00.000Z');
});

it('has none before the first', () => {
  expect(previousOf({ type: 'interval', every: '1h' }, '2026-01-01T01:00:00Z')).toBeUndefined();
  expect(previousOf({ type: 'interval', every: '1h' }, '2026-01-01T02:00:00Z')).toBe(
    '2026-01-01T01:00:00.000Z',
  );
  expect(previousOf({ type: 'at', at: '2026-05-01T09:00:00Z' }, '2026-05-01T09:00:00Z')).toBeUndefined();
});

it('is the inverse of next', () => {
  const schedules = SPECS.map((spec) => parseSchedule(spec, context));
  const instant = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2032, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...schedules), instant, (schedule, beforeMs) => {
      const previousMs = schedule.previous(beforeMs);
      if (previousMs === undefined) {
        expect(schedule.count(beforeMs - 100 * 366 * 86_400_000, beforeMs - 1, 1)).toBe(0);
        return;
      }
      expect(previousMs).toBeLessThan(beforeMs);
      expect(schedule.occursAt(previousMs)).toBe(true);
      expect(schedule.next(previousMs) ?? beforeMs).toBeGreaterThanOrEqual(beforeMs);
    }),
    { numRuns: 300 },
  );
});

it('asks next at most 80 times, whatever that returns', () => {
  fc.assert(
    fc.property(fc.func(fc.option(fc.maxSafeInteger(), { nil: undefined })), (answer) => {
      let calls = 0;
      const next = (afterMs: number) => {
        calls += 1;
        return answer(afterMs);
      };
      previousOccurrence(next, Date.UTC(2026, 0, 1));
      expect(calls).toBeLessThanOrEqual(80);
    }),
    { numRuns: 50 },
  );
});
