import { calendarDraftOf, calendarOf } from '../../../console/editor/calendar-draft';
import { channelText, notificationDraftOf, notificationOf } from '../../../console/editor/notification-draft';
import { calendarDays } from '../../../console/planning/calendar-days';
import type { Notification } from '../../../client/browser';

const CALENDAR = {
  name: 'German holidays',
  timezone: 'Europe/Berlin',
  weekdays: ['SAT' as const, 'SUN' as const],
  dates: ['2026-12-25', { from: '2026-12-24T18:00', to: '2026-12-27T06:00', note: 'code freeze' }],
  yearly: ['01-01'],
};

test('a calendar comes back from its form as it was, notes included', () => {
  const draft = calendarDraftOf(CALENDAR);
  expect(draft.dates).toBe('2026-12-25\n2026-12-24T18:00/2026-12-27T06:00 code freeze');
  expect(calendarOf(draft)).toEqual(CALENDAR);
  expect(calendarOf(calendarDraftOf({}))).toEqual({ weekdays: [], dates: [], yearly: [] });
});

test('a day with a note becomes a range of one day', () => {
  const { dates } = calendarOf({ ...calendarDraftOf({}), dates: ' 2026-12-31 New Year’s Eve \n\n' });
  expect(dates).toEqual([{ from: '2026-12-31', to: '2026-12-31', note: 'New Year’s Eve' }]);
});

test('a month shows whole days, parts of days, and the notes', () => {
  const days = new Map(calendarDays(CALENDAR, '2026-12').map((day) => [day.date.slice(8), day]));
  const has = (date: string) => days.get(date)!.has;
  expect(['23', '24', '25', '26', '27', '28', '05'].map(has)).toEqual([
    undefined,
    'part',
    'all',
    'all',
    'all', // a Sunday
    undefined,
    'all',
  ]);
  expect(days.get('24')!.notes).toEqual(['code freeze']);
  expect(calendarDays(CALENDAR, '2027-01')[0]!.has).toBe('all');
  const friday = { dates: [{ from: '2026-12-03T00:00', to: '2026-12-05T00:00' }] };
  expect(calendarDays(friday, '2026-12').flatMap(({ date, has: one }) => (one ? [[date, one]] : []))).toEqual(
    [
      ['2026-12-03', 'all'],
      ['2026-12-04', 'all'],
    ],
  );
});

describe('a notification in its form', () => {
  const of = (target: unknown, more: object = {}) =>
    ({
      id: 'ops',
      on: ['failed', 'late'],
      lateAfter: '5m',
      target,
      minInterval: '10m',
      format: 'slack',
      ...more,
    }) as unknown as Notification;

  test.each([
    ['http', { type: 'http', url: 'https://hooks.example.com/x' }, 'https://hooks.example.com/x'],
    ['pagerduty', { type: 'pagerduty', routingKey: '{{ secrets.pd }}' }, '{{ secrets.pd }}'],
    ['pagerduty', { type: 'pagerduty', routingKey: '{{ secrets.pd }}', region: 'eu' }, '{{ secrets.pd }}'],
    ['pagerduty', { type: 'pagerduty', routingKey: '{{ secrets.pd }}', region: 'us' }, '{{ secrets.pd }}'],
    ['incident-io', { type: 'incident-io', sourceId: '01GW', token: '{{ secrets.io }}' }, '{{ secrets.io }}'],
    ['json', { type: 'sqs', queueUrl: 'https://sqs.example.com/q' }, 'sqs'],
  ])('goes to a target %s and comes back as it was', (channel, target, text) => {
    const more = /pagerduty|incident-io/.test(channel)
      ? { format: 'json', severity: { failed: 'critical' } }
      : {};
    const notification = of(target, { filter: { tag: 'team:billing' }, ...more });
    const draft = notificationDraftOf(notification);
    expect(draft.channel).toBe(channel);
    expect(channelText(notification)).toBe(text);
    const { id: _, ...definition } = { ...notification };
    expect(notificationOf(draft)).toEqual(definition);
  });

  test('has severities of incidents alone, and none where the usual one is chosen', () => {
    const target = { type: 'pagerduty', routingKey: '{{ secrets.pd }}' };
    const severity = { failed: 'critical', late: 'info' };
    const draft = notificationDraftOf(of(target, { format: 'json', severity }));
    const usual = { ...draft, severity: { ...draft.severity, late: undefined } };
    expect(notificationOf(usual).severity).toEqual({ failed: 'critical' });
    expect(notificationOf({ ...usual, channel: 'http' })).not.toHaveProperty('severity');
    const none = { ...draft, severity: { failed: undefined } };
    expect(notificationOf(none)).not.toHaveProperty('severity');
  });

  test('keeps headers and auth of a target by showing it as JSON', () => {
    const target = { type: 'http', url: 'https://x.example.com', headers: { 'x-a': '1' } };
    const draft = notificationDraftOf(of(target));
    expect(draft.channel).toBe('json');
    expect(notificationOf(draft).target).toEqual(target);
  });

  test('has no time for lateness without `late`, and text for email', () => {
    const draft = {
      ...notificationDraftOf(of({ type: 'email', to: 'a@example.com' })),
      on: ['failed' as const],
    };
    expect(notificationOf(draft)).toEqual({
      on: ['failed'],
      target: { type: 'email', to: 'a@example.com' },
      minInterval: '10m',
      format: 'json',
    });
  });
});
