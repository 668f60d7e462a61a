import fc from 'fast-check';

import { describe as inWords } from '../../../../lambdas/core/schedule/describe';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';
import { naiveCron } from '../../../support/naive-cron';

describe('a schedule in words', () => {
  it.each<[ScheduleSpec, string]>([
    [
      { type: 'cron', expression: '30 9 * * MON-FRI', timezone: 'europe/berlin' },
      'At 09:30, Monday through Friday (Europe/Berlin)',
    ],
    [{ type: 'cron', expression: '@daily' }, 'At 00:00 (UTC)'],
    [
      { type: 'cron', expression: '0 0 13 * 5' },
      'At 00:00, on day 13 of the month, and on Friday (either day is enough) (UTC)',
    ],
    [
      {
        type: 'cron',
        expression: '30 2 * * *',
        timezone: 'America/New_York',
        dst: { gap: 'skip', overlap: 'both' },
        startAt: '2026-12-01T00:00:00Z',
        endAt: '2027-01-01T00:00:00Z',
        maxRuns: 10,
        jitter: '5m',
        exclude: ['2026-12-25', '* * * * SUN'],
      },
      'At 02:30 (America/New_York), not at all where clocks skip it, both times where clocks repeat it, from 2026-12-01T00:00:00Z, until just before 2027-01-01T00:00:00Z, at most 10 times, except 2026-12-25; * * * * SUN, always later by the same part of 5 minutes',
    ],
    [{ type: 'cron', expression: '0 * * * *', dst: { overlap: 'first' } }, 'Every hour (UTC)'],
    [{ type: 'cron', expression: '0 0 1W,15W * *' }, 'At the times of "0 0 1W,15W * *" (UTC)'],
    [{ type: 'cron', expression: '0 0 L-3,15 * *' }, 'At the times of "0 0 L-3,15 * *" (UTC)'],
    [{ type: 'interval', every: '90s' }, 'Every 90 seconds, counted from when the schedule was set'],
    [
      { type: 'interval', every: 'PT1H', maxRuns: 1 },
      'Every hour, counted from when the schedule was set, once only',
    ],
    [
      {
        type: 'interval',
        every: 'P3M',
        anchor: '2026-01-31T09:00',
        timezone: 'Europe/Paris',
        dst: { gap: 'shift' },
      },
      'Every 3 months, counted from 2026-01-31T09:00 (Europe/Paris), at the first instant after a gap where clocks skip it',
    ],
    [{ type: 'at', at: '2026-12-01T09:00', timezone: 'Asia/Tokyo' }, 'Once at 2026-12-01T09:00 (Asia/Tokyo)'],
    [{ type: 'delay', delay: '10m' }, 'Once, 10 minutes after the schedule was set'],
    ['rate(1 day)', 'Every day, counted from when the schedule was set'],
    ['cron(0 10 ? * 6L 2027)', 'At 10:00, on the last Friday of the month, only in 2027 (UTC)'],
    ['at(2026-12-01T09:00:00)', 'Once at 2026-12-01T09:00:00 (UTC)'],
  ])('%j', (spec, words) => {
    expect(inWords(spec)).toBe(words);
  });

  it.each([
    ['*/7 * * * *', 'Every 7 minutes (the step restarts each hour, at minute 0) (UTC)'],
    ['20/15 * * * *', /^Every 15 minutes.* \(the step restarts each hour, at minute 20\) \(UTC\)$/],
    ['*/7 * * * * *', 'Every 7 seconds (the step restarts each minute, at second 0) (UTC)'],
    ['0 */5 * * *', /\(the step restarts each day, at hour 0\) \(UTC\)$/],
    ['0 0 */2 * *', /\(the step restarts each month, on day 1\) \(UTC\)$/],
    ['0 0 1 */5 *', /\(the step restarts each year, in month 1\) \(UTC\)$/],
    ['0 0 * * */2', /\(the step restarts each week, on Sunday\) \(UTC\)$/],
    [
      '*/7 */5 * * *',
      /\(the step restarts each hour, at minute 0\) \(the step restarts each day, at hour 0\)/,
    ],
  ])('%s says where its step restarts', (expression, words) => {
    const described = inWords({ type: 'cron', expression });
    if (typeof words === 'string') expect(described).toBe(words);
    else expect(described).toMatch(words);
  });

  it.each([
    ['cron(0/7 * * * ? *)', ' (the step restarts each hour, at minute 0) (UTC)'],
    ['cron(0 0 ? * 2/2 *)', ' (the step restarts each week, on Monday) (UTC)'],
    ['cron(0/15 * * * ? 2026/2)', ''],
  ])('%s: %j', (spec, note) => {
    expect(/( \(the step.*)?$/.exec(inWords(spec).replace(/ \(UTC\)$/, note && '$&'))![0]).toBe(note);
  });

  it.each(['*/15 * * * *', '5/10 * * * *', '*/60 * * * *', '0 */6 * * *', '0 9-17/2 * * *', '5/1 * * * *'])(
    '%s has an even step, or a range',
    (expression) => expect(inWords({ type: 'cron', expression })).not.toContain('restarts'),
  );

  it.each(['0 0-23/5 * * *', '0 0-22/5 * * *', '0-59/7 * * * *', '0 3-23/5 * * *'])(
    '%s has a step over the whole range, which is not even',
    (expression) => expect(inWords({ type: 'cron', expression })).toContain('(the step restarts each'),
  );

  it.each([
    ['0 0 12 ? * 2-6', true],
    ['0 0 12 ? * MON,3 2026', true],
    ['0 0 12 ? * MON-FRI', false],
    ['0 0 12 ? * MON#2', false],
    ['0 12 * * 2-6', false],
  ])('%s may be one of Quartz: %s', (expression, isNoted) => {
    expect(inWords({ type: 'cron', expression }).includes('not from 1 as in Quartz')).toBe(isNoted);
  });

  it('is found for every expression that the engine takes', () => {
    fc.assert(
      fc.property(naiveCron({ times: 'seconds', days: 'any' }), ({ expression }) => {
        expect(inWords({ type: 'cron', expression })).toMatch(/\(UTC\)$/);
      }),
      { numRuns: 500 },
    );
  });
});
