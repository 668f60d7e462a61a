import { Calendar } from '../../../../lambdas/core/schedule/calendar';
import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import { preview } from '../../../../lambdas/core/schedule/preview';
import type { CronSpec, ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const context = { jobKey: 'alice/report', changedAtMs: Date.parse('2026-03-07T07:30:00Z') };

const FREEZE = { id: 'freeze', calendar: new Calendar({ weekdays: [], dates: [], yearly: [] }) };

const shown = (spec: ScheduleSpec, from: string, count: number): [local: string, note?: string][] =>
  preview(parseSchedule(spec, context), Date.parse(from), count).map(({ local, note }) =>
    note === undefined ? [local] : [local, note],
  );

const newYork = (expression: string, dst?: CronSpec['dst']): CronSpec => ({
  type: 'cron',
  expression,
  timezone: 'America/New_York',
  dst,
});

describe('a preview', () => {
  it('lists instants and local times, and says nothing where nothing happens', () => {
    expect(
      preview(parseSchedule(newYork('30 9 * * *'), context), Date.parse('2026-07-01T00:00:00Z'), 2),
    ).toEqual([
      { atMs: Date.parse('2026-07-01T13:30:00Z'), local: '2026-07-01T09:30:00-04:00' },
      { atMs: Date.parse('2026-07-02T13:30:00Z'), local: '2026-07-02T09:30:00-04:00' },
    ]);
  });

  it('says what a gap moved or dropped', () => {
    expect(shown(newYork('30 2 * * *'), '2026-03-07T12:00:00Z', 2)).toEqual([
      [
        '2026-03-08T03:00:00-04:00',
        '02:30 does not exist on 2026-03-08 (clocks go from 02:00 to 03:00): moved here',
      ],
      ['2026-03-09T02:30:00-04:00'],
    ]);
    expect(shown(newYork('0,30 2,3 * * *', { gap: 'skip' }), '2026-03-07T12:00:00Z', 2)).toEqual([
      [
        '2026-03-08T03:00:00-04:00',
        '02:00 and later times do not exist on 2026-03-08 (clocks go from 02:00 to 03:00): dropped',
      ],
      ['2026-03-08T03:30:00-04:00'],
    ]);
  });

  it('says what a gap dropped among thousands of times that a calendar excludes', () => {
    const weekend = { dates: [{ from: '2026-03-06', to: '2026-03-08' }], yearly: [], weekdays: [] };
    const schedule = parseSchedule(
      { ...newYork('* * * * *'), exclude: [{ calendar: 'weekend' }] },
      { ...context, calendars: [{ id: 'weekend', calendar: new Calendar(weekend) }] },
    );
    const [first] = preview(schedule, Date.parse('2026-03-06T04:59:00Z'), 1);
    expect(first).toEqual({
      atMs: Date.parse('2026-03-09T04:00:00Z'),
      local: '2026-03-09T00:00:00-04:00',
      note:
        '02:00 and later times do not exist on 2026-03-08 (clocks go from 02:00 to 03:00): dropped; ' +
        '2026-03-06 00:00 is left out: weekend (2026-03-06 to 2026-03-08), and 4259 more through 2026-03-08 23:59; weekend knows nothing after 2026-03-08',
    });
  });

  it('says which pass of a repeated hour it is', () => {
    const [first, second] = [
      '01:30 comes twice on 2026-11-01: this is the first',
      '01:30 comes twice on 2026-11-01: this is the second',
    ];
    expect(shown(newYork('30 1 * * *'), '2026-11-01T00:00:00Z', 2)).toEqual([
      ['2026-11-01T01:30:00-04:00', first],
      ['2026-11-02T01:30:00-05:00'],
    ]);
    expect(shown(newYork('30 1 * * *', { overlap: 'second' }), '2026-11-01T00:00:00Z', 1)).toEqual([
      ['2026-11-01T01:30:00-05:00', second],
    ]);
    expect(shown(newYork('30 1 * * *', { overlap: 'both' }), '2026-11-01T00:00:00Z', 2)).toEqual([
      ['2026-11-01T01:30:00-04:00', `${first}, both count`],
      ['2026-11-01T01:30:00-05:00', `${second}, both count`],
    ]);
  });

  it('says which date a zone never had', () => {
    const apia: CronSpec = { type: 'cron', expression: '0 9 * * *', timezone: 'Pacific/Apia' };
    expect(shown(apia, '2011-12-29T20:00:00Z', 1)).toEqual([
      [
        '2011-12-31T09:00:00+14:00',
        '09:00 does not exist on 2011-12-30 (clocks go from 2011-12-30 00:00 to 2011-12-31 00:00): dropped',
      ],
    ]);
  });

  it('is silent about changes before the schedule starts', () => {
    const spec = { ...newYork('30 2 * * *', { gap: 'skip' }), startAt: '2026-04-01T00:00:00Z' };
    expect(shown(spec, '2026-03-01T00:00:00Z', 1)).toEqual([['2026-04-01T02:30:00-04:00']]);
  });

  it('says where a fixed spacing moves the time of day', () => {
    const spec: ScheduleSpec = { type: 'interval', every: '24h', timezone: 'America/New_York' };
    expect(shown(spec, '2026-03-06T00:00:00Z', 3)).toEqual([
      ['2026-03-08T03:30:00-04:00'],
      ['2026-03-09T03:30:00-04:00'],
      ['2026-03-10T03:30:00-04:00'],
    ]);
    expect(shown({ ...spec, anchor: '2026-03-07T07:30:00Z' }, '2026-03-06T00:00:00Z', 2)).toEqual([
      ['2026-03-07T02:30:00-05:00'],
      ['2026-03-08T03:30:00-04:00', 'clocks went forward by 01:00: the spacing stays, the time of day moves'],
    ]);
  });

  it('notes the planned time of a jittered occurrence, and shows the real one', () => {
    const [only] = preview(
      parseSchedule({ ...newYork('30 2 * * *'), jitter: '1h' }, context),
      Date.parse('2026-03-07T12:00:00Z'),
      1,
    );
    expect(only).toEqual({
      atMs: Date.parse('2026-03-08T07:05:48Z'),
      local: '2026-03-08T03:05:48-04:00',
      note: '02:30 does not exist on 2026-03-08 (clocks go from 02:00 to 03:00): moved here',
    });
  });

  it('ends with the schedule, by its count too', () => {
    expect(shown({ ...newYork('30 9 * * *'), maxRuns: 2 }, '2026-07-01T00:00:00Z', 5)).toHaveLength(2);
    expect(shown('at(2026-12-01T09:00:00)', '2026-07-01T00:00:00Z', 5)).toEqual([
      ['2026-12-01T09:00:00+00:00'],
    ]);
  });

  it('shows rare times, and with calendars those of 100 years', () => {
    const from = Date.parse('2027-01-01T00:00:00Z');
    const leapDays: CronSpec = { type: 'cron', expression: '0 0 29 2 *' };
    const lastOf = (spec: CronSpec) =>
      preview(parseSchedule(spec, { ...context, calendars: [FREEZE] }), from, 100).at(-1)!.local;
    expect(lastOf(leapDays)).toBe('2436-02-29T00:00:00+00:00');
    const withCalendar = { ...leapDays, exclude: [{ calendar: 'freeze' }] };
    expect(lastOf(withCalendar)).toBe('2128-02-29T00:00:00+00:00');
  });

  it('says once after which day a calendar knows nothing', () => {
    const calendar = (dates: string[], weekdays: 'SAT'[] = []) =>
      new Calendar({ weekdays, yearly: [], dates });
    const calendars = [
      { id: 'de', calendar: calendar(['2026-12-25', '2026-12-26']) },
      { id: 'fr', calendar: calendar(['2026-12-29'], ['SAT']) },
      { id: 'none', calendar: calendar([]) },
    ];
    const spec: CronSpec = {
      type: 'cron',
      expression: '0 9 * * *',
      timezone: 'Europe/Berlin',
      exclude: calendars.map(({ id }) => ({ calendar: id })),
    };
    const notes = (from: string, onExcluded: 'skip' | 'next-day') =>
      preview(parseSchedule({ ...spec, onExcluded }, { ...context, calendars }), Date.parse(from), 4).map(
        ({ local, note }) => `${local.slice(0, 10)} ${note ?? ''}`,
      );
    expect(notes('2026-12-26T12:00:00Z', 'skip')).toEqual([
      '2026-12-27 de knows nothing after 2026-12-26',
      '2026-12-28 ',
      '2026-12-30 2026-12-29 09:00 is left out: fr (2026-12-29); fr knows nothing after 2026-12-29 but what recurs',
      '2026-12-31 ',
    ]);
    expect(notes('2027-05-01T12:00:00Z', 'next-day')[0]).toBe(
      '2027-05-02 moved here from 2027-05-01 09:00: fr (SAT); de knows nothing after 2026-12-26; fr knows nothing after 2026-12-29 but what recurs',
    );
  });
});
