import { MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import { eligibilityOf, nextHeldCheckMs } from '../../../../lambdas/core/domain/eligibility';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import type { Reason } from '../../../../lambdas/core/domain/reason';
import type { Job } from '../../../../lambdas/core/domain/job';
import { Calendar } from '../../../../lambdas/core/schedule/calendar';
import { aJob, anAttempt, T0_MS } from '../../../support/factories';

/** The revision of the job when the message was sent; `changed` is that of a job changed since. */
const SENT = 'revision-1';
const changed = { revision: 'revision-2' };
const paused = { ...changed, status: 'paused' } as const;
const minutely = (maxRuns: number) =>
  ({ ...changed, schedule: { type: 'cron', expression: '* * * * *', maxRuns } }) as const;
const hourly = { ...changed, schedule: { type: 'cron', expression: '0 * * * *' } } as const;

type Claimed = Pick<
  Execution,
  | 'fence'
  | 'trigger'
  | 'dueAtMs'
  | 'userRetries'
  | 'attempts'
  | 'startedAtMs'
  | 'revision'
  | 'cause'
  | 'jobCreatedAtMs'
>;
type Outcome = 'call' | `${'skipped' | 'cancelled'}: ${Reason}`;
type Row = [what: string, job: Partial<Job> | undefined, outcome: Outcome];

function expectRow(claimed: Partial<Claimed>, [, overrides, outcome]: Row): void {
  const job = overrides && aJob({ scheduleChangedAtMs: T0_MS - 5 * MINUTE_MS, ...overrides });
  const first = { fence: 1, trigger: 'schedule', dueAtMs: T0_MS, revision: SENT } as const;
  const eligibility = eligibilityOf({ ...first, ...claimed }, job);
  const decided = eligibility.call ? 'call' : `${eligibility.end.status}: ${eligibility.end.reason}`;
  expect(decided).toBe(outcome);
  expect(eligibility).toEqual(
    expect.objectContaining(outcome === 'call' ? { call: true, job } : { call: false }),
  );
}

describe('the first attempt of a planned occurrence', () => {
  const rows: Row[] = [
    ['the job is unchanged', {}, 'call'],
    ['the job is deleted', undefined, 'skipped: deleted'],
    ['the job is paused', paused, 'skipped: paused'],
    ['the job was changed, and still plans it', changed, 'call'],
    ['the job was changed, and no longer plans it', hourly, 'skipped: superseded'],
    ['the same revision: the schedule is not asked', { ...hourly, revision: SENT }, 'call'],
    [
      'the job was deleted and made again, after it was due',
      { ...changed, createdAtMs: T0_MS + 1, activeSinceMs: T0_MS + 1 },
      'skipped: superseded',
    ],
    [
      'the job was made again just when it was due',
      { ...changed, createdAtMs: T0_MS, activeSinceMs: T0_MS },
      'call',
    ],
    [
      'the job was paused and resumed, after it was due',
      { ...changed, createdAtMs: T0_MS - 1, activeSinceMs: T0_MS + 1 },
      'skipped: paused',
    ],
    [
      'the job was paused and resumed, before it was due',
      { ...changed, createdAtMs: T0_MS - 2, activeSinceMs: T0_MS - 1 },
      'call',
    ],
    ['it is the last run of the new maxRuns', minutely(5), 'call'],
    ['it is beyond the new maxRuns', minutely(4), 'skipped: superseded'],
    ['it is far beyond the new maxRuns', minutely(1), 'skipped: superseded'],
  ];
  test.each(rows)('by schedule: %s → %s', (...row) => expectRow({}, row));
  test.each(rows)('as a catch-up: %s → %s', (...row) => expectRow({ trigger: 'catch-up' }, row));
});

describe('a retry of a planned occurrence', () => {
  const rows: Row[] = [
    ['the job is unchanged', {}, 'call'],
    ['the job is deleted', undefined, 'cancelled: deleted'],
    ['the job is paused', paused, 'cancelled: paused'],
    ['the job no longer plans it', hourly, 'call'],
    ['the job was resumed since', { ...changed, activeSinceMs: T0_MS + 1 }, 'call'],
    ['it is beyond the new maxRuns', minutely(1), 'call'],
  ];
  const failed = { fence: 2, attempts: [anAttempt({ outcome: 'retriable' })] };
  test.each(rows)('after a failure: %s → %s', (...row) => expectRow(failed, row));
  test.each(rows)('by its user, of one skipped without a claim: %s → %s', (...row) =>
    expectRow({ userRetries: 1 }, row),
  );
});

describe('a takeover of a planned occurrence, whose executor may have died before it read the job', () => {
  const lost = { fence: 2, attempts: [anAttempt({ outcome: 'lost' })] };
  const CHANGED_AT_MS = T0_MS - 10_000;
  const rescheduled = { ...hourly, scheduleChangedAtMs: CHANGED_AT_MS };
  const claimedAt = (startedAtMs: number) => ({ ...lost, startedAtMs, dueAtMs: T0_MS + 1 });
  const rows: Row[] = [
    ['the job is unchanged', {}, 'call'],
    ['the job is deleted', undefined, 'cancelled: deleted'],
    ['the job is paused', paused, 'cancelled: paused'],
    ['the job no longer plans it', rescheduled, 'cancelled: superseded'],
  ];
  test.each(rows)('claimed after the change: %s → %s', (...row) =>
    expectRow(claimedAt(CHANGED_AT_MS + 1), row),
  );
  test.each([
    ['long before the change', -5_001, 'call'],
    ['within the clock skew before it', -4_999, 'cancelled: superseded'],
  ] as const)('claimed %s', (what, offsetMs, outcome) =>
    expectRow(claimedAt(CHANGED_AT_MS + offsetMs), [what, rescheduled, outcome]),
  );

  // The schedule changed before the claim, and the other change came after it.
  const LATER_MS = T0_MS + 20_000;
  const replannedTo = (expression: string, excluded: string): Partial<Job> => {
    const calendar = new Calendar({ weekdays: [], yearly: [], dates: [excluded] });
    return {
      ...changed,
      schedule: { type: 'cron', expression, exclude: ['2020-01-01', { calendar: 'freeze' }] },
      scheduleChangedAtMs: CHANGED_AT_MS,
      replannedAtMs: LATER_MS,
      calendars: [{ id: 'freeze', version: 'v2', sinceMs: LATER_MS, calendar }],
    };
  };
  const TODAY = new Date(T0_MS).toISOString().slice(0, 10);
  test.each<Row>([
    ['the calendar changed, and excludes it since', replannedTo('* * * * *', TODAY), 'call'],
    [
      'the calendar changed: no content of it plans it',
      replannedTo('0 3 * * *', TODAY),
      'cancelled: superseded',
    ],
    [
      'the calendar changed, and matters not',
      replannedTo('0 3 * * *', '2020-01-01'),
      'cancelled: superseded',
    ],
    ['the job was resumed', { ...rescheduled, activeSinceMs: LATER_MS }, 'cancelled: superseded'],
    ['the job was resumed, and plans it', { ...changed, activeSinceMs: LATER_MS }, 'call'],
  ])('claimed between two changes: %s → %s', (...row) =>
    expectRow({ ...claimedAt(CHANGED_AT_MS + 1), dueAtMs: T0_MS }, row),
  );
  test('claimed after the resumption, and before a change of the schedule', () => {
    const resumed = { activeSinceMs: T0_MS + 1, scheduleChangedAtMs: LATER_MS };
    const row: Row = ['', { ...changed, createdAtMs: T0_MS - 1, ...resumed }, 'cancelled: paused'];
    expectRow({ ...claimedAt(T0_MS + 2), dueAtMs: T0_MS }, row);
  });
});

describe('a manual run', () => {
  const rows: Row[] = [
    ['the job is unchanged', {}, 'call'],
    ['the job is deleted', undefined, 'cancelled: deleted'],
    ['the job is paused', paused, 'call'],
    ['the job does not plan it', hourly, 'call'],
    ['the job was resumed since', { ...changed, activeSinceMs: T0_MS + 1 }, 'call'],
  ];
  test.each(rows)('%s → %s', (...row) => expectRow({ trigger: 'manual' }, row));
  test.each(rows)('its retry: %s → %s', (...row) => expectRow({ trigger: 'manual', fence: 2 }, row));
});

describe('what began before its job was created', () => {
  const CREATED_AT_MS = T0_MS + 60_000;
  const anew = { ...changed, createdAtMs: CREATED_AT_MS };
  const retried = { fence: 2, attempts: [anAttempt({ outcome: 'retriable' })] };
  const ofJob = { trigger: 'event', cause: { type: 'event', name: 'paid', eventId: 'e' } } as const;
  test.each<[string, Partial<Claimed>, Partial<Job>, Outcome]>([
    ['is of another job', { startedAtMs: CREATED_AT_MS - 5_001 }, anew, 'cancelled: deleted'],
    ['is not, within the clock skew', { startedAtMs: CREATED_AT_MS - 4_999 }, anew, 'call'],
    ['is not, with its revision', { startedAtMs: T0_MS }, { ...anew, revision: SENT }, 'call'],
    ['may be run by its user', { startedAtMs: T0_MS, userRetries: 1 }, anew, 'call'],
    ['arrives, by a hidden job', { startedAtMs: T0_MS }, { ...anew, jobId: '~n-a' }, 'call'],
    [
      'is of another job, if a cause started it for that',
      { ...ofJob, fence: 1, attempts: [], jobCreatedAtMs: CREATED_AT_MS - 1 },
      anew,
      'skipped: deleted',
    ],
  ])('%s', (what, claimed, job, outcome) => expectRow({ ...retried, ...claimed }, [what, job, outcome]));
});

describe('a run that a pause holds is rechecked', () => {
  const minutes = (value: number | undefined) => value && value * MINUTE_MS;
  test.each([
    ['after a minute', 0, undefined, 1],
    ['twice as late each time', 2, undefined, 4],
    ['every ten minutes', 25, undefined, 30],
    ['at the end of its pause', 25, 27, 27],
    ['no later if the pause ends later', 25, 31, 30],
    ['soon after that end, if the job is not resumed yet', 27, 27, 28],
    ['and less soon from there on', 29, 27, 31],
  ])('%s', (_, now, end, next) =>
    expect(nextHeldCheckMs(0, minutes(now)!, { resumeAtMs: minutes(end) })).toBe(minutes(next)),
  );
});
