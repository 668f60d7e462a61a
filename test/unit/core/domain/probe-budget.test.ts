import { MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import { ProbeBudget } from '../../../../lambdas/core/domain/probe-budget';
import { T0_MS } from '../../../support/factories';

const machineIn = (region: string, name = 'nightly') => ({
  type: 'stepfunctions' as const,
  resource: `arn:aws:states:${region}:111122223333:stateMachine:${name}`,
});
const ours = machineIn('eu-central-1');

/** How many probes are allowed at that time, one right after the other. */
function allowed(budget: ProbeBudget, atMs: number, errand = ours): number {
  let count = 0;
  while (budget.take(errand, atMs)) count += 1;
  return count;
}

test('ten probes at once, then two a second', () => {
  const budget = new ProbeBudget();
  expect(allowed(budget, T0_MS)).toBe(10);
  expect(allowed(budget, T0_MS + 499)).toBe(0);
  expect(allowed(budget, T0_MS + 500)).toBe(1);
  expect(allowed(budget, T0_MS + 500 + 3 * SECOND_MS)).toBe(6);
});

test.each([
  ['ecs', 100],
  ['stepfunctions', 10],
] as const)('of %s, %i probes may be ordered at once: ten tasks make one question', (type, count) => {
  const budget = new ProbeBudget();
  const errand = { ...ours, type };
  let ordered = 0;
  while (budget.takeOrder(errand, T0_MS)) ordered += 1;
  expect(ordered).toBe(count);
});

test('an idle time allows no more than ten', () => {
  const budget = new ProbeBudget();
  allowed(budget, T0_MS);
  expect(allowed(budget, T0_MS + 10 * MINUTE_MS)).toBe(10);
});

test('state machines of a region share what their service allows, regions do not', () => {
  const budget = new ProbeBudget();
  allowed(budget, T0_MS);
  expect(allowed(budget, T0_MS, machineIn('eu-central-1', 'another'))).toBe(0);
  expect(allowed(budget, T0_MS, machineIn('eu-west-1'))).toBe(10);
});

test('a throttled probe takes what is left, and halves the rate for a minute', () => {
  const budget = new ProbeBudget();
  budget.throttled(ours, T0_MS);
  expect(allowed(budget, T0_MS)).toBe(0);
  expect(allowed(budget, T0_MS + 999)).toBe(0);
  expect(allowed(budget, T0_MS + SECOND_MS)).toBe(1);
  expect(allowed(budget, T0_MS + MINUTE_MS - SECOND_MS)).toBe(10);
  expect(allowed(budget, T0_MS + MINUTE_MS)).toBe(2);
});

test('a throttled probe of one region leaves the others alone', () => {
  const budget = new ProbeBudget();
  budget.throttled(machineIn('eu-west-1'), T0_MS);
  expect(allowed(budget, T0_MS)).toBe(10);
});

test('a clock that is set back stops no probes', () => {
  const budget = new ProbeBudget();
  allowed(budget, T0_MS);
  expect(allowed(budget, T0_MS - MINUTE_MS)).toBe(0);
  expect(allowed(budget, T0_MS - MINUTE_MS + SECOND_MS)).toBe(2);
});
