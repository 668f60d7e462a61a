import { SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { Job } from '../../../lambdas/core/domain/job';
import { eventOf, nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';
import type { PipelineWorld } from '../../support/pipeline-world';

/* What a durable function has done, step by step, as the record of its attempt keeps it. */

const DURABLE = {
  type: 'lambda',
  functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:target-orders:live',
  durable: true,
} as const;

async function runningDurable(): Promise<{ world: PipelineWorld; job: Job }> {
  const made = await worldWith({ target: DURABLE });
  made.world.errands.onStart = () => ({ how: 'started', id: 'arn:1' });
  await untilStarted(made.world);
  return made;
}

const endOf = (world: PipelineWorld, job: Job) =>
  eventOf(nameOf(world, job), 'failed', {
    ...{ type: 'durable', resource: DURABLE.functionArn, id: 'arn:1', error: 'no' },
  });

test('the steps of a durable function are on the record of its attempt', async () => {
  const { world, job } = await runningDurable();
  const steps = [
    { name: 'reserve', state: 'succeeded' as const, startedAtMs: 1_000, endedAtMs: 3_000 },
    { name: 'pay', state: 'failed' as const, startedAtMs: 3_000, endedAtMs: 4_000 },
  ];
  world.errands.onSteps = async ({ id }) => (id === 'arn:1' ? steps : []);
  await world.errands.watch(endOf(world, job));
  expect(rowOf(world, job).attempts[0]!.errand?.steps).toEqual(steps);
  const { execId } = rowOf(world, job);
  const { body } = await world.api('getExecution', { jobId: job.jobId, execId });
  expect(body).toMatchObject({
    attempts: [
      {
        errand: {
          steps: [
            {
              ...{ name: 'reserve', state: 'succeeded' },
              ...{ startedAt: '1970-01-01T00:00:01.000Z', endedAt: '1970-01-01T00:00:03.000Z' },
            },
            { name: 'pay', state: 'failed' },
          ],
        },
      },
    ],
  });
});

test.each<[string, () => Promise<never>]>([
  ['are denied', () => Promise.reject(new Error('AccessDenied'))],
  ['get no answer', () => new Promise(() => undefined)],
])('steps that %s do not hold up the end', async (_, onSteps) => {
  const { world, job } = await runningDurable();
  world.errands.onSteps = onSteps;
  const watching = world.errands.watch(endOf(world, job));
  await world.run(5 * SECOND_MS);
  expect(rowOf(world, job).attempts).toMatchObject([{ error: 'no', errand: { id: 'arn:1' } }]);
  expect(rowOf(world, job).attempts[0]!.errand?.steps).toBeUndefined();
  expect(await watching).toEqual({ failedIds: [] });
});

test('a kind without steps is not asked for any', async () => {
  const { world, job } = await worldWith();
  const asked: string[] = [];
  world.errands.onSteps = async ({ name }) => {
    asked.push(name);
    return [];
  };
  await untilStarted(world);
  await world.errands.watch(eventOf(nameOf(world, job), 'succeeded'));
  expect([rowOf(world, job).status, asked]).toEqual(['succeeded', []]);
});

test('the records of the first 20 attempts have steps: a row has room for no more', async () => {
  const delays = { initialDelay: '1s', maxDelay: '1s', multiplier: 1, maxAge: '24h' };
  const retry = { maxAttempts: 23, ...delays, jitter: 'none' as const };
  const { world, job } = await worldWith({ target: DURABLE, retry });
  world.errands.onStart = () => ({ how: 'started', id: 'arn:1' });
  world.errands.onSteps = async () => [{ name: 'pay', state: 'failed' as const }];
  await untilStarted(world);
  for (let attempt = 1; attempt <= 23; attempt++) {
    await world.errands.watch(endOf(world, job));
    await world.run(90 * SECOND_MS);
  }
  const row = rowOf(world, job);
  expect(row.status).toBe('failed');
  expect(row.attempts.map(({ errand }) => errand?.steps !== undefined)).toEqual(
    Array.from({ length: 23 }, (_, index) => index < 20),
  );
});
