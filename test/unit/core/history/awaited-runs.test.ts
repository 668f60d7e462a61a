import { compactInstant } from '../../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import type { AwaitNeed } from '../../../../lambdas/core/domain/workflow/await';
import { awaitedRuns } from '../../../../lambdas/core/history/awaited-runs';
import { aJob, anExecution, T0_MS } from '../../../support/factories';

const HOUR_MS = 3_600_000;
const WINDOW = { fromMs: T0_MS, toMs: T0_MS + 3 * HOUR_MS };
/** Due at the start of the window, and one and two hours later. */
const HOURLY = { type: 'cron', expression: '30 * * * *' } as const;

type Row = Partial<Execution> & { hour: number };

async function ask(
  given: readonly Row[],
  need: AwaitNeed,
  { nowHour = 1.5, job = {} }: { nowHour?: number; job?: object } = {},
) {
  const upstream = aJob({ schedule: HOURLY, activeSinceMs: 0, scheduleChangedAtMs: 0, ...job });
  const rows = given.map(({ hour, ...row }) =>
    anExecution({ dueAtMs: T0_MS + hour * HOUR_MS, execId: compactInstant(T0_MS + hour * HOUR_MS), ...row }),
  );
  const list: Parameters<typeof awaitedRuns>[1]['executions']['list'] = (_, page) =>
    Promise.resolve({
      executions: rows
        .filter(({ execId }) => execId <= (page.toExecId ?? '~') && execId >= (page.fromExecId ?? ''))
        .sort((one, other) => (page.order === 'asc' ? 1 : -1) * (one.execId < other.execId ? -1 : 1)),
    });
  const run = { jobKey: 'alice/etl', execId: 'x', dueAtMs: T0_MS };
  const clock = { nowMs: () => T0_MS + nowHour * HOUR_MS };
  const deps = { executions: { list }, clock } as unknown as Parameters<typeof awaitedRuns>[1];
  return awaitedRuns({ job: upstream, window: WINDOW, need, run }, deps);
}

const succeeded = (hour: number): Row => ({ hour, status: 'succeeded', trigger: 'schedule' });
const failed = (hour: number): Row => ({ hour, status: 'failed', trigger: 'schedule', reason: 'fatal' });

test.each<[string, readonly Row[], Record<AwaitNeed, string>]>([
  ['none has begun', [], { all: 'open', last: 'open', any: 'open' }],
  ['the first has succeeded', [succeeded(0)], { all: 'open', last: 'open', any: 'met' }],
  ['the last has succeeded', [succeeded(2)], { all: 'open', last: 'met', any: 'met' }],
  ['all have', [succeeded(0), succeeded(1), succeeded(2)], { all: 'met', last: 'met', any: 'met' }],
  ['the first has failed', [failed(0)], { all: 'failed', last: 'open', any: 'open' }],
  ['all have failed', [failed(0), failed(1), failed(2)], { all: 'failed', last: 'failed', any: 'failed' }],
  [
    'one is retried',
    [succeeded(0), succeeded(1), { hour: 2, status: 'retrying', trigger: 'schedule' }],
    { all: 'open', last: 'open', any: 'met' },
  ],
])('of a job with three due times: %s', async (_, rows, wanted) => {
  for (const need of ['all', 'last', 'any'] as const)
    expect([need, (await ask(rows, need)).state]).toEqual([need, wanted[need]]);
});

test('a skipped range counts for the due times that it covers, also if it began before the window', async () => {
  const skipped = { fromMs: T0_MS - HOUR_MS, toMs: T0_MS + HOUR_MS, count: 3 };
  const range: Row = { hour: -1, status: 'skipped', trigger: 'schedule', reason: 'paused', skipped };
  const { state, occurrences } = await ask([range, succeeded(2)], 'all');
  expect(state).toBe('failed');
  expect(occurrences.map(({ dueAtMs }) => dueAtMs)).toEqual([T0_MS, T0_MS + 2 * HOUR_MS]);
  expect((await ask([range, succeeded(2)], 'last')).state).toBe('met');
});

test('a run that a user started does not count, another execution of the same due time does', async () => {
  const again = {
    ...succeeded(2),
    trigger: 'backfill' as never,
    execId: `${compactInstant(WINDOW.toMs - HOUR_MS)}-b1`,
  };
  expect((await ask([{ ...succeeded(2), trigger: 'manual' }], 'last')).state).toBe('open');
  expect((await ask([failed(2), again], 'last')).state).toBe('met');
  expect((await ask([again, failed(2)], 'last')).state).toBe('met');
});

test.each<[string, Partial<Execution>, boolean]>([
  ['an occurrence', { trigger: 'schedule' }, true],
  ['one that was caught up', { trigger: 'catch-up' }, true],
  ['a date of a backfill', { trigger: 'backfill' }, true],
  ['the run of a backfill', { trigger: 'backfill', backfill: {} as never }, false],
  ['a run that a user started', { trigger: 'manual' }, false],
  ['a run that an event started', { trigger: 'event' }, false],
  ['a run that another job started', { trigger: 'after' }, false],
  ['a child of another workflow', { trigger: 'workflow' }, false],
])('of a job with due times, %s: counts %s', async (_, row, counts) => {
  const own = { execId: `${compactInstant(T0_MS + 2 * HOUR_MS)}-x`, hour: 2, ...row } as Row;
  const job = { schedule: { type: 'cron', expression: '30 10 * * *' } };
  const needs = (status: 'failed' | 'running') =>
    ask([succeeded(2), { ...own, status, dueAtMs: T0_MS + 2.5 * HOUR_MS }], 'last', { job, nowHour: 2.8 });
  expect((await needs('failed')).state).toBe(counts ? 'failed' : 'met');
  expect((await needs('running')).state).toBe(counts ? 'open' : 'met');
  const external = { job: { schedule: { type: 'none' } }, nowHour: 4 };
  expect((await ask([own], 'last', external)).occurrences).toHaveLength(1);
});

test('what was due before the job was activated was never planned', async () => {
  const job = { activeSinceMs: T0_MS + 1.5 * HOUR_MS };
  expect((await ask([], 'all', { job })).occurrences).toHaveLength(1);
  expect((await ask([], 'all', { job: { ...job, status: 'paused' } })).state).toBe('nothing');
});

test('of a job without due times, what is on record counts, and until the window is over one may come', async () => {
  const job = { schedule: { type: 'none' } };
  const manual = { ...succeeded(0.5), trigger: 'manual' } as const;
  expect((await ask([], 'all', { job })).state).toBe('open');
  expect((await ask([], 'all', { job, nowHour: 3 })).state).toBe('nothing');
  expect((await ask([manual], 'last', { job })).state).toBe('met');
});

test.each([
  ['into the window, by an event', { id: -1, hour: 0.5 }, 1],
  ['into the window, by a user', { id: 4, hour: 2 }, 1],
  ['out of it, to a later time', { id: 2, hour: 4 }, 0],
  ['out of it, to an earlier time', { id: 2, hour: -1 }, 0],
])('of a job without due times, a run counts that was moved %s', async (_, { id, hour }, count) => {
  const moved: Row = {
    ...succeeded(hour),
    trigger: 'event',
    execId: `${compactInstant(T0_MS + id * HOUR_MS)}-e`,
  };
  const { occurrences } = await ask([moved], 'all', { job: { schedule: { type: 'none' } }, nowHour: 5 });
  expect(occurrences).toHaveLength(count);
});

test('more than a thousand due times are too many', async () => {
  const job = { schedule: { type: 'interval', every: '10s' } };
  expect((await ask([], 'all', { job })).state).toBe('too-many');
});
