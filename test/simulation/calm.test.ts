import type { LogRecord } from './log';
import { hashByTime, hashOf } from './log-hash';
import { calmed, planOf } from './run-plan';
import { simulate } from './simulate';

const record = (n: number, t: number, type: string): LogRecord =>
  ({ n, t, src: 'stage', type, node: 'api-1', detail: '' }) as LogRecord;

test('the hash by time forgets the order within a millisecond, and no other', () => {
  const log = [record(0, 1, 'a'), record(1, 1, 'b'), record(2, 2, 'c')];
  const swapped = [record(0, 1, 'b'), record(1, 1, 'a'), record(2, 2, 'c')];
  const later = [record(0, 1, 'a'), record(1, 2, 'b'), record(2, 2, 'c')];
  expect(hashByTime(swapped)).toBe(hashByTime(log));
  expect(hashOf(swapped)).not.toBe(hashOf(log));
  expect(hashByTime(later)).not.toBe(hashByTime(log));
});

test('a calm seed has no faults, and its clients still do what was drawn', async () => {
  const plan = planOf(1, 'safety');
  expect(plan.faults).not.toEqual([]);
  const calm = await simulate(calmed(plan));
  expect(calm).toMatchObject({ strikes: 0, violations: [] });
  const calls = calm.log.records.filter(({ src }) => src === 'api');
  expect(calls.length).toBeGreaterThanOrEqual(plan.actions.length);
});
