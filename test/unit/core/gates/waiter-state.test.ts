import type { Execution } from '../../../../lambdas/core/domain/execution';
import { waiterStateOf } from '../../../../lambdas/core/gates/slots';
import { anExecution, T0_MS } from '../../../support/factories';
import { PipelineWorld } from '../../../support/pipeline-world';

const message = { jobKey: 'alice/a', execId: '20261201T083000.000Z', dueAtMs: T0_MS };

/** What a ticket's message means, beside the row of its execution. */
async function stateBeside(row: Execution, life: { userRetries?: number } = {}) {
  const { deps } = await PipelineWorld.started(1);
  const executions = { ...deps.executions, get: async () => row };
  return waiterStateOf({ ...message, ...life }, { ...deps, executions });
}

test('the ticket of the life before a retry by a user is over: its gates are those of an older job', async () => {
  const row = anExecution({
    ...message,
    status: 'retrying',
    attempt: 1,
    startAtMs: T0_MS - 1,
    userRetries: 1,
  });
  expect(await stateBeside(row)).toBe('over');
  expect(await stateBeside(row, { userRetries: 1 })).toBe(row);
});
