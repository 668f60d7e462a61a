import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { execIdOfOccurrence, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const DUE_MS = T0_MS + MINUTE_MS;

// A restored table may have such a row: its entries were settled when it ended, after the restored second.
test('the cancel of a running execution that no entry covers ends it', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule }));
  const execId = execIdOfOccurrence(DUE_MS);
  await world.run(3 * MINUTE_MS);
  const [row] = world.tables.rows('executions').filter((one) => one.execId === execId);
  const { finishedAtMs: _, expiresAtSec: __, ...open } = row!;
  const running = { ...open, status: 'running', claimId: 'claim', claimedAtMs: DUE_MS, attempts: [] };
  world.tables.apply('PutCommand', { TableName: 'executions', Item: running }, () => false);
  await world.run(15 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'running' })]);
  const cancel = await world.api('cancelExecution', { jobId: job.jobId, execId });
  expect(cancel.status).toBe(202);
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job)).toEqual([
    expect.objectContaining({ jobKey: jobKeyOf(job), status: 'cancelled', reason: 'cancelled-by-user' }),
  ]);
});
