import { jobThen, statesOf } from '../../../../lambdas/core/history/job-then';
import { stateOf } from '../../../../lambdas/core/domain/kept-state';
import type { ChangeStore } from '../../../../lambdas/core/store/change-store';
import { aJob } from '../../../support/factories';

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
