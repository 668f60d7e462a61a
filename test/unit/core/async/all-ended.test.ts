import { setImmediate } from 'node:timers/promises';

import { allEnded } from '../../../../lambdas/core/async/all-ended';

test('results come in the order of the work', async () => {
  expect(await allEnded([Promise.resolve(1), 'two', Promise.resolve([3])])).toEqual([1, 'two', [3]]);
});

test('a failure comes when all of the work has ended', async () => {
  let end = (): void => undefined;
  const slow = new Promise<void>((resolve) => (end = resolve));
  let failure: unknown;
  const all = allEnded([slow, Promise.reject(new Error('a')), Promise.reject(new Error('b'))]);
  const failed = all.catch((error: unknown) => (failure = error));
  await setImmediate();
  expect(failure).toBeUndefined();
  end();
  await failed;
  expect(failure).toEqual(new Error('a'));
});
