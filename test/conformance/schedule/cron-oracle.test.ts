import fc from 'fast-check';

import type { ClockChanges, NaiveCron } from '../../support/naive-cron';
import { naiveCron, naiveTimes, specialMonthDay, specialWeekday } from '../../support/naive-cron';
import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { Schedule } from '../../../lambdas/core/schedule/schedule';
import { zoneNames } from '../../../lambdas/core/schedule/zone-names';
import { IS_DEEP } from '../../support/deep';

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Changes of clocks that have caught schedulers out before: a zone and a day near it. */
const NOTABLE: readonly [zone: string, day: string][] = [
  ['Australia/Lord_Howe', '2026-04-05'], // half an hour back
  ['Australia/Lord_Howe', '2025-10-05'], // and forth
  ['Antarctica/Troll', '2026-03-29'], // two hours
  ['Antarctica/Troll', '2026-10-25'],
  ['Antarctica/Casey', '2018-10-07'], // three hours: the longest gap that is shifted over
  ['Antarctica/Casey', '2020-10-04'],
  ['Antarctica/Vostok', '1994-11-01'], // seven hours
  ['Pacific/Apia', '2011-12-30'], // a day that never was
  ['Pacific/Kwajalein', '1993-08-21'],
  ['America/Sao_Paulo', '2018-11-04'], // no midnight
  ['America/Sao_Paulo', '2018-02-18'], // midnight twice
  ['America/Havana', '2025-03-09'],
  ['America/Havana', '2025-11-02'],
  ['Asia/Beirut', '2025-03-30'],
  ['Africa/Cairo', '2025-04-25'],
  ['Africa/Cairo', '2025-10-31'],
  ['America/Nuuk', '2025-03-30'], // Saturday's 23:00 is Sunday
  ['America/St_Johns', '1988-04-03'], // at 00:01, two hours
  ['America/St_Johns', '1988-10-30'],
  ['Africa/Casablanca', '2026-02-15'], // Ramadan: back for a month
  ['Africa/Casablanca', '2026-03-22'],
  ['Europe/Dublin', '2026-10-25'], // summer time is standard time there
  ['Asia/Pyongyang', '2018-05-05'],
  ['Asia/Pyongyang', '2015-08-15'],
  ['America/Caracas', '2007-12-09'],
  ['America/Montevideo', '1974-01-13'], // ninety minutes
  ['Asia/Kathmandu', '1986-01-01'],
  ['Asia/Gaza', '2040-10-24'], // two changes within a week
  ['America/Noronha', '2000-10-12'],
  ['Europe/Moscow', '2014-10-26'], // for good
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
];

const notable = fc.constantFrom(...NOTABLE).map(([zone, day]) => ({ zone, aroundMs: Date.parse(day) }));
const anywhere = fc
  .record({
    // Monrovia had offsets with seconds until 1972
    zone: fc.constantFrom(...zoneNames()).filter((zone) => zone !== 'Africa/Monrovia'),
    aroundMs: fc.integer({ min: Date.UTC(1970, 0, 5), max: Date.UTC(2100, 0, 1) }),
  })
  .map(({ zone, aroundMs }) => ({ zone, aroundMs: firstChangeAfter(zone, aroundMs) ?? aroundMs }));

/** A day within the year that follows on which the zone's clocks change. */
function firstChangeAfter(zone: string, fromMs: number): number | undefined {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    year: 'numeric',
  });
  const offsetAt = (ms: number) => format.format(ms).split('GMT')[1];
  const before = offsetAt(fromMs);
  for (let ms = fromMs; ms < fromMs + 365 * DAY_MS; ms += DAY_MS) if (offsetAt(ms) !== before) return ms;
  return undefined;
}

const clockChanges: fc.Arbitrary<ClockChanges> = fc.record({
  gap: fc.constantFrom('shift', 'skip'),
  overlap: fc.constantFrom('first', 'second', 'both'),
});

const engine = ({ expression }: NaiveCron, timezone: string, dst?: ClockChanges): Schedule =>
  parseSchedule({ type: 'cron', expression, timezone, dst }, { jobKey: 'alice/report', changedAtMs: 0 });

function timesBetween(schedule: Schedule, fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (let atMs = schedule.next(fromMs - 1); atMs !== undefined && atMs < toMs; atMs = schedule.next(atMs)) {
    times.push(atMs);
  }
  return times;
}

/** Same times, and the same from wherever one begins. */
function expectAgreement(schedule: Schedule, expected: number[], fromMs: number, toMs: number): void {
  expect(timesBetween(schedule, fromMs, toMs).map(iso)).toEqual(expected.map(iso));
  expect(schedule.count(fromMs - 1, toMs - 1, 1_000_000)).toBe(expected.length);
  const probes = [
    fromMs,
    (fromMs + toMs) / 2,
    ...expected.slice(0, 3).flatMap((atMs) => [atMs - 1, atMs, atMs + 1]),
  ];
  for (const probeMs of probes) {
    const following = expected.find((atMs) => atMs > probeMs);
    if (following !== undefined) expect(schedule.next(probeMs)).toBe(following);
    expect(schedule.occursAt(probeMs)).toBe(expected.includes(probeMs));
  }
}

/** The cases differ in each run, so a few of them per run are many over time. */
const runs = (deep: number): number => (IS_DEEP ? deep : Math.ceil(deep / 25));

const daysBetween = (fromMs: number, toMs: number): number[] =>
  Array.from({ length: (toMs - fromMs) / DAY_MS }, (_, index) => fromMs + index * DAY_MS);

const iso = (ms: number): string => new Date(ms).toISOString();

describe('cron against a walk through wall time', () => {
  it.each([
    ['where clocks are known to change oddly', notable, runs(1_000)],
    ['at changes of any zone, 1970 to 2100', anywhere, runs(700)],
  ])('agrees, minute by minute, %s', (_, zoneAndTime, numRuns) => {
    fc.assert(
      fc.property(
        naiveCron({ times: 'minutes', days: 'most' }),
        zoneAndTime,
        clockChanges,
        (cron, at, changes) => {
          const fromMs = Math.floor(at.aroundMs / MINUTE_MS) * MINUTE_MS - 0.75 * DAY_MS;
          const toMs = fromMs + 1.75 * DAY_MS;
          const window = { fromMs, toMs, stepMs: MINUTE_MS, marginMs: 4 * HOUR_MS };
          const expected = naiveTimes(cron, at.zone, changes, window);
          expectAgreement(engine(cron, at.zone, changes), expected, fromMs, toMs);
        },
      ),
      { numRuns },
    );
  });

  it('agrees, second by second', () => {
    const instants = fc.constantFrom<[zone: string, instant: string]>(
      ['America/New_York', '2026-03-08T07:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
      ['America/St_Johns', '1988-04-03T03:31:00Z'],
      ['Africa/Monrovia', '1972-01-07T00:44:30Z'], // from -00:44:30 to 0
      ['Europe/London', '2026-06-01T00:00:00Z'],
    );
    fc.assert(
      fc.property(
        naiveCron({ times: 'seconds', days: 'most' }),
        instants,
        clockChanges,
        (cron, [zone, at], changes) => {
          const [fromMs, toMs] = [Date.parse(at) - 0.5 * HOUR_MS, Date.parse(at) + 0.5 * HOUR_MS];
          const window = { fromMs, toMs, stepMs: SECOND_MS, marginMs: 1.25 * HOUR_MS };
          expectAgreement(engine(cron, zone, changes), naiveTimes(cron, zone, changes, window), fromMs, toMs);
        },
      ),
      { numRuns: runs(250) },
    );
  });

  it('agrees on days, L W and # included, over years', () => {
    const years = fc.integer({ min: 1970, max: 2199 });
    fc.assert(
      fc.property(naiveCron({ times: 'midnight', days: 'any' }), years, (cron, year) => {
        const [fromMs, toMs] = [Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)];
        const expected = daysBetween(fromMs, toMs).filter((dayMs) => cron.means(new Date(dayMs)));
        expect(timesBetween(engine(cron, 'UTC'), fromMs, toMs).map(iso)).toEqual(expected.map(iso));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('agrees on each special day field alone', () => {
    const alone = fc.oneof(
      specialMonthDay.map((day) => ({ ...day, text: `0 0 ${day.text} * *` })),
      specialWeekday.map((day) => ({ ...day, text: `0 0 * * ${day.text}` })),
    );
    fc.assert(
      fc.property(alone, fc.integer({ min: 1970, max: 2199 }), ({ text, means }, year) => {
        const [fromMs, toMs] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
        const expected = daysBetween(fromMs, toMs).filter((dayMs) => means(new Date(dayMs)));
        const schedule = engine({ expression: text, means, interval: false }, 'UTC');
        expect(timesBetween(schedule, fromMs, toMs).map(iso)).toEqual(expected.map(iso));
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('next() is strictly later than any instant, and skips no time in between', () => {
    fc.assert(
      fc.property(
        naiveCron({ times: 'seconds', days: 'any' }),
        fc.constantFrom(...zoneNames()),
        fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2150, 0, 1) }),
        clockChanges,
        (cron, zone, fromMs, changes) => {
          const schedule = engine(cron, zone, changes);
          let lastMs = fromMs;
          for (let step = 0; step < 10; step++) {
            const atMs = schedule.next(lastMs);
            if (atMs === undefined) return;
            expect(atMs).toBeGreaterThan(lastMs);
            expect(schedule.next(lastMs + Math.floor((atMs - lastMs - 1) / 2))).toBe(atMs);
            lastMs = atMs;
          }
        },
      ),
      { numRuns: runs(3_000) },
    );
  });
});
