import type { Task } from '../../../../../lambdas/core/domain/workflow/definition';
import {
  circleOfWaits,
  type JobOfWaits,
  neededBy,
} from '../../../../../lambdas/core/domain/workflow/waits-below';

/** `k`: has a concurrency key. `o`: has an overlap policy. */
function jobs(definitions: Record<string, [how: '' | 'k' | 'o' | 'ko', ...starts: string[]]>) {
  return new Map(
    Object.entries(definitions).map(([jobId, [how, ...starts]]): [string, JobOfWaits] => [
      jobId,
      {
        jobId,
        overlap: how.includes('o') ? 'queue' : 'allow',
        ...(how.includes('k') && { concurrencyKey: 'db' }),
        ...(starts.length > 0 && { workflow: { jobs: starts } }),
      },
    ]),
  );
}

const pathIn = (definitions: Parameters<typeof jobs>[0]) => {
  const known = jobs(definitions);
  return circleOfWaits(known.get('a')!, known)?.path.join(' ');
};

test.each<[string, Parameters<typeof jobs>[0], string | undefined]>([
  ['key, lock, key', { a: ['k', 'b'], b: ['o', 'c'], c: ['k'] }, 'a b c'],
  ['others between', { a: ['k', 'x'], x: ['', 'b'], b: ['o', 'y'], y: ['', 'c'], c: ['ko'] }, 'a x b y c'],
  ['two locks', { a: ['k', 'b'], b: ['o', 'd'], d: ['o', 'c'], c: ['k'] }, 'a b d c'],
  ['the key is below the first', { a: ['', 'x'], x: ['k', 'b'], b: ['o', 'c'], c: ['k'] }, 'a x b c'],
  ['the first locks too', { a: ['ko', 'b'], b: ['o', 'c'], c: ['k'] }, 'a b c'],
  ['by one of two ways', { a: ['k', 'x', 'b'], x: ['', 'c'], b: ['o', 'c'], c: ['k'] }, 'a b c'],
  [
    'a job that is met without a lock above it, too',
    { a: ['k', 'c', 'b'], b: ['o', 'c'], c: ['', 'd'], d: ['k'] },
    'a b c d',
  ],
  ['no key at the top', { a: ['', 'b'], b: ['o', 'c'], c: ['k'] }, undefined],
  ['no lock', { a: ['k', 'b'], b: ['', 'c'], c: ['k'] }, undefined],
  ['no key below', { a: ['k', 'b'], b: ['o', 'c'], c: ['o'] }, undefined],
  ['the lock has the key', { a: ['k', 'b'], b: ['ko', 'c'], c: ['k'] }, undefined],
  ['two levels', { a: ['k', 'b'], b: ['ko'] }, undefined],
  ['the lock at the top', { a: ['o', 'b'], b: ['k', 'c'], c: ['k'] }, undefined],
])('a circle of waits: %s', (_, definitions, path) => {
  expect(pathIn(definitions)).toBe(path);
});

const AWAIT = {
  job: 'b',
  window: 'same-day',
  need: 'all',
  onFailure: 'wait',
  checkEvery: '30s',
  timeout: '1d',
} as const;
const task = (fields: Partial<Task> = {}): Task => ({ dependsOn: [], join: 'all', ...fields });
const after = (upstream: string, how: Partial<Task['dependsOn'][number]> = {}) => ({
  dependsOn: [{ task: upstream, if: 'succeeded' as const, ...how }],
});

test.each<[string, Record<string, Task>, string[]]>([
  ['a child', { t: task({ job: 'b' }) }, ['b']],
  ['an await around its own time', { t: task({ await: AWAIT }) }, ['b']],
  ['each job once', { t: task({ await: AWAIT }), u: task({ job: 'b' }), v: task({ job: 'a' }) }, ['a', 'b']],
  ['a window before', { t: task({ await: { ...AWAIT, window: 'previous-day' } }) }, []],
  ['a window of its own', { t: task({ await: { ...AWAIT, window: { from: 'x', to: 'y' } } }) }, []],
  ['for each item', { t: task({ job: 'b', forEach: { items: [] } }) }, []],
  ['with a condition', { t: task({ await: AWAIT, when: { value: 'x', exists: true } }) }, []],
  ['that may fail', { t: task({ await: AWAIT, allowFailure: true }) }, []],
  ['disabled', { t: task({ await: AWAIT, enabled: false }) }, []],
  ['after another task', { t: task(), u: task({ await: AWAIT, ...after('t', { if: 'done' }) }) }, ['b']],
  [
    'after one that may fail',
    { t: task({ allowFailure: true }), u: task({ job: 'b', ...after('t') }) },
    ['b'],
  ],
  ['after a failure', { t: task(), u: task({ await: AWAIT, ...after('t', { if: 'failed' }) }) }, []],
  ['after a branch', { t: task(), u: task({ await: AWAIT, ...after('t', { branch: 'x' }) }) }, []],
  ['after one that is disabled', { t: task({ enabled: false }), u: task({ job: 'b', ...after('t') }) }, []],
  ['in the end', { t: task({ job: 'b', finally: 'succeeded' }) }, ['b']],
  ['after a failed run', { t: task({ job: 'b', finally: 'failed' }) }, []],
])('what a run needs: %s', (_, tasks, needed) => {
  expect(neededBy({ tasks })).toEqual(needed);
});
