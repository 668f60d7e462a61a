import { HOUR_MS, MINUTE_MS } from '../../../lambdas/core/clock/clock';
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

const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const BATCH = {
  type: 'batch' as const,
  jobDefinitionArn: `${HERE('batch')}:job-definition/target-report`,
  jobQueueArn: `${HERE('batch')}:job-queue/target-spot`,
  fatalExitCodes: [3],
};
const GLUE = { type: 'glue' as const, glueJobArn: `${HERE('glue')}:job/target-etl` };
const BUILD = { type: 'codebuild' as const, projectArn: `${HERE('codebuild')}:project/target-site` };

/** Work whose service has a name for it of its own. */
async function worldWith(target: Job['target'], id = 'it'): ReturnType<typeof worldWithErrand> {
  const made = await worldWithErrand({ target, timeout: '6h' });
  made.world.errands.onStart = () => ({ how: 'started', id });
  return made;
}

const probeEachMinute = async (world: PipelineWorld, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    await world.run(MINUTE_MS);
    await world.errands.probe();
  }
};

describe.each([
  ['batch', BATCH],
  ['glue', GLUE],
] as const)('%s, which takes no token', (type, target) => {
  test('a start without an answer is made once, and never before the service was asked', async () => {
    const { world, job } = await worldWith(target);
    world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
    world.errands.onProbe = () => ({ state: 'running', id: 'it' });
    await untilStarted(world);
    expect(world.errands.started).toHaveLength(1);
    expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ type, unresolved: true });
    await probeEachMinute(world, 2);
    expect(world.errands.started).toHaveLength(1);
    expect(rowOf(world, job).delegatedTo?.errand).toEqual(expect.not.objectContaining({ unresolved: true }));
    expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ id: 'it' });
  });

  test('a takeover after a start starts nothing, and asks', async () => {
    const { world, job } = await worldWith(target);
    diesAfterStart(world);
    await untilStarted(world);
    await world.run(2 * MINUTE_MS);
    expect(world.errands.started).toHaveLength(1);
    expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ unresolved: true });
  });

  test('“none” counts five minutes after the start alone: only then another one begins', async () => {
    const { world, job } = await worldWith(target);
    world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
    world.errands.onProbe = () => ({ state: 'none' });
    await untilStarted(world);
    const first = nameOf(world, job);
    await probeEachMinute(world, 4);
    expect(world.errands.names).toEqual([first]);
    await probeEachMinute(world, 4);
    expect(world.errands.names.length).toBeGreaterThan(1);
    expect(world.errands.names.slice(1)).not.toContain(first);
    expect(rowOf(world, job)).toMatchObject({ failures: 0 });
  });
});

test('a build is started again under its name for four minutes, and is asked for later', async () => {
  const { world } = await worldWith(BUILD);
  diesAfterStart(world);
  await untilStarted(world);
  await world.run(2 * MINUTE_MS);
  expect(world.errands.started).toHaveLength(2);
  expect(new Set(world.errands.names).size).toBe(1);

  const later = await worldWith(BUILD);
  diesAfterStart(later.world);
  await untilStarted(later.world);
  later.world.on.executor = false;
  await later.world.run(5 * MINUTE_MS);
  later.world.on.executor = true;
  await later.world.run(MINUTE_MS);
  expect(later.world.errands.started).toHaveLength(1);
  expect(rowOf(later.world, later.job).delegatedTo?.errand).toMatchObject({ unresolved: true });
});

test('the queue is kept with the lease, and each service gets the limit of its attempt', async () => {
  const { world, job } = await worldWith(BATCH);
  await untilStarted(world);
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({
    resource: BATCH.jobDefinitionArn,
    runsIn: BATCH.jobQueueArn,
    id: 'it',
  });
  expect(world.errands.started[0]).toMatchObject({ limitMs: 6 * HOUR_MS });
});

test('an event of Glue names a run alone, and its execution ends', async () => {
  const { world, job } = await worldWith(GLUE, 'jr_1');
  await untilStarted(world);
  const heard = (id: string, resource = GLUE.glueJobArn) =>
    world.errands.watch(eventOf(undefined as never, 'succeeded', { type: 'glue', resource, id }));
  await heard('jr_2');
  await heard('jr_1', `${GLUE.glueJobArn}-2`);
  expect(rowOf(world, job).status).toBe('running');
  await heard('jr_1');
  expect(rowOf(world, job).status).toBe('succeeded');
});

test('a run of Glue that a probe has found ends by its event too', async () => {
  const { world, job } = await worldWith(GLUE);
  world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
  world.errands.onProbe = () => ({ state: 'running', id: 'jr_1' });
  await untilStarted(world);
  await probeEachMinute(world, 2);
  const event = { type: 'glue', resource: GLUE.glueJobArn, id: 'jr_1' };
  await world.errands.watch(eventOf(undefined as never, 'succeeded', event));
  expect(rowOf(world, job).status).toBe('succeeded');
});

test('the end of a copy, which has the same name, is not that of the errand', async () => {
  const { world, job } = await worldWith(BATCH, 'job-1');
  await untilStarted(world);
  const ended = (id: string) =>
    world.errands.watch(
      eventOf(nameOf(world, job), 'succeeded', { type: 'batch', resource: BATCH.jobDefinitionArn, id }),
    );
  await ended('job-2');
  expect(rowOf(world, job).status).toBe('running');
  await ended('job-1');
  expect(rowOf(world, job).status).toBe('succeeded');
});

test.each([
  [3, 'fatal', 'failed'],
  [1, 'retriable', 'retrying'],
])('after exit code %i, an attempt is %s', async (exitCode, outcome, status) => {
  const { world, job } = await worldWith(BATCH, 'job-1');
  await untilStarted(world);
  const end = { type: 'batch', resource: BATCH.jobDefinitionArn, id: 'job-1', exitCode, error: 'exit' };
  await world.errands.watch(eventOf(nameOf(world, job), 'failed', end));
  expect(rowOf(world, job)).toMatchObject({ status, attempts: [{ outcome }] });
});
