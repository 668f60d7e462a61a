import * as client from '../../../client/browser';
import * as contracts from '../../../lambdas/core/contracts/execution-statuses';
import { isTerminal } from '../../../lambdas/core/domain/transitions';

test('the client exports the statuses that executions have', () => {
  expect(client.EXECUTION_STATUSES).toEqual(contracts.EXECUTION_STATUSES);
  expect(client.TERMINAL_STATUSES).toEqual(contracts.TERMINAL_STATUSES);
});

test('both agree on what has ended', () => {
  const ended = client.EXECUTION_STATUSES.filter((status) => client.isTerminal({ status }));
  expect(ended).toEqual(contracts.EXECUTION_STATUSES.filter(isTerminal));
  expect(ended).toEqual([...client.TERMINAL_STATUSES]);
});
