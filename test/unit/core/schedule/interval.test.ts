import fc from 'fast-check';

import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import type { ScheduleSpec } from '../../../../lambdas/core/schedule/spec';

const changedAtMs = Date.parse('2026-11-20T10:00:07.500Z');
const schedule = (spec: ScheduleSpec) => parseSchedule(spec, { jobKey: 'alice/report', changedAtMs });

function times(spec: ScheduleSpec, from: string, count: number): string[] {
  const found: string[] = [];
  let atMs = schedule(spec).next(Date.parse(from));
  while (atMs !== undefined && found.length < count) {
    found.push(new Date(atMs).toISOString());
    atMs = schedule(spec).next(atMs);
  }
  return found;
}

describe('a fixed interval', () => {
  it('keeps to the grid of its anchor, and begins with it', () => {
    const spec = { type: 'interval', every: '30s', anchor: '2026-12-01T00:00:00Z' } as const;
    expect(times(spec, '2026-11-20T00:00:00Z', 2)).toEqual([
      '2026-12-01T00:00:00.000Z',
      '2026-12-01T00:00:30.000Z',
    ]);
    expect(times(spec, '2027-01-01T00:00:29.999Z', 1)).toEqual(['2027-01-01T00:00:30.000Z']);
  });

  it('counts from the change of the schedule where it has no anchor, one interval later first', () => {
    const spec = { type: 'interval', every: '1h' } as const;
    expect(times(spec, '2026-11-20T10:00:00.000Z', 1)).toEqual(['2026-11-20T11:00:07.500Z']);
    expect(times('rate(1 hour)', '2026-11-20T10:00:07.500Z', 1)).toEqual(['2026-11-20T11:00:07.500Z']);
    expect(schedule(spec).occursAt(changedAtMs)).toBe(false);
  });

  it('takes a local anchor in its zone, and real hours through a change of clocks', () => {
    const spec = {
      type: 'interval',
      every: '24h',
      anchor: '2026-10-24T12:00',
      timezone: 'Europe/Berlin',
    } as const;
    expect(times(spec, '2026-10-24T00:00:00Z', 2)).toEqual([
      '2026-10-24T10:00:00.000Z',
      '2026-10-25T10:00:00.000Z',
    ]);
  });

  it('is counted without a walk', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: -5_000, max: 5_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.constantFrom<object>(
          {},
          { anchor: '2026-11-20T10:00:00Z' },
          { jitter: '1h' },
          { startAt: '2026-11-20T10:10:00Z' },
          {
            endAt: '2026-11-20T10:30:00Z',
            startAt: '2026-11-20T10:10:00Z',
          },
        ),
        (everySec, fromSec, lengthSec, more) => {
          const every = schedule({ type: 'interval', every: `${everySec}s`, ...more });
          const [afterMs, throughMs] = [
            changedAtMs + fromSec * 1000,
            changedAtMs + (fromSec + lengthSec) * 1000,
          ];
          let walked = 0;
          for (
            let atMs = every.next(afterMs);
            atMs !== undefined && atMs <= throughMs;
            atMs = every.next(atMs)
          ) {
            expect(every.occursAt(atMs)).toBe(true);
            walked++;
          }
          expect(every.count(afterMs, throughMs, 1e9)).toBe(walked);
          expect(every.count(afterMs, throughMs, 3)).toBe(Math.min(walked, 3));
        },
      ),
    );
    const everySecond = schedule({ type: 'interval', every: '1s', anchor: '1970-01-01T00:00:00Z' });
    expect(everySecond.count(0, Date.UTC(2100, 0, 1), Number.POSITIVE_INFINITY)).toBe(
      Date.UTC(2100, 0, 1) / 1000,
    );
  });
});

describe('an interval of months', () => {
  it('comes back to the 31st after shorter months', () => {
    const spec = { type: 'interval', every: 'P1M', anchor: '2026-01-31T09:00:00Z' } as const;
    expect(times(spec, '2026-01-01T00:00:00Z', 4).map((at) => at.slice(0, 10))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ]);
  });

  it('keeps the local time of its zone', () => {
    const spec = {
      type: 'interval',
      every: 'P6M',
      anchor: '2026-01-10T09:00',
      timezone: 'Europe/Berlin',
    } as const;
    expect(times(spec, '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-10T08:00:00.000Z',
      '2026-07-10T07:00:00.000Z',
      '2027-01-10T08:00:00.000Z',
    ]);
  });

  it('shifts over a gap, or leaves it out', () => {
    const spec = {
      type: 'interval',
      every: 'P1M',
      anchor: '2026-02-08T02:30',
      timezone: 'America/New_York',
    } as const;
    expect(times(spec, '2026-02-09T00:00:00Z', 2)).toEqual([
      '2026-03-08T07:00:00.000Z',
      '2026-04-08T06:30:00.000Z',
    ]);
    expect(times({ ...spec, dst: { gap: 'skip' } }, '2026-02-09T00:00:00Z', 1)).toEqual([
      '2026-04-08T06:30:00.000Z',
    ]);
  });

  describe('whose anchor lies in repeated time', () => {
    const first = '2026-11-01T05:30:00.000Z';
    const second = '2026-11-01T06:30:00.000Z';
    const december = '2026-12-01T06:30:00.000Z';
    const from = (anchor: string, overlap?: 'first' | 'second' | 'both', exclude?: string[]) =>
      times(
        {
          type: 'interval',
          every: 'P1M',
          anchor,
          timezone: 'America/New_York',
          dst: { overlap },
          exclude,
        },
        '2026-10-01T00:00:00Z',
        2,
      );

    it('begins with that instant, whichever pass the policy takes', () => {
      expect(from(second)).toEqual([second, december]);
      expect(from(first)).toEqual([first, december]);
      expect(from(first, 'second')).toEqual([first, december]);
      expect(from(second, 'second')).toEqual([second, december]);
      expect(from(second, 'both')).toEqual([second, december]);
      expect(from(first, 'both')).toEqual([first, second]);
    });

    it('takes the policy where the anchor is local time', () => {
      expect(from('2026-11-01T01:30', 'first')).toEqual([first, december]);
      expect(from('2026-11-01T01:30', 'second')).toEqual([second, december]);
      expect(from('2026-11-01T01:30', 'both')).toEqual([first, second]);
    });

    it('leaves the anchor out where it is excluded', () => {
      expect(from(second, 'first', ['2026-11-01'])[0]).toBe(december);
      expect(from(first, 'both', ['2026-11-01'])[0]).toBe(december);
    });
  });

  it('keeps the local time of an anchor that the clocks skip', () => {
    const spec = {
      type: 'interval',
      every: 'P1M',
      anchor: '2026-03-08T02:30:00',
      timezone: 'America/New_York',
    } as const;
    expect(times(spec, '2026-03-01T00:00:00Z', 3)).toEqual([
      '2026-03-08T07:00:00.000Z',
      '2026-04-08T06:30:00.000Z',
      '2026-05-08T06:30:00.000Z',
    ]);
    expect(times({ ...spec, dst: { gap: 'skip' } }, '2026-03-01T00:00:00Z', 1)).toEqual([
      '2026-04-08T06:30:00.000Z',
    ]);
  });

  it('puts a leap day on the last of February in other years', () => {
    const spec = { type: 'interval', every: 'P1Y', anchor: '2024-02-29T00:00:00Z' } as const;
    expect(times(spec, '2025-01-01T00:00:00Z', 4).map((at) => at.slice(0, 10))).toEqual([
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it('counts from the change of the schedule to the millisecond', () => {
    expect(times({ type: 'interval', every: 'P1M' }, '2026-11-20T10:00:00Z', 1)).toEqual([
      '2026-12-20T10:00:07.500Z',
    ]);
  });
});

describe('an interval is refused', () => {
  it.each(['0s', '999d999', 'PT0S', '3654d', 'P11Y', 'P1M1D', '500ms', ''])('every %j', (every) => {
    expect(() => schedule({ type: 'interval', every })).toThrow(expect.objectContaining({ path: 'every' }));
  });

  it('with an anchor that is no time', () => {
    expect(() => schedule({ type: 'interval', every: '1h', anchor: 'yesterday' })).toThrow(
      expect.objectContaining({ path: 'anchor' }),
    );
  });
});
