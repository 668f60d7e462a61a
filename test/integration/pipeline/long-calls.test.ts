import type { ExecutionMessage } from '../../../lambdas/core/contracts/messages';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { lanesOf } from '../../support/received';
import { WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;
const DUE_MS = T0_MS + 2 * MINUTE_MS;
const AT = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
const LONG = aTarget({ timeout: '2m' });
const FAILED = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' } as const;

test('calls that may be long, and their retries, pass neither a priority nor the overflow', async () => {
  const world = await PipelineWorld.started(2, undefined, { userSharePerSec: 1 });
  const lanes = lanesOf(world);
  for (let index = 0; index < 5; index++)
    await world.create(newJobAt(world, { jobId: `job-${index}`, schedule: AT, target: LONG }));
  world.behaviour = ({ attempt }) => (attempt === 1 ? FAILED : { outcome: 'succeeded', statusCode: 200 });
  await world.run(5 * MINUTE_MS);
  expect(lanes).toEqual(Array(10).fill('long'));
  expect(world.queue.messages).toEqual([]);
});

test('a job whose time limit is raised after its message was sent is called in the lane for long calls', async () => {
  const world = await PipelineWorld.started();
  const lanes = lanesOf(world);
  const job = await world.create(newJobAt(world, { schedule: AT }));
  await world.run(MINUTE_MS);
  expect(world.queue.messages).toHaveLength(1);
  const raised = await world.api('patchJob', { jobId: job.jobId }, { target: { timeout: '2m' } });
  expect(raised.status).toBe(200);
  await world.run(2 * MINUTE_MS);
  expect(lanes).toEqual(['medium', 'long']);
  expect(world.calls).toMatchObject([{ attempt: 2 }]);
  expect(world.executions(job)).toMatchObject([{ status: 'succeeded', failures: 0 }]);
});

test('a message of older code, which does not say it, is called in the lane for long calls too', async () => {
  const world = await PipelineWorld.started();
  const { send } = world.queue;
  world.queue.send = (outgoing) =>
    send.call(
      world.queue,
      outgoing.map((one) => {
        const { longCall: _, ...message }: ExecutionMessage = one.message;
        return one.message.attempt === 1 ? { ...one, message } : one;
      }),
    );
  const lanes = lanesOf(world);
  const job = await world.create(newJobAt(world, { schedule: AT, target: LONG }));
  await world.run(4 * MINUTE_MS);
  expect(lanes).toEqual(['medium', 'long']);
  expect(world.executions(job)).toMatchObject([{ status: 'succeeded', failures: 0 }]);
  expect(world.calls).toHaveLength(1);
});

test('a long task, its retries and its resent messages keep to the lane for long calls', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = FAILED;
  const target = { type: 'http', url: 'https://example.com/load', timeout: '2m' };
  const retry = { maxAttempts: 2, initialDelay: '2m', jitter: 'none' };
  await flow.save({ quick: {}, load: { dependsOn: ['quick'], target, retry, delay: '10m' } });
  const lanes = lanesOf(flow.world);
  await flow.run();
  await flow.world.run(20 * MINUTE_MS);
  expect(flow.called).toEqual(['quick', 'load', 'load']);
  // The executor that starts the run keeps the message of the task `quick` (ADR 25).
  expect(lanes).toEqual(['medium', 'long', 'long']);
  expect(flow.runRow.status).toBe('failed');
});

test('a long task whose message is lost is sent again in the lane for long calls', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = FAILED;
  const target = { type: 'http', url: 'https://example.com/load', timeout: '2m' };
  const retry = { maxAttempts: 2, initialDelay: '5m' };
  await flow.save({ load: { target, retry } });
  await flow.run();
  await flow.world.run(MINUTE_MS);
  flow.world.on.executor = false;
  await flow.world.run(6 * MINUTE_MS);
  flow.world.queue.purge();
  flow.world.on.executor = true;
  const lanes = lanesOf(flow.world);
  await flow.world.run(10 * MINUTE_MS);
  expect(flow.called).toEqual(['load', 'load']);
  expect([...new Set(lanes)]).toEqual(['long']);
});

test('rechecks send nothing again while the lane for long calls is long', async () => {
  const world = await PipelineWorld.started();
  const receive = world.queue.receive.bind(world.queue);
  const job = await world.create(newJobAt(world, { schedule: AT, target: LONG }));
  world.queue.receive = () => [];
  await world.run(6 * MINUTE_MS);
  expect((await world.queue.backlog('default', 'long')).visible).toBe(1);
  world.queue.receive = receive;
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
  expect(world.calls).toHaveLength(1);
});
