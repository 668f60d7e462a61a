import { FenceGuard, MemoryFenceStore, StaleFenceError } from '../../../../client';

test('a lower fence is rejected, an equal or higher one is admitted', async () => {
  const guard = new FenceGuard();
  await guard.admit({ id: 'a', fence: 2 });
  await guard.admit({ id: 'a', fence: 2 });
  await guard.admit({ id: 'a', fence: 5 });
  await expect(guard.admit({ id: 'a', fence: 4 })).rejects.toThrow(StaleFenceError);
  await guard.admit({ id: 'b', fence: 1 });
});

test.each([NaN, 0, 1.5, -1])('%p is not a fence', async (fence) => {
  await expect(new FenceGuard().admit({ id: 'a', fence })).rejects.toThrow(StaleFenceError);
});

test('a custom store decides', async () => {
  const calls: unknown[] = [];
  const guard = new FenceGuard({ raise: (...args) => Promise.resolve(calls.push(args) > 1) });
  await expect(guard.admit({ id: 'a', fence: 1 })).rejects.toThrow(
    'fence 1 of a is lower than an earlier one',
  );
  await guard.admit({ id: 'a', fence: 2 });
  expect(calls).toEqual([
    ['a', 1],
    ['a', 2],
  ]);
});

test('the memory store keeps the latest executions', () => {
  const store = new MemoryFenceStore(2);
  for (const id of ['a', 'b', 'a', 'c']) store.raise(id, 9);
  expect([store.raise('a', 1), store.raise('c', 1), store.raise('b', 1)]).toEqual([false, false, true]);
});
