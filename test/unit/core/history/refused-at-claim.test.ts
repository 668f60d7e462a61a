import { refusedAtClaim } from '../../../../lambdas/core/history/refused-at-claim';
import type { Job } from '../../../../lambdas/core/domain/job';
import type { KeptState } from '../../../../lambdas/core/domain/job-state';
import { stateOf } from '../../../../lambdas/core/domain/kept-state';
import { aJob, anAttempt, anExecution, T0_MS } from '../../../support/factories';

const SECOND_MS = 1_000;
const NIGHTLY = { type: 'cron', expression: '0 3 * * *' } as const;

/** The job before a change, after it, and as it is now. The second one does not plan the execution. */
const first = aJob({ revision: 'first', etag: 'e1', changeNumber: 1, updatedAtMs: T0_MS - 60 * SECOND_MS });
const changedAt = (atMs: number, by: Partial<Job>): Job => ({
  ...first,
  schedule: NIGHTLY,
  scheduleChangedAtMs: atMs,
  updatedAtMs: atMs,
  ...by,
});
const second = changedAt(T0_MS - 30 * SECOND_MS, { revision: 'second', etag: 'e2', changeNumber: 2 });
const now = changedAt(T0_MS + 30 * SECOND_MS, { revision: 'now', etag: 'e3', changeNumber: 3 });

const takenOver = anExecution({
  fence: 2,
  revision: 'first',
  startedAtMs: T0_MS,
  attempts: [anAttempt({ outcome: 'lost' })],
});

/** The kept states, the newest first. */
const depsOf = (
  ...jobs: (Job & { removed?: KeptState['removed'] })[]
): Parameters<typeof refusedAtClaim>[2] => ({
  calendars: { get: async () => undefined, calendarOf: () => Promise.reject(new Error('no calendar')) },
  changes: {
    put: () => Promise.reject(new Error('writes nothing')),
    erase: () => Promise.reject(new Error('writes nothing')),
    list: async () => ({
      states: jobs.map(({ removed, ...job }) => ({
        ...stateOf(job),
        ...(removed && { removed }),
        expiresAtSec: 0,
      })),
    }),
  },
});

test('the state at the first claim refuses a takeover, if that does not plan it', async () => {
  expect(await refusedAtClaim(takenOver, now, depsOf(second, first))).toBe('superseded');
});

test.each([
  ['the first claim came before the change', { startedAtMs: T0_MS - 40 * SECOND_MS }, now],
  ['an attempt has called', { attempts: [anAttempt({ outcome: 'retriable' })] }, now],
  ['it is no takeover', { fence: 1 }, now],
  ['a user has asked for it', { trigger: 'manual' as const }, now],
  [
    'a calendar has changed since, and the job is not replanned yet',
    {},
    { ...second, revision: 'second#', replannedAtMs: T0_MS + 10 * SECOND_MS },
  ],
])('it does not, if %s', async (_, execution, job) => {
  expect(await refusedAtClaim({ ...takenOver, ...execution }, job, depsOf(second, first))).toBeUndefined();
});

test('nor does a state that an owner has erased, or that was kept without its revision', async () => {
  const states = depsOf(second, first);
  const erased: typeof states = {
    ...states,
    changes: {
      ...states.changes,
      list: async () => ({ states: [{ ...stateOf(second), definition: undefined, expiresAtSec: 0 }] }),
    },
  };
  expect(await refusedAtClaim(takenOver, now, erased)).toBeUndefined();
});

test('nor does the revision that planned it, whatever came before', async () => {
  const execution = { ...takenOver, dueAtMs: first.activeSinceMs - SECOND_MS };
  expect(await refusedAtClaim(execution, now, depsOf(first))).toBeUndefined();
});

test('a deletion of the job that failed does not count', async () => {
  const removed = { atMs: T0_MS - 10 * SECOND_MS, by: { sub: 'ann', name: null, via: 'token' } } as const;
  expect(await refusedAtClaim(takenOver, now, depsOf({ ...second, removed }, first))).toBe('superseded');
});

test('no job at the first claim refuses it', async () => {
  const removed = { atMs: T0_MS - 10 * SECOND_MS, by: { sub: 'ann', name: null, via: 'token' } } as const;
  const created = { ...now, createdAtMs: T0_MS + 30 * SECOND_MS };
  expect(await refusedAtClaim(takenOver, created, depsOf({ ...first, removed }))).toBe('deleted');
});
