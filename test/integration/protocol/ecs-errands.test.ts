import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { Job } from '../../../lambdas/core/domain/job';
import {
  diesAfterStart,
  eventOf,
  nameOf,
  rowOf,
  untilStarted,
  worldWith as worldWithErrand,
} from '../../support/errand-world';
import type { PipelineWorld } from '../../support/pipeline-world';

const HERE = 'arn:aws:ecs:eu-central-1:111122223333';
const target = {
  type: 'ecs' as const,
  taskDefinitionArn: `${HERE}:task-definition/target-report`,
  clusterArn: `${HERE}:cluster/target-jobs`,
  container: 'app',
};
const onlyOnce = { maxAttempts: 1, initialDelay: '1s', maxDelay: '1s' };

/** A task of ECS is started in a cluster, and is forgotten an hour after its end. */
async function worldWith(overrides: Partial<Job> = {}): ReturnType<typeof worldWithErrand> {
  const made = await worldWithErrand({ target, timeout: '6h', ...overrides });
  made.world.errands.onStart = () => ({ how: 'started', id: 'task-1' });
  return made;
}

const endingAs = (name: string, how: string, more: object = {}) =>
  eventOf(name, how, { resource: target.taskDefinitionArn, type: 'ecs', ...more });

/** No executor works for so long. */
async function outage(world: PipelineWorld, ms: number): Promise<void> {
  world.on.executor = false;
  await world.run(ms);
  world.on.executor = true;
  await world.run(MINUTE_MS);
}

test('the cluster is kept with the lease, and every probe asks in it', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  const kept = { type: 'ecs', resource: target.taskDefinitionArn, runsIn: target.clusterArn, id: 'task-1' };
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject(kept);
  await world.run(2 * MINUTE_MS);
  await world.errands.probe();
  expect(world.errands.probed).toContainEqual(expect.objectContaining(kept));
});

test('templates are put in before a task is started', async () => {
  const { world, job } = await worldWith({
    target: { ...target, environment: { RUN: '{{ run.id }}' } },
    templates: true,
  });
  await untilStarted(world);
  expect(world.errands.started).toMatchObject([
    { target: { environment: { RUN: rowOf(world, job).execId } } },
  ]);
});

test('a task whose host is lost costs no retry, and the next one has another name', async () => {
  const { world, job } = await worldWith({ retry: { ...(await retry()), ...onlyOnce } });
  await untilStarted(world);
  await world.errands.watch(endingAs(nameOf(world, job), 'lost', { error: 'SpotInterruption' }));
  await world.run(MINUTE_MS);
  expect(rowOf(world, job)).toMatchObject({ status: 'running', failures: 0, takeovers: 1 });
  expect(rowOf(world, job).attempts).toMatchObject([{ outcome: 'lost', error: 'SpotInterruption' }]);
  expect(new Set(world.errands.names).size).toBe(2);
});

test('a task that would fail again is not tried again', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  await world.errands.watch(endingAs(nameOf(world, job), 'failed', { isFatal: true, error: 'no image' }));
  expect(rowOf(world, job)).toMatchObject({ status: 'failed', attempts: [{ outcome: 'fatal' }] });
});

test('a token that ECS may have forgotten starts nothing: the task is asked for', async () => {
  const { world, job } = await worldWith();
  diesAfterStart(world);
  await untilStarted(world);
  await outage(world, HOUR_MS);
  expect(world.errands.started).toHaveLength(1);
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ unresolved: true });
});

test('a task that ECS may have forgotten is lost from sight; a user retry starts another', async () => {
  const { world, job } = await worldWith();
  world.errands.onProbe = () => ({ state: 'none' });
  diesAfterStart(world);
  await untilStarted(world);
  await outage(world, HOUR_MS);
  for (let minutes = 0; minutes < 4; minutes++) {
    await world.run(MINUTE_MS);
    await world.errands.probe();
  }
  const { execId, reason } = rowOf(world, job);
  expect(reason).toBe('lost-sight');
  await world.api('retryExecution', { jobId: job.jobId, execId });
  for (let minutes = 0; minutes < 4; minutes++) {
    await world.run(MINUTE_MS);
    await world.errands.probe();
  }
  await world.run(10 * SECOND_MS);
  expect(new Set(world.errands.names).size).toBe(2);
});

const retry = async (): Promise<Job['retry']> => (await worldWithErrand()).job.retry;
