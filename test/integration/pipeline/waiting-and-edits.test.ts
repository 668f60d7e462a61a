import type { Job } from '../../../lambdas/core/domain/job';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { dueOnce, leftSlotRows, orderedWorld } from '../../support/ordered';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const misfire = { policy: 'skip', grace: '60s', catchUpWindow: '1h' } as const;

const ORDERED = { orderingKey: 'crm.a' };
const LIMITED = { orderingKey: null, concurrencyKey: 'crm.a' };
const DERIVED = { orderingKey: null, concurrencyKey: 'crm.{{ payload.tenant }}', payload: { tenant: 'a' } };

/** An occurrence waits three minutes behind another one. Then its job changes. */
async function editedMeanwhile(before: Partial<Job>, changes: object) {
  const { world, spans } = await orderedWorld(({ jobId }) => ({
    ms: jobId === 'first' ? 8 * MINUTE_MS : SECOND_MS,
  }));
  for (const key of ['crm.*', 'crm.a', 'crm.b']) await world.api('putConcurrencyKey', { key }, { limit: 1 });
  const target = aTarget({ timeout: '10m' });
  await world.create(dueOnce(world, 'first', 30, { ...before, target, timeout: '15m', misfire }));
  const job = await world.create(dueOnce(world, 'waiting', 31, { ...before, misfire }));
  await world.run(3 * MINUTE_MS);
  expect(world.executions(job)).toEqual([]);
  expect((await world.api('patchJob', { jobId: 'waiting' }, changes)).status).toBe(200);
  await world.run(20 * MINUTE_MS);
  const [first] = spans.filter(({ jobId }) => jobId === 'first');
  const [waiting] = spans.filter(({ jobId }) => jobId === 'waiting');
  return { world, job, isFree: waiting && waiting.beginMs < first!.endMs };
}

describe('an occurrence that waits for minutes is no misfire, though another field decides by then', () => {
  test.each<[string, Partial<Job>, object]>([
    ['the payload that completes its concurrency key', DERIVED, { payload: { tenant: 'b' } }],
    ['its concurrency key', LIMITED, { concurrencyKey: 'crm.b' }],
    ['no concurrency key', LIMITED, { concurrencyKey: null }],
    ['its ordering key', ORDERED, { orderingKey: 'crm.b' }],
    ['no ordering key', ORDERED, { orderingKey: null }],
    ['a concurrency key for an ordering key', ORDERED, { orderingKey: null, concurrencyKey: 'crm.b' }],
    ['an ordering key for a concurrency key', LIMITED, { orderingKey: 'crm.b', concurrencyKey: null }],
  ])('%s', async (_, before, changes) => {
    const { world, job, isFree } = await editedMeanwhile(before, changes);
    expect(world.executions(job)).toMatchObject([{ status: 'succeeded', dueAtMs: T0_MS + 31 * SECOND_MS }]);
    expect(isFree).toBe(true);
    expect(leftSlotRows(world)).toEqual([]);
    expect(world.errors()).toEqual([]);
  });
});

/** An event starts a run, and the next one moves it. In between, its job changes its ordering key. */
async function movedAfterAnEdit(before: Partial<Job>, changes: object) {
  const { world, spans } = await orderedWorld(({ jobId }) => ({
    ms: jobId === 'first' ? 2 * MINUTE_MS : SECOND_MS,
  }));
  const target = aTarget({ timeout: '10m' });
  await world.create(dueOnce(world, 'first', 30, { ...ORDERED, target, timeout: '15m' }));
  const schedule = { type: 'event', name: 'changed', debounce: '20s' } as const;
  const job = await world.create(newJobAt(world, { jobId: 'index', schedule, ...before }));
  const send = () => world.api('sendEvent', {}, { name: 'changed' });
  await world.run(35 * SECOND_MS);
  await send();
  await world.run(5 * SECOND_MS);
  expect((await world.api('patchJob', { jobId: 'index' }, changes)).status).toBe(200);
  await send();
  await world.run(5 * MINUTE_MS);
  const [first, moved] = spans;
  const executions = world.executions(job);
  expect(executions).toMatchObject([{ status: 'succeeded', timesMoved: 1 }]);
  return { orderingKey: executions[0]!.orderingKey, waited: moved!.beginMs >= first!.endMs };
}

describe('a run that an event moves keeps the ordering key of its row', () => {
  test.each([null, 'crm.b'])('its job has lost the key, or has another: %s', async (orderingKey) => {
    expect(await movedAfterAnEdit(ORDERED, { orderingKey })).toEqual({ ...ORDERED, waited: true });
  });

  test('its job has got a key', async () => {
    expect(await movedAfterAnEdit({}, ORDERED)).toEqual({ orderingKey: undefined, waited: false });
  });
});
