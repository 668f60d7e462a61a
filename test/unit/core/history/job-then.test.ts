import { endedByMs, jobThen, statesOf } from '../../../../lambdas/core/history/job-then';
import { stateOf } from '../../../../lambdas/core/domain/kept-state';
import type { ChangeStore } from '../../../../lambdas/core/store/change-store';
import type { Job } from '../../../../lambdas/core/domain/job';
import type { KeptState } from '../../../../lambdas/core/domain/job-state';
import { aJob, T0_MS } from '../../../support/factories';

const JOB_KEY = 'alice/nightly-report';

/** A job that has changed without end: each page has as many states as it may. */
function endlessChanges() {
  let pages = 0;
  let number = 1_000_000;
  const list: ChangeStore['list'] = async (_, { limit }) => {
    pages += 1;
    const states = Array.from({ length: limit }, () => {
      number -= 1;
      return { ...stateOf(aJob({ etag: `e${number}`, changeNumber: number })), expiresAtSec: 0 };
    });
    return { states, nextBefore: `${number}` };
  };
  return { list, pages: () => pages };
}

async function readAll(job = aJob({ etag: 'present' })) {
  const { list, pages } = endlessChanges();
  const unused = () => Promise.reject(new Error('only reads'));
  const etags: string[] = [];
  for await (const { etag } of statesOf(JOB_KEY, job, { changes: { list, put: unused, erase: unused } }))
    etags.push(etag);
  return { etags, pages: pages() };
}

test('the states of a job begin with the present one, and end after 500 kept ones', async () => {
  const { etags, pages } = await readAll();
  expect(etags.slice(0, 2)).toEqual(['present', 'e999999']);
  expect(etags).toHaveLength(501);
  expect(pages).toBe(6);
});

test('a state that is still the present one comes once', async () => {
  const { etags } = await readAll(aJob({ etag: 'e999999' }));
  expect(etags.slice(0, 2)).toEqual(['e999999', 'e999998']);
});

test('a state whose definition was erased tells no job', async () => {
  const { definition: _, ...erased } = stateOf(aJob());
  const deps = { calendars: { get: async () => undefined, calendarOf: () => Promise.reject(new Error()) } };
  expect(await jobThen(JOB_KEY, erased, deps)).toBeUndefined();
  expect(await jobThen(JOB_KEY, stateOf(aJob({ revision: 'r' })), deps)).toMatchObject({ revision: 'r' });
});

describe('the end of a revision', () => {
  const at = (revision: string, changeNumber: number, more: Partial<Job> = {}): Job =>
    aJob({ revision, changeNumber, etag: `e${changeNumber}`, updatedAtMs: T0_MS + changeNumber, ...more });
  const kept = (job: Job, removedAtMs?: number): KeptState => ({
    ...stateOf(job),
    ...(removedAtMs !== undefined && {
      removed: { atMs: removedAtMs, by: { sub: 's', name: null, via: 'token' } },
    }),
    expiresAtSec: 0,
  });
  const restored: Partial<Job> = { lastChange: { what: 'restored', from: 1 } };
  const later = { createdAtMs: T0_MS };

  test.each<[string, number, Job | undefined, KeptState[]]>([
    ['is its change', T0_MS + 2, at('c', 3), [kept(at('b', 2)), kept(at('a', 1))]],
    ['is the first change of what it plans', T0_MS + 3, at('b', 3), [kept(at('a', 2)), kept(at('a', 1))]],
    ['is its deletion', T0_MS + 50, undefined, [kept(at('a', 1), T0_MS + 50)]],
    [
      'is its deletion, though it came back',
      T0_MS + 50,
      at('b', 3, restored),
      [kept(at('a', 1), T0_MS + 50)],
    ],
    [
      'is its deletion, though its id is used again',
      T0_MS + 50,
      at('b', 9, later),
      [kept(at('a', 1), T0_MS + 50)],
    ],
    ['is its change, if its deletion was not made', T0_MS + 2, at('b', 2), [kept(at('a', 1), T0_MS)]],
    ['is not there yet', Number.POSITIVE_INFINITY, at('a', 1), []],
    ['is before the oldest change that is kept', T0_MS + 7, at('c', 8), [kept(at('b', 7))]],
    ['is before all that is kept', Number.NEGATIVE_INFINITY, undefined, []],
  ])('%s', async (_, endMs, job, states) => {
    const unused = () => Promise.reject(new Error('only reads'));
    const changes = { list: async () => ({ states }), put: unused, erase: unused };
    expect(await endedByMs({ jobKey: JOB_KEY, revision: 'a' }, job, { changes })).toBe(endMs);
  });
});
