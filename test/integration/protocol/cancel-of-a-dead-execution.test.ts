import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { execIdOfOccurrence, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { WorkflowWorld } from '../../support/workflow-world';

const DUE_MS = T0_MS + MINUTE_MS;

// A restored table may have such rows: their entries were settled when they ended, after the restored second.
describe('the cancel of a running execution that no entry covers ends it', () => {
  test.each([
    ['once asked', {}],
    [
      'asked already, before the restored second',
      { cancelRequested: { reason: 'cancelled-by-user', atMs: DUE_MS } },
    ],
  ])('%s', async (_name, fields) => {
    const world = await PipelineWorld.started(1);
    const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
    const job = await world.create(newJobAt(world, { schedule }));
    const execId = execIdOfOccurrence(DUE_MS);
    await world.run(3 * MINUTE_MS);
    const [row] = world.tables.rows('executions').filter((one) => one.execId === execId);
    const { finishedAtMs: _, expiresAtSec: __, ...open } = row!;
    const running = {
      ...open,
      ...fields,
      status: 'running',
      claimId: 'claim',
      claimedAtMs: DUE_MS,
      attempts: [],
    };
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
});

test('the repeated cancel of a run that no entry covers ends it', async () => {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  flow.behave.own = { workMs: 20_000 };
  await flow.save({ own: {} });
  const execId = await flow.run();
  await world.run(5_000);
  const ofRun = world.tables.rows('executions').filter((row) => String(row.execId).startsWith(execId));
  await world.run(15 * MINUTE_MS);
  expect(flow.runRow.status).toBe('succeeded');
  const cancelRequested = { reason: 'cancelled-by-user', atMs: world.clock.nowMs() };
  for (const row of ofRun) {
    const Item = row.execId === execId ? { ...row, cancelRequested } : row;
    world.tables.apply('PutCommand', { TableName: 'executions', Item }, () => false);
  }
  await world.run(15 * MINUTE_MS);
  expect(flow.runRow.status).toBe('running');
  expect((await world.api('cancelExecution', { jobId: 'etl', execId })).status).toBe(202);
  await world.run(3 * MINUTE_MS);
  expect(flow.runRow.status).toBe('cancelled');
});
