import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import type { CronSpec, ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const context = { jobKey: 'alice/report', changedAtMs: Date.parse('2026-01-01T00:00:00Z') };

function times(spec: ScheduleSpec, count = 10): string[] {
  const schedule = parseSchedule(spec, context);
  const found: string[] = [];
  let atMs = schedule.next(context.changedAtMs);
  while (atMs !== undefined && found.length < count) {
    found.push(new Date(atMs).toISOString().slice(0, 16));
    atMs = schedule.next(atMs);
  }
  return found;
}

const daily = (options: Partial<CronSpec>): ScheduleSpec => ({
  type: 'cron',
  expression: '0 9 * * *',
  ...options,
});

describe('startAt and endAt', () => {
  it('include the start and exclude the end', () => {
    expect(times(daily({ startAt: '2026-01-05T09:00:00Z', endAt: '2026-01-07T09:00:00Z' }))).toEqual([
      '2026-01-05T09:00',
      '2026-01-06T09:00',
    ]);
  });

  it('are local times of the zone where they have no offset', () => {
    const spec = daily({ startAt: '2026-01-05T09:00', endAt: '2026-01-06T09:00:01', timezone: 'Asia/Tokyo' });
    expect(times(spec)).toEqual(['2026-01-05T00:00', '2026-01-06T00:00']);
  });

  it.each([
    [{ startAt: '2026-01-05T09:00:00Z', endAt: '2026-01-05T09:00:00Z' }, 'endAt'],
    [{ startAt: '2026-01-05T09:00:00Z', endAt: '2026-01-05T09:30:00+01:00' }, 'endAt'],
    [{ startAt: 'soon' }, 'startAt'],
    [{ endAt: '2026-02-29T00:00:00Z' }, 'endAt'],
    [{ startAt: '2011-12-30T09:00', timezone: 'Pacific/Apia' }, 'startAt'],
    [{ maxRuns: 0 }, 'maxRuns'],
    [{ maxRuns: 1.5 }, 'maxRuns'],
    [{ maxRuns: 1e9 }, 'maxRuns'],
    [{ jitter: '-5m' }, 'jitter'],
    [{ jitter: '25h' }, 'jitter'],
  ])('and the like are refused: %j', (options, path) => {
    expect(() => parseSchedule(daily(options), context)).toThrow(expect.objectContaining({ path }));
  });
});

describe('jitter', () => {
  const offsetSec = (jobKey: string, jitter: string): number => {
    const schedule = parseSchedule(daily({ jitter }), { ...context, jobKey });
    return (schedule.next(context.changedAtMs)! - Date.parse('2026-01-01T09:00:00Z')) / 1000;
  };

  it('gives each job one offset within the window, for good', () => {
    const offsets = Array.from({ length: 500 }, (_, index) => offsetSec(`alice/job-${index}`, '10m'));
    expect(offsets.every((sec) => Number.isInteger(sec) && sec >= 0 && sec < 600)).toBe(true);
    expect(new Set(offsets.map((sec) => Math.floor(sec / 60))).size).toBe(10);
    expect(offsetSec('alice/report', '10m')).toBe(offsetSec('alice/report', '10m'));
    expect(offsetSec('alice/report', '0s')).toBe(0);
  });

  it('stays the same over releases: a stored due time must be found again', () => {
    expect(offsetSec('alice/report', '1h')).toBe(348);
  });

  it('moves every occurrence alike, and limits bear on the time before it', () => {
    const planned = times(daily({ startAt: '2026-01-05T09:00:00Z', endAt: '2026-01-07T09:00:00Z' }));
    const spec = daily({ startAt: '2026-01-05T09:00:00Z', endAt: '2026-01-07T09:00:00Z', jitter: '1h' });
    const schedule = parseSchedule(spec, context);
    const offsetMs = offsetSec('alice/report', '1h') * 1000;
    expect(times(spec)).toHaveLength(planned.length);
    for (const at of planned) {
      expect(schedule.occursAt(Date.parse(`${at}Z`) + offsetMs)).toBe(true);
      expect(schedule.occursAt(Date.parse(`${at}Z`))).toBe(false);
    }
  });
});

describe('exclude', () => {
  it('takes out dates and ranges of dates, the last one too', () => {
    expect(times(daily({ exclude: ['2026-01-01', '2026-01-03/2026-01-05'] }), 3)).toEqual([
      '2026-01-02T09:00',
      '2026-01-06T09:00',
      '2026-01-07T09:00',
    ]);
  });

  it('means dates of the zone', () => {
    const spec: ScheduleSpec = {
      type: 'cron',
      expression: '0 0,20 * * *',
      timezone: 'America/New_York',
      exclude: ['2026-01-02'],
    };
    expect(times(spec, 3)).toEqual(['2026-01-01T01:00', '2026-01-01T05:00', '2026-01-02T01:00']);
    expect(parseSchedule(spec, context).next(Date.parse('2026-01-02T01:00Z'))).toBe(
      Date.parse('2026-01-03T05:00Z'),
    );
  });

  it('takes out what a cron expression matches, whole minutes where it has no seconds', () => {
    expect(times(daily({ exclude: ['* * * * MON-FRI'] }), 3)).toEqual([
      '2026-01-03T09:00',
      '2026-01-04T09:00',
      '2026-01-10T09:00',
    ]);
    const every10s: ScheduleSpec = { type: 'cron', expression: '*/30 * * * * *', exclude: ['0-58 * * * *'] };
    expect(times(every10s, 3)).toEqual(['2026-01-01T00:59', '2026-01-01T00:59', '2026-01-01T01:59']);
    expect(times({ ...every10s, exclude: ['0 * * * * *'] }, 3)).toEqual([
      '2026-01-01T00:00',
      '2026-01-01T00:01',
      '2026-01-01T00:02',
    ]);
  });

  it('takes out what several expressions cover only together', () => {
    const weekdays = ['0-29 * * * 1-5', '30-59 * * * 1-5'];
    expect(times({ type: 'cron', expression: '*/5 * * * *', exclude: weekdays }, 1)).toEqual([
      '2026-01-03T00:00',
    ]);
    const exclude = ['* 0-8,18-23 * * *', '*/20 30-59 9 * * *'];
    const { next } = parseSchedule({ type: 'interval', every: '10s', exclude }, context);
    expect(next(context.changedAtMs)).toBe(Date.parse('2026-01-01T09:00:00Z'));
    expect(next(Date.parse('2026-01-01T09:29:50Z'))).toBe(Date.parse('2026-01-01T09:30:10Z'));
    expect(next(Date.parse('2026-01-01T09:30:10Z'))).toBe(Date.parse('2026-01-01T09:30:30Z'));
    expect(next(Date.parse('2026-01-01T17:59:50Z'))).toBe(Date.parse('2026-01-02T09:00:00Z'));
  });

  it('goes on after years without a run', () => {
    const fallow = daily({ exclude: ['0 * * * * * 2026-2050', '2051-01-01/2098-12-31'] });
    expect(times(fallow, 1)).toEqual(['2099-01-01T09:00']);
  });

  it('holds for intervals too, by the clock of the zone', () => {
    const spec: ScheduleSpec = {
      type: 'interval',
      every: '6h',
      timezone: 'Asia/Tokyo',
      exclude: ['* 0-8,18-23 * * *', '2026-01-03'],
    };
    expect(times(spec, 4)).toEqual([
      '2026-01-01T06:00',
      '2026-01-02T00:00',
      '2026-01-02T06:00',
      '2026-01-04T00:00',
    ]);
    expect(times({ type: 'interval', every: 'P1M', exclude: ['* * * 2-11 *'] }, 2)).toEqual([
      '2026-12-01T00:00',
      '2027-01-01T00:00',
    ]);
  });

  it('ends an excluded date at its local midnight, on days of 23 and 25 hours too', () => {
    const exclude = ['2026-03-08', '2026-11-01'];
    const anchor = '2026-01-01T00:00:00Z';
    const spec: ScheduleSpec = {
      type: 'interval',
      every: '30m',
      anchor,
      timezone: 'America/New_York',
      exclude,
    };
    const { next } = parseSchedule(spec, context);
    expect(next(Date.parse('2026-03-08T04:30:00Z'))).toBe(Date.parse('2026-03-09T04:00:00Z'));
    expect(next(Date.parse('2026-11-01T03:30:00Z'))).toBe(Date.parse('2026-11-02T05:00:00Z'));
  });

  it('excludes a time that clocks skip by its planned date', () => {
    // planned for Saturday 23:30, moved to Sunday 00:00
    const spec = (exclude: string[]): ScheduleSpec => ({
      type: 'cron',
      expression: '30 23 * * 6',
      timezone: 'America/Nuuk',
      startAt: '2025-03-29T00:00:00Z',
      exclude,
    });
    const first = (exclude: string[]) =>
      parseSchedule(spec(exclude), context).next(Date.parse('2025-03-29T00:00:00Z'));
    expect(first(['2025-03-30'])).toBe(Date.parse('2025-03-30T01:00:00Z'));
    expect(first(['2025-03-29'])).toBe(Date.parse('2025-04-06T00:30:00Z'));
  });

  it.each([
    [['2026-02-29'], 'exclude.0'],
    [['2026-01-01', '2026-01-05/2026-01-04'], 'exclude.1'],
    [['2026-01-01', '* * *'], 'exclude.1'],
    [['2026-1-1'], 'exclude.0'],
    [Array.from({ length: 101 }, () => '2026-01-01'), 'exclude'],
    [Array.from({ length: 11 }, () => '@daily'), 'exclude'],
  ])('refuses %j', (exclude, path) => {
    expect(() => parseSchedule(daily({ exclude }), context)).toThrow(expect.objectContaining({ path }));
  });
});
