import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const changedAtMs = Date.parse('2026-11-20T10:00:07.500Z');
const read = (spec: ScheduleSpec) => parseSchedule(spec, { jobKey: 'alice/report', changedAtMs });

/** The one due time. */
function due(spec: ScheduleSpec): string {
  const schedule = read(spec);
  const atMs = schedule.next(0)!;
  expect(schedule.oneTime).toBe(true);
  expect(schedule.next(atMs)).toBeUndefined();
  expect([schedule.occursAt(atMs), schedule.occursAt(atMs + 1), schedule.count(0, atMs, 10)]).toEqual([
    true,
    false,
    1,
  ]);
  return new Date(atMs).toISOString();
}

describe('a one-time schedule', () => {
  it.each<[ScheduleSpec, string]>([
    [{ type: 'at', at: '2026-12-01T09:00:00Z' }, '2026-12-01T09:00:00.000Z'],
    [{ type: 'at', at: '2026-12-01T09:00:00.1239+02:30' }, '2026-12-01T06:30:00.123Z'],
    [{ type: 'at', at: '2026-12-01t09:00z', timezone: 'Asia/Tokyo' }, '2026-12-01T09:00:00.000Z'],
    [{ type: 'at', at: '2026-12-01T09:00:00.5', timezone: 'Asia/Tokyo' }, '2026-12-01T00:00:00.500Z'],
    [{ type: 'at', at: '2026-03-08T02:30:00.5', timezone: 'America/New_York' }, '2026-03-08T07:00:00.000Z'],
    [{ type: 'delay', delay: '10m' }, '2026-11-20T10:10:07.500Z'],
    [{ type: 'delay', delay: 'PT1S' }, '2026-11-20T10:00:08.500Z'],
    ['at(2026-12-01T09:00:00)', '2026-12-01T09:00:00.000Z'],
  ])('%j is due at %s', (spec, at) => {
    expect(due(spec)).toBe(at);
  });

  it.each<[path: string, spec: ScheduleSpec]>([
    ['at', { type: 'at', at: '2026-12-01T09:00:00' }], // whose nine o'clock?
    ['at', { type: 'at', at: '2026-02-29T00:00', timezone: 'UTC' }],
    ['at', { type: 'at', at: '2026-13-01T00:00:00Z' }],
    ['at', { type: 'at', at: '2026-12-01T24:00:00Z' }],
    ['at', { type: 'at', at: '2026-12-01T09:00:60Z' }],
    ['at', { type: 'at', at: '2026-12-01T09:00:00+25:00' }],
    ['at', { type: 'at', at: '2026-12-01' }],
    ['at', { type: 'at', at: '2026-12-01 09:00:00Z' }],
    ['at', { type: 'at', at: '9999-12-31T00:00:00Z' }],
    ['at', { type: 'at', at: '1969-12-31T23:59:59Z' }],
    ['at', { type: 'at', at: '2011-12-30T12:00', timezone: 'Pacific/Apia' }],
    ['timezone', { type: 'at', at: '2026-12-01T09:00:00Z', timezone: 'Nowhere' }],
    ['delay', { type: 'delay', delay: '0s' }],
    ['delay', { type: 'delay', delay: 'P1M' }],
    ['delay', { type: 'delay', delay: '3654d' }],
    ['', 'at(2026-12-01T09:00:00Z)'],
    ['', 'at(2026-02-30T09:00:00)'],
    ['', 'at(9999-01-01T00:00:00)'],
  ])('is refused at %j: %j', (path, spec) => {
    expect(() => read(spec)).toThrow(expect.objectContaining({ name: 'ScheduleError', path }));
  });
});
