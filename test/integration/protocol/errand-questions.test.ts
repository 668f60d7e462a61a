import { SECOND_MS } from '../../../lambdas/core/clock/clock';
import { Metric } from '../../../lambdas/core/contracts/metrics';
import type { Job } from '../../../lambdas/core/domain/job';
import { ProbeBudget } from '../../../lambdas/core/domain/probe-budget';
import { DUE_MS, eventOf, nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';
import { newJobAt } from '../../support/new-job';
import type { PipelineWorld } from '../../support/pipeline-world';

// What a batch of the watcher's messages asks of a service.

const HERE = 'arn:aws:ecs:eu-central-1:111122223333';
const taskIn = (cluster: string) => ({
  type: 'ecs' as const,
  taskDefinitionArn: `${HERE}:task-definition/target-report`,
  clusterArn: `${HERE}:cluster/${cluster}`,
});

/** Executions whose tasks run in these clusters. Each task has an id of its own. */
async function running(...clusters: string[]): Promise<{ world: PipelineWorld; jobs: Job[] }> {
  const [first = '', ...others] = clusters;
  const { world, job } = await worldWith({ target: taskIn(first), timeout: '6h' });
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const jobs = [job];
  for (const cluster of others) {
    const jobId = `job-${jobs.length}`;
    const target = taskIn(cluster);
    jobs.push(await world.create(newJobAt(world, { jobId, schedule, target, timeout: '6h', payload: {} })));
  }
  world.errands.onStart = ({ name }) => ({ how: 'started', id: `task of ${name}` });
  await untilStarted(world);
  return { world, jobs };
}

const ordersOf = (world: PipelineWorld, jobs: readonly Job[]) =>
  jobs.map((job, index) => {
    const { jobKey, execId } = rowOf(world, job);
    return { id: `m${index}`, message: { v: 1 as const, probe: { jobKey, execId } } };
  });

test('one question is about all tasks of a cluster, and each ends by its own answer', async () => {
  const { world, jobs } = await running('jobs', 'jobs', 'others', 'jobs');
  const [a, b, other, c] = jobs.map((job) => nameOf(world, job));
  world.errands.onProbe = (name) =>
    name === b ? { state: 'ended', end: { how: 'succeeded' } } : { state: 'running' };
  expect(await world.errands.watchAll(ordersOf(world, jobs))).toEqual({ failedIds: [] });
  expect(world.errands.questions).toEqual([[a, b, c], [other]]);
  expect(jobs.map((job) => rowOf(world, job).status)).toEqual(['running', 'succeeded', 'running', 'running']);
});

test('what is ordered twice is asked for once, and what an event has ended is not asked for', async () => {
  const { world, jobs } = await running('jobs', 'jobs');
  const [a, b] = jobs.map((job) => nameOf(world, job));
  const orders = ordersOf(world, jobs);
  const resource = taskIn('jobs').taskDefinitionArn;
  const event = eventOf(b!, 'succeeded', { type: 'ecs', resource, id: `task of ${b}` });
  await world.errands.watchAll([
    ...orders,
    ...orders.map(({ message }) => ({ id: 'again', message })),
    { id: 'event', message: event },
  ]);
  expect(world.errands.questions).toEqual([[a]]);
  expect(rowOf(world, jobs[1]!)).toMatchObject({ status: 'succeeded', attempts: [{}] });
});

test('a question takes one of the budget, and each of what is put off is counted', async () => {
  const { world, jobs } = await running('jobs', 'jobs', 'others');
  const budget = new ProbeBudget();
  const errand = { type: 'ecs' as const, resource: taskIn('jobs').taskDefinitionArn };
  // None is left, and none comes at this time.
  budget.throttled(errand, Number.MAX_SAFE_INTEGER);
  await world.errands.watchAll(ordersOf(world, jobs), budget);
  expect(world.errands.questions).toEqual([]);
  expect(world.meter.total(Metric.probesPutOff)).toBe(3);
  await world.errands.watchAll(ordersOf(world, jobs), new ProbeBudget());
  expect(world.errands.questions.map((names) => names.length)).toEqual([2, 1]);
});

test('a question that fails says nothing of any of them', async () => {
  const { world, jobs } = await running('jobs', 'jobs');
  world.errands.probes.probe = async () => Promise.reject(new Error('no answer'));
  expect(await world.errands.watchAll(ordersOf(world, jobs))).toEqual({ failedIds: [] });
  expect(jobs.map((job) => rowOf(world, job).status)).toEqual(['running', 'running']);
});

test('tasks whose starts got no answer are asked for one by one, by their names', async () => {
  const { world, jobs } = await running('jobs', 'jobs');
  const lost = await Promise.all(
    ['lost-1', 'lost-2'].map((jobId) =>
      world.create(newJobAt(world, { jobId, schedule: { type: 'none' }, target: taskIn('jobs') })),
    ),
  );
  world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
  for (const { jobId } of lost) await world.api('runJob', { jobId });
  await world.run(30 * SECOND_MS);
  await world.errands.watchAll(ordersOf(world, [...jobs, ...lost]));
  const sizes = world.errands.questions.map((names) => names.length);
  expect(sizes.toSorted((one, other) => one - other)).toEqual([1, 1, 2]);
});

test('a service that does not answer leaves other questions and events their time', async () => {
  const { world, jobs } = await running('jobs', 'others', 'more');
  const [, , more] = jobs.map((job) => nameOf(world, job));
  const { probe, ofEvent } = world.errands.probes;
  // Each waits for the other one.
  const both = { asked: 0, heard: 0 };
  const until = async (what: keyof typeof both) => {
    both[what] += 1;
    while (both[what] < 2) await new Promise((done) => setImmediate(done));
  };
  world.errands.probes.probe = async (...asked) => {
    await until('asked');
    return probe(...asked);
  };
  world.errands.probes.ofEvent = async (event) => {
    await until('heard');
    return ofEvent(event);
  };
  const resource = taskIn('more').taskDefinitionArn;
  const event = eventOf(more!, 'succeeded', { type: 'ecs', resource, id: `task of ${more}` });
  await world.errands.watchAll([
    ...ordersOf(world, jobs.slice(0, 2)),
    { id: 'event', message: event },
    { id: 'again', message: event },
  ]);
  expect(world.errands.questions).toHaveLength(2);
  expect(rowOf(world, jobs[2]!)).toMatchObject({ status: 'succeeded', attempts: [{}], errands: 1 });
});
