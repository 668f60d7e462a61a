import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXECUTION_STATUSES } from '../../../../lambdas/core/contracts/execution-statuses';
import { isTerminal, statusesBefore, TRANSITIONS } from '../../../../lambdas/core/domain/transitions';

const page = readFileSync(join(__dirname, '../../../../docs/state-machine.md'), 'utf8');
const drawn = [...page.matchAll(/^\s+(\w+) --> (\w+): (.+)$/gm)].map(([, from, to, by]) => ({
  from,
  to,
  by,
}));

test('the diagram in the docs and the table in the code are the same machine', () => {
  expect(drawn).toEqual(TRANSITIONS);
});

test('every status is reachable, and only the user leads out of a terminal one', () => {
  const reached = new Set(['scheduled', ...TRANSITIONS.map(({ to }) => to)]);
  expect([...reached].sort()).toEqual([...EXECUTION_STATUSES].sort());
  for (const { from, by } of TRANSITIONS.filter((transition) => isTerminal(transition.from))) {
    expect(`${from}: ${by}`).toBe(`${from}: user retry`);
  }
  // Only a run of a workflow leaves it: the API refuses the retry of any other success.
  expect(TRANSITIONS.filter(({ from }) => from === 'succeeded').map(({ to }) => to)).toEqual(['retrying']);
});

test('a success can only come from a running attempt, or from an approval of what never ran', () => {
  expect(statusesBefore('succeeded')).toEqual(['scheduled', 'running']);
});

test.each(EXECUTION_STATUSES.map((status) => [status] as const))(
  '%s is terminal if only a user leaves it',
  (status) => {
    const leaves = TRANSITIONS.filter(({ from }) => from === status);
    expect(isTerminal(status)).toBe(leaves.every(({ by }) => by === 'user retry'));
  },
);
