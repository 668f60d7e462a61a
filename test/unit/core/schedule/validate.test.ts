import { describe as describeSchedule } from '../../../../lambdas/core/schedule/describe';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';
import { validateSchedule } from '../../../../lambdas/core/schedule/validate';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const validate = (spec: ScheduleSpec) =>
  validateSchedule(spec, { jobKey: 'alice/report', changedAtMs: nowMs }, nowMs);

describe('a schedule that is handed in', () => {
  it.each<ScheduleSpec>([
    { type: 'cron', expression: '0 0 29 2 *' },
    { type: 'cron', expression: '0 0 * 2 MON#5', timezone: 'Europe/Berlin' }, // next in 2044
    { type: 'cron', expression: '* * * * *', exclude: ['* * * * *', '2026-11-20'].slice(1) },
    { type: 'interval', every: '1h', startAt: '2027-01-01T00:00:00Z' },
    { type: 'at', at: '2026-11-20T10:00:00.001Z' },
    { type: 'delay', delay: '1s' },
    'rate(1 day)',
  ])('is taken: %j', (spec) => {
    expect(validate(spec).next(nowMs)).toBeGreaterThan(nowMs);
  });

  it.each<[text: string, same: ScheduleSpec]>([
    ['30 9 * * MON-FRI', { type: 'cron', expression: '30 9 * * MON-FRI' }],
    ['*/10 * * * * *', { type: 'cron', expression: '*/10 * * * * *' }],
    ['@daily', { type: 'cron', expression: '@daily' }],
    ['every 5m', { type: 'interval', every: '5m' }],
    ['1h30m', { type: 'interval', every: '1h30m' }],
    ['every 1h30m', { type: 'interval', every: '1h30m' }],
    ['@every 90s', { type: 'interval', every: '90s' }],
    ['every P1M', { type: 'interval', every: 'P1M' }],
  ])('may be one text: %s', (text, same) => {
    const schedule = validate(text);
    expect(schedule.spec).toBe(text);
    expect(schedule.next(nowMs)).toBe(validate(same).next(nowMs));
    expect(describeSchedule(text)).toBe(describeSchedule(same));
  });

  it.each(['every soon', 'every 5', 'every 11y', '61 9 * * *', '@sometimes', '* * * *', 'daily'])(
    '%s is rejected as a whole',
    (text) => {
      expect(() => validate(text)).toThrow(expect.objectContaining({ name: 'ScheduleError', path: '' }));
    },
  );

  it('needs no due time if something else starts its executions', () => {
    const schedule = validate({ type: 'none' });
    expect(schedule.next(nowMs)).toBeUndefined();
    expect(schedule.previous(nowMs)).toBeUndefined();
    expect(schedule.occursAt(nowMs)).toBe(false);
    expect(schedule.count(0, nowMs, 10)).toBe(0);
  });

  it.each<[path: string, spec: ScheduleSpec]>([
    ['at', { type: 'at', at: '2026-11-20T10:00:00Z' }],
    ['at', { type: 'at', at: '2026-11-20T10:59:00', timezone: 'Europe/Berlin' }],
    ['', 'at(2026-11-20T09:59:59)'],
    ['', 'cron(0 0 1 1 ? 2020)'],
    ['', 'cron(0 0 30 2 ? *)'],
    ['expression', { type: 'cron', expression: '0 0 30 2 *' }],
    ['expression', { type: 'cron', expression: '0 0 31 4,6,9,11 *', timezone: 'Asia/Gaza' }],
    ['expression', { type: 'cron', expression: '0 0 31W 2 *' }],
    ['expression', { type: 'cron', expression: '0 0 0 29 2 ? 2100' }],
    ['expression', { type: 'cron', expression: '0 0 0 1 1 * 2020', endAt: '2030-01-01T00:00:00Z' }],
    ['endAt', { type: 'cron', expression: '0 9 * * *', endAt: '2026-11-20T09:00:00Z' }],
    ['endAt', { type: 'cron', expression: '0 9 * * *', endAt: '2026-11-21T09:00:00Z' }],
    ['endAt', { type: 'interval', every: '7d', endAt: '2026-11-21T09:00:00Z' }],
    ['exclude', { type: 'cron', expression: '0 9 * * *', exclude: ['* * * * *'] }],
    ['exclude', { type: 'cron', expression: '* * * * * *', exclude: ['*/2 * * * *', '1/2 * * * *'] }],
    ['exclude', { type: 'interval', every: '1s', exclude: ['*/2 * * * * *', '1/2 * * * * *'] }],
    ['exclude', { type: 'interval', every: 'P1M', exclude: ['0-29 * * * *', '30/1 * * * *'] }],
  ])('is refused at %j where it can never fire: %j', (path, spec) => {
    expect(() => validate(spec)).toThrow(expect.objectContaining({ name: 'ScheduleError', path }));
  });

  it('is told what must change', () => {
    const message = (spec: ScheduleSpec): string => {
      try {
        validate(spec);
      } catch (error) {
        return (error as Error).message;
      }
      throw new Error('was taken');
    };
    expect(message({ type: 'at', at: '2026-11-20T09:00:00Z' })).toBe(
      '"2026-11-20T09:00:00Z" is past; it must be later than now, 2026-11-20T10:00:00.000Z',
    );
    expect(message({ type: 'cron', expression: '0 0 30 2 *' })).toContain('"0 0 30 2 *" never fires');
  });
});
