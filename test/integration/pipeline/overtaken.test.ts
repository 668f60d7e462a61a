import type { Job } from '../../../lambdas/core/domain/job';
import { aTarget } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { leftSlotRows, mostAtOnce, orderedWorld, type Span } from '../../support/ordered';
import type { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const ROUNDS = 6;

const job = (world: PipelineWorld, jobId: string, overlap: Job['overlap']) =>
  world.create(
    newJobAt(world, {
      jobId,
      schedule: { type: 'none' },
      target: aTarget({ timeout: '2m' }),
      concurrencyKey: 'crm.{{ payload.tenant }}',
      overlap,
    }),
  );

async function run(world: PipelineWorld, jobId: string, tenant: string): Promise<string> {
  const { status, body } = await world.api('runJob', { jobId }, { payload: { tenant } });
  expect(status).toBe(202);
  return (body as { execId: string }).execId;
}

/**
 * An execution of `one` waits for the slot of its tenant. When that is free, one of another tenant has the
 * lock of `one`. When the lock is free, an execution of `others` has the slot.
 */
async function overtaken(overlap: 'queue' | 'skip' = 'queue') {
  const { world, spans } = await orderedWorld(({ jobId }) => ({
    ms: (jobId === 'one' ? 18 : 20) * SECOND_MS,
  }));
  await world.api('putConcurrencyKey', { key: 'crm.*' }, { limit: 1 });
  await job(world, 'one', overlap);
  await job(world, 'others', 'allow');
  await run(world, 'others', 'a');
  await world.run(SECOND_MS);
  const older = await run(world, 'one', 'a');
  await world.run(SECOND_MS);
  for (let round = 0; round < ROUNDS; round++) await run(world, 'others', 'a');
  await world.run(8 * SECOND_MS);
  const begun = () => spans.findIndex(({ execId }) => execId === older);
  return { world, spans, older, begun };
}

async function expectNothingLeft(world: PipelineWorld, spans: readonly Span[]) {
  await world.run(5 * MINUTE_MS);
  expect(spans.filter(({ jobId }) => jobId === 'others')).toHaveLength(ROUNDS + 1);
  expect(leftSlotRows(world)).toEqual([]);
  expect(mostAtOnce(spans.filter(({ jobId }) => jobId === 'one'))).toBe(1);
}

test('what a later execution of its job has overtaken gets slot and lock next', async () => {
  const { world, spans, begun } = await overtaken();
  for (let round = 0; round < ROUNDS; round++) {
    await run(world, 'one', 'b');
    await world.run(20 * SECOND_MS);
  }
  expect(begun()).toBe(2);
  await expectNothingLeft(world, spans);
});

test('the turn of what was overtaken passes on when it is cancelled', async () => {
  const { world, spans, older, begun } = await overtaken();
  await run(world, 'one', 'b');
  await world.run(12 * SECOND_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['others', 'one']);
  expect((await world.api('cancelExecution', { jobId: 'one', execId: older })).status).toBe(202);
  await world.run(3 * SECOND_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['others', 'one', 'others']);
  await expectNothingLeft(world, spans);
  expect(begun()).toBe(-1);
});

test('what would be skipped keeps no turn', async () => {
  const { world, spans, begun } = await overtaken('skip');
  await run(world, 'one', 'b');
  await world.run(11 * SECOND_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['others', 'one', 'others']);
  await expectNothingLeft(world, spans);
  expect(begun()).toBe(-1);
});
