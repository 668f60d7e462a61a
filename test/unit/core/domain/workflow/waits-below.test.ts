import { circleOfWaits, type JobOfWaits } from '../../../../../lambdas/core/domain/workflow/waits-below';

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
