import type { Job } from '../../../lambdas/core/domain/job';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

async function started(overrides: Partial<Job> = {}) {
  const world = await PipelineWorld.started();
  const job = await world.create(
    newJobAt(world, { jobId: 'remind', schedule: { type: 'none' }, ...overrides }),
  );
  const bodies: unknown[] = [];
  world.observe = ({ body }) => {
    bodies.push(JSON.parse(body.toString()));
  };
  const run = (body: object) => world.api('runJob', { jobId: 'remind' }, { key: 'k', ...body });
  /** Asks for a run, in a process that dies right after a write. */
  const runAndDie = async (isLast: (call: Call) => boolean, body: object) => {
    let isDone = false;
    world.onCall = (_, call, kill) => {
      if (isDone) kill();
      else if (isLast(call)) isDone = true;
    };
    void run(body);
    await world.clock.flush();
    await world.run(2_000);
    expect(isDone).toBe(true);
    world.onCall = undefined;
  };
  return { world, job, bodies, run, runAndDie, rows: () => world.executions(job) };
}

const itemOf = ({ command, input }: Call): Record<string, unknown> =>
  command === 'PutCommand' ? (input.Item as Record<string, unknown>) : {};
const namesKey = (call: Call) => String(itemOf(call).jobId).startsWith('#run-key#');
const writesRow = (call: Call) => itemOf(call).trigger === 'manual';
const freesKey = ({ command, input }: Call) =>
  command === 'UpdateCommand' && String(input.UpdateExpression).includes('keyFreed');

test('a request that dies after it has named its run leaves the key to the next one', async () => {
  const { world, bodies, run, runAndDie, rows } = await started();
  await runAndDie(namesKey, { delay: '1m', payload: 'first' });
  expect(rows()).toEqual([]);
  expect(await run({ delay: '2m', payload: 'second' })).toMatchObject({
    status: 202,
    body: { created: true },
  });
  expect(await run({ payload: 'third' })).toMatchObject({ status: 200 });
  await world.run(5 * MINUTE_MS);
  expect(bodies).toEqual(['second']);
  expect(rows()).toHaveLength(1);
});

test('long after such a death, the key names a run of its own', async () => {
  const { world, bodies, run, runAndDie, rows } = await started();
  await runAndDie(namesKey, { delay: '1s', payload: 'first' });
  await world.run(5 * MINUTE_MS);
  const [named] = world.tables.rows('executions', ({ namedRun }) => namedRun !== undefined);
  const { execId } = (await run({ payload: 'second' })).body as { execId: string };
  // Its deliveries have ids of their own: a target may have seen those of a record that has expired.
  expect(execId).not.toBe(named!.namedRun);
  await world.run(MINUTE_MS);
  expect(bodies).toEqual(['second']);
  expect(rows()).toMatchObject([{ execId, status: 'succeeded' }]);
});

test('a run whose request dies after its row is called, and kept', async () => {
  const { world, bodies, run, runAndDie } = await started();
  await runAndDie(writesRow, { delay: '1m', payload: 'first' });
  expect(await run({ payload: 'second' })).toMatchObject({ status: 200, body: { created: false } });
  await world.run(2 * MINUTE_MS);
  expect(bodies).toEqual(['first']);
});

test('a request that dies after it has freed the key leaves it free, and the run is not retried', async () => {
  const { world, bodies, run, runAndDie, rows } = await started();
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400 });
  const { execId } = (await run({ payload: 1 })).body as { execId: string };
  await world.run(MINUTE_MS);
  await runAndDie(freesKey, { payload: 2 });
  expect(await world.api('retryExecution', { jobId: 'remind', execId })).toMatchObject({ status: 409 });
  expect(await run({ payload: 3 })).toMatchObject({ status: 202 });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual([1, 3]);
  expect(rows()).toHaveLength(2);
});

test('requests that come together start one run', async () => {
  const { world, bodies, run, rows } = await started();
  const asked = Promise.all([1, 2, 3].map((payload) => run({ delay: '1m', payload })));
  await world.run(2_000);
  const answers = await asked;
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(new Set(answers.map(({ body }) => (body as { execId: string }).execId)).size).toBe(1);
  await world.run(2 * MINUTE_MS);
  expect(bodies).toHaveLength(1);
  expect(rows()).toHaveLength(1);
});

test('a message from before a replacement starts nothing', async () => {
  const { world, bodies, run, rows } = await started();
  world.on.executor = false;
  await run({ payload: 'first' });
  await run({ delay: '10m', onExisting: 'replace', payload: 'later' });
  await run({ delay: '0s', onExisting: 'replace', payload: 'last' });
  await world.run(10_000);
  expect(rows()).toMatchObject([{ timesMoved: 2, status: 'queued' }]);
  world.on.executor = true;
  await world.run(15 * MINUTE_MS);
  expect(bodies).toEqual(['last']);
  expect(world.calls).toMatchObject([{ fence: 1 }]);
});

test('what a run took before it was held stops no other run once it is released', async () => {
  const { world, bodies, run, rows } = await started({ overlap: 'queue' });
  await run({ delay: '1m', payload: 'held' });
  await world.api('pauseJob', { jobId: 'remind' });
  await world.run(90_000);
  expect(rows()).toMatchObject([{ status: 'retrying', heldAtMs: expect.any(Number) }]);
  await world.api('resumeJob', { jobId: 'remind' });
  world.on.executor = false;
  while (rows()[0]!.heldAtMs !== undefined) await world.run(10_000);
  world.queue.purge(); // the message of the one that was released
  world.on.executor = true;
  await world.api('runJob', { jobId: 'remind' }, { payload: 'other' });
  await world.run(5_000);
  expect(bodies).toEqual(['other']);
  await world.run(MINUTE_MS);
  expect(bodies).toEqual(['other', 'held']);
});
