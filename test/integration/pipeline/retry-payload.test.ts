import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

test('a user retry may bring another payload, which all its attempts and later retries get', async () => {
  const world = await PipelineWorld.started(1);
  const bodies: string[] = [];
  world.observe = ({ body }) => void bodies.push(String(body));
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400 });
  const at = new Date(T0_MS + 7 * MINUTE_MS).toISOString();
  const job = await world.create(newJobAt(world, { payload: { invoice: 42 }, schedule: { type: 'at', at } }));
  await world.run(8 * MINUTE_MS);
  const { execId } = world.executions(job)[0]!;
  const retry = async (body?: object) => {
    const answer = await world.api('retryExecution', { jobId: job.jobId, execId }, body);
    expect(answer.status).toBe(202);
    await world.run(MINUTE_MS);
  };
  await retry();
  await retry({ payload: { invoice: 43 } });
  await retry();
  await retry({ payload: null });
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
    { invoice: 42 },
    { invoice: 42 },
    { invoice: 43 },
    { invoice: 43 },
    null,
  ]);
});

test('a retry that waits already keeps its payload: another one is a conflict', async () => {
  const world = await PipelineWorld.started(1);
  const at = new Date(T0_MS + 60 * MINUTE_MS).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  const [planned] = (
    (await world.api('listExecutions', { jobId: job.jobId })).body as { items: { execId: string }[] }
  ).items;
  const params = { jobId: job.jobId, execId: planned!.execId };
  await world.api('cancelExecution', params);
  expect((await world.api('retryExecution', params, { payload: 1 })).status).toBe(202);
  expect((await world.api('retryExecution', params, { payload: 1 })).status).toBe(202);
  expect((await world.api('retryExecution', params)).status).toBe(202);
  expect((await world.api('retryExecution', params, { payload: 2 })).status).toBe(409);
  expect((await world.api('retryExecution', params, { payload: 'x'.repeat(70_000) })).status).toBe(413);
});
