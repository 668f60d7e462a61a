import {
  type Await,
  type AwaitWindow,
  namedWindow,
  nextAwaitCheckMs,
  windowBetween,
} from '../../../../../lambdas/core/domain/workflow/await';
import { parseTimeZone } from '../../../../../lambdas/core/schedule/time-zone';

const BERLIN = parseTimeZone('Europe/Berlin');
const iso = (ms: number) => new Date(ms).toISOString();

test.each<[AwaitWindow, string, string, string]>([
  ['same-hour', '2026-12-01T08:30:00Z', '2026-12-01T08:00:00.000Z', '2026-12-01T09:00:00.000Z'],
  ['previous-hour', '2026-12-01T00:30:00Z', '2026-11-30T23:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['same-day', '2026-12-01T23:30:00Z', '2026-12-01T23:00:00.000Z', '2026-12-02T23:00:00.000Z'],
  ['previous-day', '2026-03-30T08:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['same-week', '2026-12-06T12:00:00Z', '2026-11-29T23:00:00.000Z', '2026-12-06T23:00:00.000Z'],
  ['previous-week', '2026-12-06T12:00:00Z', '2026-11-22T23:00:00.000Z', '2026-11-29T23:00:00.000Z'],
  ['same-month', '2026-10-15T12:00:00Z', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['previous-month', '2026-03-31T12:00:00Z', '2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'],
])('%s around %s, by the days of Berlin', (name, around, from, to) => {
  const { fromMs, toMs } = namedWindow(name, Date.parse(around), BERLIN);
  expect([iso(fromMs), iso(toMs)]).toEqual([from, to]);
});

test('a window between two times has to have a length', () => {
  const window = windowBetween({ from: '2026-12-01', to: '2026-12-01T06:00' }, BERLIN);
  expect([iso(window.fromMs), iso(window.toMs)]).toEqual([
    '2026-11-30T23:00:00.000Z',
    '2026-12-01T05:00:00.000Z',
  ]);
  const empty = { from: '2026-12-01', to: '2026-12-01' };
  expect(() => windowBetween(empty, BERLIN)).toThrow('the window from 2026-12-01 to 2026-12-01 is empty');
});

test('it asks again on a grid of ten seconds, and at the end of its wait', () => {
  const awaits = { checkEvery: '30s' } as Await;
  const nowMs = Date.parse('2026-12-01T08:00:01Z');
  expect(iso(nextAwaitCheckMs(awaits, nowMs, nowMs + 3_600_000))).toBe('2026-12-01T08:00:40.000Z');
  expect(iso(nextAwaitCheckMs(awaits, nowMs, nowMs + 5_000))).toBe('2026-12-01T08:00:07.000Z');
});
