import { notDueAt } from '../../../../lambdas/core/schedule/not-due';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const context = { jobKey: 'alice/a', changedAtMs: 0 };
const why = (spec: ScheduleSpec, at: string) => notDueAt(spec, context, Date.parse(at));
const daily = { type: 'cron', expression: '30 9 * * *', timezone: 'Europe/Berlin' } as const;
const atNight = { type: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' } as const;

describe('why nothing is due', () => {
  it('names the exclusions that cover the time, and no others', () => {
    const exclude = ['2026-12-25', '2026-12-01', '* 9 * * FRI'];
    expect(why({ ...daily, exclude }, '2026-12-25T08:30:00Z')).toEqual([
      { why: 'excluded', by: ['2026-12-25', '* 9 * * FRI'] },
    ]);
  });

  it('names the bounds of the schedule', () => {
    const bounded = { ...daily, startAt: '2026-12-10T00:00:00Z', endAt: '2026-12-20T00:00:00Z' };
    expect(why(bounded, '2026-12-09T08:30:00Z')).toEqual([
      { why: 'before-start', startAt: '2026-12-10T00:00:00Z' },
    ]);
    expect(why(bounded, '2026-12-21T08:30:00Z')).toEqual([
      { why: 'after-end', endAt: '2026-12-20T00:00:00Z' },
    ]);
  });

  it('tells what a change of clocks left out', () => {
    expect(why({ ...atNight, dst: { gap: 'skip' } }, '2027-03-28T01:00:00Z')).toEqual([
      {
        why: 'clock-change',
        note: '02:30 does not exist on 2027-03-28 (clocks go from 02:00 to 03:00): dropped',
      },
    ]);
    expect(why(atNight, '2026-10-25T01:30:00Z')).toEqual([
      { why: 'clock-change', note: '02:30 comes twice on 2026-10-25: this is the second' },
    ]);
  });

  it.each<[string, ScheduleSpec, string]>([
    ['another time', daily, '2026-12-25T08:31:00Z'],
    ['another time in a repeated hour', atNight, '2026-10-25T01:31:00Z'],
    [
      'another time of an interval',
      { type: 'interval', every: '1h', exclude: ['2026-12-25'] },
      '2026-12-25T08:31:00Z',
    ],
    ['a one-time schedule', { type: 'at', at: '2026-12-01T09:00:00Z' }, '2026-12-01T09:01:00Z'],
    ['a text', 'cron(30 9 * * ? *)', '2026-12-25T08:31:00Z'],
  ])('has nothing to say about %s', (_, spec, at) => {
    expect(why(spec, at)).toEqual([]);
  });
});
