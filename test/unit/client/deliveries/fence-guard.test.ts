import {
  type Delivery,
  FenceGuard,
  MemoryFenceStore,
  QuarterjackError,
  StaleFenceError,
} from '../../../../client';
import { aDelivery, aLegacyDelivery } from './a-delivery';

const delivered = (id: string, fence: number) =>
  aDelivery({ 'webhook-id': id, 'quarterjack-fence': String(fence) });

test('a lower fence is rejected, an equal or higher one is admitted', async () => {
  const guard = new FenceGuard();
  await guard.admit(delivered('a', 2));
  await guard.admit(delivered('a', 2));
  await guard.admit(delivered('a', 5));
  await expect(guard.admit(delivered('a', 4))).rejects.toThrow(StaleFenceError);
  await guard.admit(delivered('b', 1));
});

test('an unproven fence is not admitted, and cannot poison the guard', async () => {
  const guard = new FenceGuard();
  const high = { 'webhook-id': 'a', 'quarterjack-fence': '9007199254740991' };
  const genuine = aDelivery({ 'webhook-id': 'a' });
  const forged = [
    aLegacyDelivery(high),
    { id: 'a', fence: 9 },
    { ...genuine, fence: 9 },
    undefined,
    null,
    'a',
  ];
  for (const delivery of forged) {
    const admitting = guard.admit(delivery as Delivery);
    await expect(admitting).rejects.toThrow(QuarterjackError);
    await expect(admitting).rejects.not.toThrow(StaleFenceError);
  }
  await guard.admit(genuine);
});

test('TypeScript takes nothing but the result of verifyDelivery', async () => {
  const guard = new FenceGuard();
  // @ts-expect-error: not verified
  await expect(guard.admit({ id: 'a', fence: 1 })).rejects.toThrow(QuarterjackError);
  // @ts-expect-error: its headers may not be signed
  await expect(guard.admit(aLegacyDelivery())).rejects.toThrow(QuarterjackError);
});

test('a custom store decides', async () => {
  const calls: unknown[] = [];
  const guard = new FenceGuard({ raise: (...args) => Promise.resolve(calls.push(args) > 1) });
  await expect(guard.admit(delivered('a', 1))).rejects.toThrow('fence 1 of a is lower than an earlier one');
  await guard.admit(delivered('a', 2));
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
