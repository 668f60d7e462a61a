import { setImmediate } from 'node:timers/promises';

import { inParallel } from '../../../../lambdas/core/async/in-parallel';

/** Work whose items end when the test says so. */
function heldWork() {
  const ends = new Map<string, (failure?: Error) => void>();
  const work = (item: string) =>
    new Promise<void>((resolve, reject) =>
      ends.set(item, (failure) => (failure ? reject(failure) : resolve())),
    );
  return { ends, work };
}

test('as many items are at work as are allowed, and the next begins when one ends', async () => {
  const { ends, work } = heldWork();
  const all = inParallel(['a', 'b', 'c'], 2, work);
  expect([...ends.keys()]).toEqual(['a', 'b']);
  ends.get('b')!();
  await setImmediate();
  expect([...ends.keys()]).toEqual(['a', 'b', 'c']);
  ends.get('a')!();
  ends.get('c')!();
  await expect(all).resolves.toBeUndefined();
});

test('after a failure no item begins, and the failure comes once those at work have ended', async () => {
  const { ends, work } = heldWork();
  let failure: unknown;
  const all = inParallel(['a', 'b', 'c'], 2, work).catch((error: unknown) => (failure = error));
  ends.get('b')!(new Error('of b'));
  await setImmediate();
  expect(failure).toBeUndefined();
  ends.get('a')!(new Error('of a'));
  await all;
  expect(failure).toEqual(new Error('of b'));
  expect([...ends.keys()]).toEqual(['a', 'b']);
});
