import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { anExecution, T0_MS } from '../../support/factories';
import { endByGates } from '../../../lambdas/core/ending/end-by-gates';
import { IncompleteReadError } from '../../../lambdas/core/errors';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { WorkflowWorld } from '../../support/workflow-world';

/**
 * Batch reads leave the jobs or executions of a table unprocessed, until the returned function is called.
 */
function leavesUnprocessed(world: PipelineWorld, table: string): () => void {
  let isLeaving = true;
  world.dynamo.faults = {
    leaves: (name, key) => isLeaving && name === table && !String(key.execId).startsWith('#'),
  };
  return () => {
    isLeaving = false;
  };
}

test('work is not lost whose job is left unprocessed by the read after its claim', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'at' as const, at: new Date(world.clock.nowMs() + 30_000).toISOString() };
  const target = { type: 'worker' as const, queue: 'warehouse', heartbeatTimeout: '60s' };
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '3h' }));
  await world.run(31_000);
  const claim = () => world.clock.settle(world.api('claimWork', {}, { queue: 'warehouse' }));
  const answerAgain = leavesUnprocessed(world, 'jobs');
  expect((await claim()).body).toEqual({ work: [], retryAfter: 2 });
  expect(world.executions(job)).toMatchObject([{ status: 'running' }]);
  answerAgain();
  await world.clock.advance(1_000 - (world.clock.nowMs() % 1_000)); // the ticks come in whole steps
  await world.run(3 * 60_000);
  expect((await claim()).body).toMatchObject({ work: [{ jobId: job.jobId, attempt: 2 }] });
});

test('a gate does not end an execution by a job that was left unprocessed', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { overlap: 'replace' }));
  const row = anExecution({
    jobKey: jobKeyOf(job),
    status: 'queued',
    fence: 0,
    attempt: 1,
    startAtMs: T0_MS,
  });
  await world.deps.executions.putQueued(row);
  const { jobKey, execId, dueAtMs } = row;
  const end = { jobKey, execId, dueAtMs, status: 'cancelled', reason: 'overlap', heldBy: 'x' } as const;
  const answerAgain = leavesUnprocessed(world, 'jobs');
  const ending = () =>
    world.clock.settle(
      endByGates([end], { execId, trigger: 'schedule', revision: job.revision }, world.deps),
    );
  await expect(ending()).rejects.toThrow(IncompleteReadError);
  expect(world.executions(job)).toMatchObject([{ status: 'queued' }]);
  answerAgain();
  await ending();
  expect(world.executions(job)).toMatchObject([{ status: 'cancelled', reason: 'overlap' }]);
});

test.each([
  ['listTasks', {}],
  ['getTask', { taskId: 'load' }],
  ['listItems', { taskId: 'load' }],
  ['getItem', { taskId: 'load', index: '0' }],
] as const)(
  '%s answers 503 rather than what a run looks like without the rows of its tasks',
  async (operation, params) => {
    const flow = await WorkflowWorld.started();
    await flow.save({ load: { forEach: { items: [1, 2] } } });
    const execId = await flow.run();
    await flow.world.run(10_000);
    expect(flow.runRow.status).toBe('succeeded');
    const ask = () =>
      flow.world.clock.settle(flow.world.api(operation, { jobId: flow.jobId, execId, ...params }));
    const answerAgain = leavesUnprocessed(flow.world, 'executions');
    expect((await ask()).status).toBe(503);
    answerAgain();
    expect((await ask()).status).toBe(200);
  },
);
