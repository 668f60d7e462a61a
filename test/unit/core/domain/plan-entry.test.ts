import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import type { OccurrenceEntry } from '../../../../lambdas/core/domain/entry';
import { entryAfter, scheduleOf } from '../../../../lambdas/core/domain/entry-planning';
import type { Job, MisfirePolicy } from '../../../../lambdas/core/domain/job';
import {
  catchUpPacer,
  planEntryAndNext,
  planEntryOnly,
  planResend,
  type PlanEntry,
} from '../../../../lambdas/core/domain/plan-entry';
import { aJob, aMessage, anOccurrenceEntry, T0_MS } from '../../../support/factories';

const HORIZON_MS = 3 * MINUTE_MS;
/** How far ahead the scanner may have read: the horizon, and two minutes for clock skew and slow writes. */
const SCANNED_MS = HORIZON_MS + 2 * MINUTE_MS;

const anchor = new Date(T0_MS).toISOString();
/** What a job with the usual target sends. */
const sentMessage: typeof aMessage = (overrides) => aMessage({ origin: 'https://example.com', ...overrides });
const every = (interval: string, overrides: Partial<Job> = {}, maxRuns?: number): Job =>
  aJob({ schedule: { type: 'interval', every: interval, anchor, maxRuns }, ...overrides });
const minutely = (policy: MisfirePolicy, maxRuns?: number) =>
  every('1m', { misfire: { policy, grace: '60s', catchUpWindow: '1h' } }, maxRuns);

/** The entry of the job's first bucket from T0 on. */
const entryAtT0 = (job: Job): OccurrenceEntry =>
  entryAfter(job, scheduleOf(job), { afterMs: T0_MS - 1, runsBefore: 0, shard: 0, nowMs: 0 })!;

/** What a plan does; all times in seconds since T0. */
function planned(
  plan: PlanEntry,
  job: Job,
  at: { nowMs: number; entry?: OccurrenceEntry; pacedMs?: number },
) {
  const { nowMs, entry = entryAtT0(job), pacedMs } = at;
  const { skipped, entries, next, messages } = plan(entry, job, scheduleOf(job), {
    nowMs: T0_MS + nowMs,
    horizonMs: HORIZON_MS,
    shard: 5,
    nextCatchUpMs: catchUpPacer(T0_MS + (pacedMs ?? nowMs)),
  });
  const sec = (ms: number) => (ms - T0_MS) / SECOND_MS;
  expect(next === undefined || entries.includes(next)).toBe(true);
  return {
    ...(skipped && { skips: [sec(skipped.fromMs), sec(skipped.toMs)] }),
    ...(next && { next: [sec(next.dueAtMs), sec(next.throughMs)] }),
    catchUps: entries.filter(({ catchUp }) => catchUp).map(({ dueAtMs }) => sec(dueAtMs)),
    sends: messages.map(({ dueAtMs }) => sec(dueAtMs)),
  };
}

type Outcome = Partial<ReturnType<typeof planned>>;
type Row = [what: string, job: Job, at: Parameters<typeof planned>[2], outcome: Outcome];
const expectRow = (plan: PlanEntry, [, job, at, outcome]: Row): void =>
  expect(planned(plan, job, at)).toEqual({ catchUps: [], sends: [], ...outcome });

describe('planEntryAndNext: the next entry is not written', () => {
  const late = 5 * MINUTE_MS;
  test.each<Row>([
    ['ahead of time: sends it', every('1h'), { nowMs: -HORIZON_MS }, { sends: [0], next: [3_600, 3_600] }],
    ['late within its grace', every('1h'), { nowMs: MINUTE_MS }, { sends: [0], next: [3_600, 3_600] }],
    [
      'late beyond its grace: as the policy says, here fire-once',
      every('1h'),
      { nowMs: MINUTE_MS + 1 },
      { catchUps: [0], sends: [0], next: [3_600, 3_600] },
    ],
    [
      'several due times in one bucket: all are sent, and the next entry is that of the next bucket',
      every('20s'),
      { nowMs: -HORIZON_MS },
      { sends: [0, 20, 40], next: [60, 100] },
    ],
    [
      'several in one bucket, two minutes late: still in time, with what fell due since',
      every('20s'),
      { nowMs: 2 * MINUTE_MS },
      { catchUps: [60, 80, 100, 120], sends: [0, 20, 40, 60, 80, 100, 120], next: [140, 160] },
    ],
    [
      '5 min late, skip: the two in time run, and the series goes on with the first one not yet due',
      minutely('skip'),
      { nowMs: late },
      { skips: [0, 180], catchUps: [240, 300], sends: [240, 300], next: [360, 360] },
    ],
    [
      '5 min late, fire-once: later ones are due',
      minutely('fire-once'),
      { nowMs: late },
      { skips: [0, 180], catchUps: [240, 300], sends: [240, 300], next: [360, 360] },
    ],
    [
      '5 min late, fire-all',
      minutely('fire-all'),
      { nowMs: late },
      {
        catchUps: [0, 60, 120, 180, 240, 300],
        sends: [0, 60, 120, 180, 240, 300],
        next: [360, 360],
      },
    ],
    [
      'late by 1 ms less than the next occurrence: that one is the next entry',
      minutely('skip'),
      { nowMs: MINUTE_MS - 1 },
      { sends: [0], next: [60, 60] },
    ],
    [
      'late by exactly the next occurrence: that one is decided too',
      minutely('skip'),
      { nowMs: MINUTE_MS },
      { catchUps: [60], sends: [0, 60], next: [120, 120] },
    ],
    ['the last run of maxRuns: no next entry', minutely('skip', 1), { nowMs: 0 }, { sends: [0] }],
    ['the second last run of maxRuns', minutely('skip', 2), { nowMs: 0 }, { sends: [0], next: [60, 60] }],
    [
      '5 min late, maxRuns ended it after the third: nothing later is decided',
      minutely('fire-now', 3),
      { nowMs: late },
      { catchUps: [0, 60, 120], sends: [0, 60, 120] },
    ],
    [
      '5 min late, maxRuns ended it after the third, fire-once: the third is the last',
      minutely('fire-once', 3),
      { nowMs: late },
      { skips: [0, 60], catchUps: [120], sends: [120] },
    ],
    [
      '5 min late, maxRuns ends it after the seventh: one more is left',
      minutely('skip', 7),
      { nowMs: late },
      { skips: [0, 180], catchUps: [240, 300], sends: [240, 300], next: [360, 360] },
    ],
    [
      '5 min late, 3 of 4 runs were before the entry',
      minutely('fire-now', 4),
      { nowMs: late, entry: anOccurrenceEntry({ runsBefore: 3 }) },
      { catchUps: [0], sends: [0] },
    ],
    ['a one-time job, in time', aJob({ schedule: { type: 'at', at: anchor } }), { nowMs: 0 }, { sends: [0] }],
    [
      'a catch-up slot that a scanner may have passed: entry and message',
      minutely('fire-now', 1),
      { nowMs: late, pacedMs: late + SCANNED_MS - 1 },
      { catchUps: [0], sends: [0] },
    ],
    [
      'a catch-up slot beyond that: the entry alone, and the scanner sends it',
      minutely('fire-now', 1),
      { nowMs: late, pacedMs: late + SCANNED_MS },
      { catchUps: [0] },
    ],
  ])('%s', (...row) => expectRow(planEntryAndNext, row));
});

describe('planEntryOnly: the next entry is written, and covers what follows', () => {
  const late = 5 * MINUTE_MS;
  test.each<Row>([
    ['late within its grace', minutely('skip'), { nowMs: MINUTE_MS }, { sends: [0] }],
    ['5 min late, skip', minutely('skip'), { nowMs: late }, { skips: [0, 0] }],
    ['5 min late, fire-once: later ones are due', minutely('fire-once'), { nowMs: late }, { skips: [0, 0] }],
    ['5 min late, fire-all', minutely('fire-all'), { nowMs: late }, { catchUps: [0], sends: [0] }],
    [
      '5 min late, fire-once, the last of maxRuns: no later one is due',
      minutely('fire-once', 1),
      { nowMs: late },
      { catchUps: [0], sends: [0] },
    ],
    [
      'several in one bucket, 130 s late, skip: the first is missed',
      every('20s', { misfire: { policy: 'skip', grace: '60s', catchUpWindow: '1h' } }),
      { nowMs: 130_000 },
      { skips: [0, 0], sends: [20, 40] },
    ],
  ])('%s', (...row) => expectRow(planEntryOnly, row));
});

describe('planResend: late because the queue is long', () => {
  test.each<Row>([
    ['an hour late: no misfire policy applies', minutely('skip'), { nowMs: HOUR_MS }, { sends: [0] }],
    ['several in one bucket', every('20s'), { nowMs: HOUR_MS }, { sends: [0, 20, 40] }],
  ])('%s', (...row) => expectRow(planResend, row));
});

describe('a catch-up entry', () => {
  const checkAtMs = T0_MS + 10 * MINUTE_MS;
  const catchUp = anOccurrenceEntry({ catchUp: true, checkAtMs });
  const at = {
    nowMs: T0_MS + HOUR_MS,
    horizonMs: HORIZON_MS,
    shard: 5,
    nextCatchUpMs: catchUpPacer(T0_MS + HOUR_MS),
  };
  test.each<[string, PlanEntry]>([
    ['planEntryAndNext', planEntryAndNext],
    ['planEntryOnly', planEntryOnly],
    ['planResend', planResend],
  ])('leads to its own message alone, to start at its own time: %s', (_, plan) => {
    const job = minutely('skip');
    expect(plan(catchUp, job, scheduleOf(job), at)).toEqual({
      entries: [],
      messages: [sentMessage({ startAtMs: checkAtMs, trigger: 'catch-up' })],
    });
  });
});

describe('the message of an occurrence', () => {
  const send = (job: Job, entry = entryAtT0(job)) => planResend(entry, job).messages;
  const several = (grace: string) =>
    every('20s', { misfire: { policy: 'skip', grace, catchUpWindow: '1h' } });

  test.each<[what: string, job: Partial<Job>, message: Parameters<typeof aMessage>[0]]>([
    ['defaults', {}, {}],
    ['its overlap policy, unless that is allow', { overlap: 'queue' }, { overlap: 'queue' }],
    ['its ordering key', { orderingKey: 'billing' }, { orderingKey: 'billing' }],
    ['its queue', { priority: 'high', pool: 'slow' }, { priority: 'high', pool: 'slow' }],
    ['the revision that planned it', { revision: 'revision-2' }, { revision: 'revision-2' }],
  ])('carries %s', (_, overrides, message) => {
    expect(send(every('1h', overrides))).toEqual([sentMessage(message)]);
  });

  test.each<[startSec: number, grace: string, job: 'one' | 'several', trigger: 'schedule' | 'catch-up']>([
    [60, '60s', 'one', 'schedule'],
    [61, '60s', 'one', 'catch-up'],
    [61, '5m', 'one', 'schedule'],
    [120, '60s', 'several', 'schedule'],
    [121, '60s', 'several', 'catch-up'],
  ])('starting %i s late, with a grace of %s and %s in its entry: %s', (startSec, grace, of, trigger) => {
    const job = several(grace);
    const throughMs = of === 'several' ? T0_MS + 40 * SECOND_MS : T0_MS;
    const checkAtMs = T0_MS + startSec * SECOND_MS;
    const entry = anOccurrenceEntry({ throughMs, checkAtMs, catchUp: true });
    expect(send(job, entry)[0]).toMatchObject({ startAtMs: checkAtMs, trigger });
  });
});

describe('the entries of a plan', () => {
  const at = (nowMs: number) => ({
    nowMs: T0_MS + nowMs,
    horizonMs: HORIZON_MS,
    shard: 5,
    nextCatchUpMs: catchUpPacer(T0_MS + nowMs),
  });

  test.each<[what: string, interval: string, shard: number]>([
    ['where the scanner may have passed: stays in the shard of its entry', '299s', 0],
    ['where no scanner can have passed: moves to the present shard', '5m', 5],
  ])('the next entry, %s', (_, interval, shard) => {
    const job = every(interval);
    expect(planEntryAndNext(entryAtT0(job), job, scheduleOf(job), at(0)).next).toMatchObject({ shard });
  });

  test('the next entry counts the runs before it', () => {
    const job = minutely('skip', 10);
    const { next } = planEntryAndNext(entryAtT0(job), job, scheduleOf(job), at(5 * MINUTE_MS));
    expect(next).toMatchObject({ runsBefore: 6 });
  });

  test('a catch-up entry is that of its one occurrence, at its own slot, not yet rechecked', () => {
    const job = minutely('fire-now', 2);
    const entry = anOccurrenceEntry({ rechecks: 3, throughMs: T0_MS + 1, offsetsMs: [1] });
    const { entries, messages } = planEntryAndNext(entry, job, scheduleOf(job), at(HOUR_MS));
    const slots = [T0_MS + HOUR_MS, T0_MS + HOUR_MS + 50];
    expect(entries).toEqual(
      slots.map((checkAtMs, index) => {
        const dueAtMs = T0_MS + index * MINUTE_MS;
        return anOccurrenceEntry({ dueAtMs, throughMs: dueAtMs, checkAtMs, catchUp: true });
      }),
    );
    expect(messages.map(({ startAtMs }) => startAtMs)).toEqual(slots);
  });
});

test.each<[what: string, asked: number[], slots: number[]]>([
  ['50 ms apart, from the start of the pass', [0, 0, 0], [0, 50, 100]],
  ['never before now', [0, 500, 500], [0, 500, 550]],
  ['a clock that steps back takes no slot twice', [100, 0], [100, 150]],
])('catch-ups are sent %s', (_, asked, slots) => {
  const next = catchUpPacer(T0_MS);
  expect(asked.map((nowMs) => next(T0_MS + nowMs) - T0_MS)).toEqual(slots);
});
