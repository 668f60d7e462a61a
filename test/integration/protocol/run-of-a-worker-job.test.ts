import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;

test('a run is retried as a run, though its job has become one of workers', async () => {
  const flow = await WorkflowWorld.started();
  const { world, jobId } = flow;
  await flow.save({ load: {} });
  flow.behave.load = FAILED;
  const execId = await flow.run();
  await world.run(2 * MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });

  const asked = await world.api('putJob', { jobId }, { schedule: { type: 'none' }, target: WORKER });
  expect(asked.status).toBe(200);
  delete flow.behave.load;
  expect((await world.api('retryExecution', { jobId, execId })).status).toBe(202);
  await world.run(2 * MINUTE_MS);
  expect(flow.called).toEqual(['load', 'load']);
  expect(flow.runRow).toMatchObject({ status: 'succeeded', userRetries: 1 });
});

const WORKER = { type: 'worker', queue: 'warehouse' };
