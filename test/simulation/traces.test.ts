import { calmed, planOf } from './run-plan';
import { simulate } from './simulate';

const SEED = 1;

/** Everything that happens, but for the traces that rows and messages keep. */
const happenings = (records: readonly object[]): string[] =>
  records.map((record) =>
    JSON.stringify(record, (name, value: unknown) => (name === 'trace' ? undefined : value)),
  );

const haveTraces = (records: readonly object[]): boolean => JSON.stringify(records).includes('"trace":{');

test('traces of requests change nothing else of what happens', async () => {
  const without = calmed(planOf(SEED, 'safety'));
  const actions = without.actions.map((action) => ({ ...action, traced: true as const }));
  const [traced, plain] = [await simulate({ ...without, actions }), await simulate(without)];
  expect(traced.violations).toEqual([]);
  expect(haveTraces(traced.log.records)).toBe(true);
  expect(haveTraces(plain.log.records)).toBe(false);
  const [one, other] = [happenings(traced.log.records), happenings(plain.log.records)];
  expect(one.find((happening, index) => happening !== other[index])).toBeUndefined();
  expect(one).toHaveLength(other.length);
});
