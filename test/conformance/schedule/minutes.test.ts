import fc from 'fast-check';

import { addPlannedByMinute, runsLeftAfter } from '../../../lambdas/core/domain/planned-times';
import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { Schedule } from '../../../lambdas/core/schedule/schedule';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { IS_DEEP } from '../../support/deep';
import { cron, exclude, interval, START_MS } from '../../support/schedule-arbitrary';
import { stepsOf } from '../../support/schedule-steps';

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];
/** Walked one by one in the comparison. */
const MAX_WALKED = 5_000;
const runs = IS_DEEP ? 2_000 : 60;

const schedule = (spec: ScheduleSpec): Schedule =>
  parseSchedule(spec, { jobKey: 'alice/report', changedAtMs: START_MS });

/** The due times in `(afterMs, throughMs]` by minute, as `next` finds them one by one. */
function walked(
  { next }: Schedule,
  afterMs: number,
  throughMs: number,
  most = Infinity,
): Map<number, number> {
  const minutes = new Map<number, number>();
  let seen = 0;
  for (let at = next(afterMs); at !== undefined && at <= throughMs && seen < most; at = next(at)) {
    const minute = Math.floor(at / MINUTE_MS);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    seen++;
  }
  return minutes;
}

/** Occurrences by their minutes, as `work` adds them, in the order of the minutes. */
function added(work: (add: (minute: number, count: number) => void) => void): Map<number, number> {
  const minutes = new Map<number, number>();
  work((minute, count) => minutes.set(minute, (minutes.get(minute) ?? 0) + count));
  return new Map([...minutes].sort(([a], [b]) => a - b));
}

/** As many hours as hold at most `MAX_WALKED` due times: at least one, at most a week. */
function throughFor(one: Schedule, afterMs: number): number {
  for (const hours of [168, 48, 24, 6])
    if (one.count(afterMs, afterMs + hours * HOUR_MS, MAX_WALKED + 1) <= MAX_WALKED)
      return afterMs + hours * HOUR_MS;
  return afterMs + HOUR_MS;
}

const seconds = fc.integer({ min: 0, max: 500 * 86_400 });
/** Days around which some zone of the arbitrary changes its clocks. */
const changes = fc
  .tuple(
    fc.constantFrom('2026-03-28', '2026-10-24', '2026-04-04', '2026-03-07', '2026-10-31', '2026-02-14'),
    fc.integer({ min: 0, max: 86_400 }),
  )
  .map(([day, sec]) => (Date.parse(day) - START_MS) / SECOND_MS + sec);

describe('adding up by minute agrees with a walk', () => {
  test.each([
    ['cron', cron],
    ['interval', interval],
  ])('of any %s', (_, specs) => {
    fc.assert(
      fc.property(specs, fc.oneof(seconds, changes), fc.integer({ min: 0, max: 999 }), (spec, sec, ms) => {
        const one = schedule(spec);
        const afterMs = START_MS + sec * SECOND_MS + ms;
        const throughMs = throughFor(one, afterMs);
        expect(added((add) => one.addByMinute(afterMs, throughMs, add))).toEqual(
          walked(one, afterMs, throughMs),
        );
      }),
      { numRuns: runs },
    );
  });

  test('of jobs whose runs are counted', () => {
    fc.assert(
      fc.property(
        fc.oneof(cron, interval),
        seconds,
        fc.integer({ min: 1, max: 2_000 }),
        (spec, sec, maxRuns) => {
          const one = schedule({ ...(spec as object), maxRuns } as ScheduleSpec);
          const job = { scheduleChangedAtMs: START_MS };
          const afterMs = START_MS + (sec % (10 * 86_400)) * SECOND_MS;
          const throughMs = throughFor(one, afterMs);
          const left = Math.max(0, runsLeftAfter(job, one, afterMs));
          expect(added((add) => addPlannedByMinute(job, one, { afterMs, throughMs }, add))).toEqual(
            walked(one, afterMs, throughMs, left),
          );
        },
      ),
      { numRuns: runs },
    );
  });

  test.each<[string, ScheduleSpec, number]>([
    ['a delay', { type: 'delay', delay: '90s' }, 1],
    ['an instant', { type: 'at', at: '2026-01-03T09:00:30Z' }, 1],
    ['a rate', 'rate(7 minutes)', 1_439],
    ['every second', { type: 'cron', expression: '* * * * * *' }, 604_800],
  ])('of %s over a week', (_, spec, count) => {
    const minutes = added((add) => schedule(spec).addByMinute(START_MS - 1, START_MS + 7 * DAY_MS - 1, add));
    expect([...minutes.values()].reduce((sum, one) => sum + one, 0)).toBe(count);
  });
});

describe('steps of a week', () => {
  const DATES = Array.from({ length: 90 }, (_, day) =>
    new Date(START_MS + 2 * day * DAY_MS).toISOString().slice(0, 10),
  );
  const TEN = Array.from({ length: 10 }, (_, at) => `${at}/7 */${at + 2} * ${1 + at}-${10 + 2 * at} * *`);
  /** Well above what a week of minutes needs: a second of CPU has tens of millions of such steps. */
  const MOST = 60_000;

  test.each<[string, ScheduleSpec]>([
    ['every second', { type: 'cron', expression: '* * * * * *', timezone: 'Europe/Berlin', jitter: '7m' }],
    ['every second, much excluded', { type: 'cron', expression: '* * * * * *', exclude: [...TEN, ...DATES] }],
    ['an interval of a second', { type: 'interval', every: '1s' }],
    ['the same, much excluded', { type: 'interval', every: '1s', exclude: [...TEN, ...DATES] }],
    ['a prime interval, much excluded', { type: 'interval', every: '61s', exclude: [...TEN, ...DATES] }],
  ])('%s', (_, spec) => {
    const one = schedule(spec);
    expect(stepsOf(() => one.addByMinute(START_MS, START_MS + 7 * DAY_MS, () => undefined))).toBeLessThan(
      MOST,
    );
  });

  test('a few hundred schedules with exclusions', () => {
    const excluding = fc
      .tuple(fc.oneof(cron, interval), fc.array(exclude, { minLength: 1, maxLength: 2 }))
      .map(([spec, more]) => ({ ...(spec as object), exclude: more.flat().slice(0, 10) }) as ScheduleSpec);
    fc.assert(
      fc.property(excluding, seconds, (spec, sec) => {
        const one = schedule(spec);
        const afterMs = START_MS + sec * SECOND_MS;
        const work = () => one.addByMinute(afterMs, afterMs + 7 * DAY_MS, () => undefined);
        expect(stepsOf(work)).toBeLessThan(MOST);
      }),
      { numRuns: 300 },
    );
  });
});
