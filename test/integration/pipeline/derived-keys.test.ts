import { execIdOfOccurrence, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { endByGates } from '../../../lambdas/core/ending/end-by-gates';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { dueOnce, leftSlotRows, mostAtOnce, orderedWorld, type Span } from '../../support/ordered';
import type { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const RULE = 'crm.*';
const DERIVED = 'crm.{{ payload.tenant }}';

interface Called extends Span {
  tenant: unknown;
}

/** A world with a rule, in which each call takes so long and says for whom it is. */
async function ruledWorld(limits: object = { limit: 1 }, ms = 5 * SECOND_MS) {
  const { world, spans } = await orderedWorld(() => ({ ms }));
  expect((await world.api('putConcurrencyKey', { key: RULE }, limits)).status).toBe(201);
  const tenants = new Map<string, unknown>();
  const observe = world.observe!;
  world.observe = (delivery, target) => {
    observe(delivery, target);
    const { tenant } = JSON.parse(String(delivery.body)) as { tenant?: unknown };
    tenants.set(
      `${delivery.headers['quarterjack-job']} ${delivery.headers['quarterjack-execution']}`,
      tenant,
    );
  };
  const calls = (): Called[] =>
    spans.map((span) => ({ ...span, tenant: tenants.get(`${span.jobId} ${span.execId}`) }));
  return { world, calls };
}

const manualJob = (world: PipelineWorld, changes: Partial<Job> = {}): Promise<Job> =>
  world.create(
    newJobAt(world, {
      jobId: 'sync',
      schedule: { type: 'none' },
      target: aTarget({ timeout: '2m' }),
      concurrencyKey: DERIVED,
      ...changes,
    }),
  );

async function runFor(world: PipelineWorld, payload: object, jobId = 'sync'): Promise<string> {
  const answer = await world.api('runJob', { jobId }, { payload });
  expect(answer.status).toBe(202);
  return (answer.body as { execId: string }).execId;
}

const rowOf = (world: PipelineWorld, execId: string, jobId = 'sync'): Execution | undefined =>
  world.executions({ userId: 'alice', jobId }).find((row) => row.execId === execId);

test.each([1, 2])('each tenant has %i at a time, beside the others, and nothing is left', async (limit) => {
  const { world, calls } = await ruledWorld({ limit });
  await manualJob(world);
  const ids: [tenant: string, execId: string][] = [];
  for (const tenant of ['a', 'b', 'c'])
    for (let time = 0; time < 4; time++) ids.push([tenant, await runFor(world, { tenant })]);
  await world.run(MINUTE_MS);
  for (const tenant of ['a', 'b', 'c'])
    expect(mostAtOnce(calls().filter((one) => one.tenant === tenant))).toBe(limit);
  expect(mostAtOnce(calls())).toBe(3 * limit);
  expect(ids.map(([, execId]) => rowOf(world, execId))).toEqual(
    ids.map(
      ([tenant]) =>
        expect.objectContaining({ status: 'succeeded', concurrencyKey: `crm.${tenant}` }) as unknown,
    ),
  );
  expect(leftSlotRows(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('planned executions have the key that the payloads of their jobs make', async () => {
  const { world, calls } = await ruledWorld();
  for (const [index, tenant] of ['a', 'a', 'b'].entries())
    await world.create(
      dueOnce(world, `j${index}`, 30, { orderingKey: null, concurrencyKey: DERIVED, payload: { tenant } }),
    );
  await world.run(2 * MINUTE_MS);
  const begins = (tenant: string) =>
    calls()
      .filter((one) => one.tenant === tenant)
      .map(({ beginMs }) => Math.round((beginMs - T0_MS) / SECOND_MS));
  expect([begins('a'), begins('b')]).toEqual([[30, 35], [30]]);
  expect(leftSlotRows(world)).toEqual([]);
});

test('a value that no key may have stands there as its hash: one for each value', async () => {
  const { world } = await ruledWorld({ limit: 5 });
  await manualJob(world);
  const values = ['a/b', 'a b', '', 'x'.repeat(22), 'x'.repeat(61), 'x'.repeat(62), 'ä'];
  const ids: string[] = [];
  for (const tenant of [...values, ...values]) ids.push(await runFor(world, { tenant }));
  await world.run(MINUTE_MS);
  const keys = ids.map((execId) => rowOf(world, execId)!.concurrencyKey!);
  expect(new Set(keys).size).toBe(values.length);
  expect(keys.slice(0, values.length)).toEqual(keys.slice(values.length));
  for (const key of keys) expect(key).toMatch(/^crm\.[\w-]{22}$/);
  expect(keys).not.toContain(`crm.${'x'.repeat(22)}`); // it could be the hash of another value
});

test.each([
  ['a number', { tenant: 42 }, 'crm.42'],
  ['true', { tenant: true }, 'crm.true'],
  ['the longest text', { tenant: 'x'.repeat(60) }, `crm.${'x'.repeat(60)}`],
])('%s is a value of a key', async (_, payload, key) => {
  const { world } = await ruledWorld();
  await manualJob(world);
  const execId = await runFor(world, payload);
  await world.run(MINUTE_MS);
  expect(rowOf(world, execId)).toMatchObject({ status: 'succeeded', concurrencyKey: key });
});

test.each([{}, { tenant: null }, { tenant: { id: 1 } }, { tenant: ['a'] }])(
  'without a value, as in %j, an execution fails before its call, and delays none',
  async (payload) => {
    const { world, calls } = await ruledWorld({ limit: 1, rate: { limit: 1, per: '1h' } });
    await manualJob(world);
    const failing = [await runFor(world, payload), await runFor(world, payload)];
    await runFor(world, { tenant: 'a' });
    await world.run(MINUTE_MS);
    for (const execId of failing)
      expect(rowOf(world, execId)).toMatchObject({
        status: 'failed',
        reason: 'bad-input',
        attempts: [{ error: expect.stringContaining('payload.tenant must be a text') as unknown }],
      });
    expect(calls().map(({ tenant }) => tenant)).toEqual(['a']);
    expect(leftSlotRows(world)).toEqual([]);
    const [retried] = failing;
    const answer = await world.api(
      'retryExecution',
      { jobId: 'sync', execId: retried! },
      {
        payload: { tenant: 'b' },
      },
    );
    expect(answer.status).toBe(202);
    await world.run(MINUTE_MS);
    expect(rowOf(world, retried!)).toMatchObject({ status: 'succeeded', concurrencyKey: 'crm.b' });
  },
);

test('a key of its own limits comes before its rule, and a longer rule before a shorter one', async () => {
  const { world, calls } = await ruledWorld({ limit: 1 });
  await world.api('putConcurrencyKey', { key: 'crm.big*' }, { limit: 2 });
  await world.api('putConcurrencyKey', { key: 'crm.biggest' }, { limit: 3 });
  await manualJob(world);
  for (const tenant of ['small', 'big1', 'biggest'])
    for (let time = 0; time < 4; time++) await runFor(world, { tenant });
  await world.run(MINUTE_MS);
  const most = ['small', 'big1', 'biggest'].map((tenant) =>
    mostAtOnce(calls().filter((one) => one.tenant === tenant)),
  );
  expect(most).toEqual([1, 2, 3]);
});

test('the rate of a rule counts for each key by itself', async () => {
  const { world, calls } = await ruledWorld({ limit: 10, rate: { limit: 2, per: '1m' } }, SECOND_MS);
  await manualJob(world);
  for (const tenant of ['a', 'b']) for (let time = 0; time < 3; time++) await runFor(world, { tenant });
  await world.run(20 * SECOND_MS);
  expect(
    calls()
      .map(({ tenant }) => String(tenant))
      .sort(),
  ).toEqual(['a', 'a', 'b', 'b']);
  await world.run(2 * MINUTE_MS);
  expect(calls()).toHaveLength(6);
});

test('a changed limit of a rule holds from the next start on, and the next end wakes by it', async () => {
  const { world, calls } = await ruledWorld({ limit: 1 }, 10 * SECOND_MS);
  await manualJob(world);
  for (let time = 0; time < 7; time++) await runFor(world, { tenant: 'a' });
  await world.run(3 * SECOND_MS);
  expect((await world.api('putConcurrencyKey', { key: RULE }, { limit: 3 })).status).toBe(200);
  await world.run(30 * SECOND_MS);
  expect(mostAtOnce(calls())).toBe(3);
  const force = { query: new Map([['force', ['true']]]) };
  expect((await world.api('deleteConcurrencyKey', { key: RULE }, undefined, {}, force)).status).toBe(204);
  await world.run(2 * MINUTE_MS);
  expect(calls()).toHaveLength(7);
  expect(leftSlotRows(world)).toEqual([]);
});

test('a waiting execution that is cancelled, or whose job is paused or deleted, takes no slot', async () => {
  const { world, calls } = await ruledWorld({ limit: 1 }, 20 * SECOND_MS);
  const job = (jobId: string) =>
    dueOnce(world, jobId, 31, { orderingKey: null, concurrencyKey: DERIVED, payload: { tenant: 'a' } });
  await manualJob(world);
  await world.run(29 * SECOND_MS);
  await runFor(world, { tenant: 'a' });
  const cancelled = await runFor(world, { tenant: 'a' });
  for (const jobId of ['paused', 'deleted', 'last']) await world.create(job(jobId));
  await world.run(5 * SECOND_MS);
  expect((await world.api('cancelExecution', { jobId: 'sync', execId: cancelled })).status).toBe(202);
  await world.api('pauseJob', { jobId: 'paused' });
  await world.api('deleteJob', { jobId: 'deleted' });
  await world.run(10 * MINUTE_MS);
  expect(calls().map(({ jobId }) => jobId)).toEqual(['sync', 'last']);
  expect(leftSlotRows(world)).toEqual([]);
});

test('an edit of the key applies to what is claimed for the first time from then on', async () => {
  const { world, calls } = await ruledWorld({ limit: 1 }, 20 * SECOND_MS);
  await world.api('putConcurrencyKey', { key: 'erp.*' }, { limit: 1 });
  await manualJob(world);
  const first = await runFor(world, { tenant: 'a', region: 'eu' });
  const second = await runFor(world, { tenant: 'a', region: 'us' });
  await world.run(5 * SECOND_MS);
  const key = 'erp.{{ payload.region }}';
  expect((await world.api('patchJob', { jobId: 'sync' }, { concurrencyKey: key })).status).toBe(200);
  const third = await runFor(world, { tenant: 'a', region: 'eu' });
  await world.run(10 * MINUTE_MS);
  expect(rowOf(world, first)).toMatchObject({ status: 'succeeded', concurrencyKey: 'crm.a' });
  expect(rowOf(world, second)).toMatchObject({ status: 'succeeded' });
  expect(rowOf(world, third)).toMatchObject({ status: 'succeeded', concurrencyKey: 'erp.eu' });
  expect(calls()).toHaveLength(3);
  expect(leftSlotRows(world)).toEqual([]);
});

// The job is one, and its executions have two keys.
test.each(['queue', 'skip'])(
  'with %s, what waits for its key keeps no other one from the job',
  async (overlap) => {
    const { world, calls } = await ruledWorld({ limit: 1 }, 20 * SECOND_MS);
    await manualJob(world, { jobId: 'other' });
    await world.run(29 * SECOND_MS);
    await runFor(world, { tenant: 'a' }, 'other');
    const given = { orderingKey: null, overlap: overlap as 'queue', concurrencyKey: DERIVED };
    await world.create(dueOnce(world, 'one', 31, { ...given, payload: { tenant: 'a' } }));
    await world.run(5 * SECOND_MS);
    await runFor(world, { tenant: 'b' }, 'one');
    await world.run(5 * MINUTE_MS);
    expect(calls().map(({ jobId, tenant }) => [jobId, tenant])).toEqual([
      ['other', 'a'],
      ['one', 'b'],
      ...(overlap === 'queue' ? [['one', 'a']] : []),
    ]);
    expect(mostAtOnce(calls().filter(({ jobId }) => jobId === 'one'))).toBe(1);
    expect(leftSlotRows(world)).toEqual([]);
  },
);

test('an occurrence that a run of another key ends is recorded with its own key', async () => {
  const { world } = await ruledWorld();
  const given = { orderingKey: null, overlap: 'queue', concurrencyKey: DERIVED } as const;
  const job = await world.create(dueOnce(world, 'one', 31, { ...given, payload: { tenant: 'a' } }));
  const dueAtMs = T0_MS + 31 * SECOND_MS;
  const planned = { jobKey: jobKeyOf(job), execId: execIdOfOccurrence(dueAtMs), dueAtMs };
  const end = { ...planned, status: 'skipped', reason: 'overlap', heldBy: 'x' } as const;
  const run = { execId: 'x', trigger: 'manual', concurrencyKey: 'crm.b', revision: job.revision } as const;
  await world.clock.settle(endByGates([end], run, world.deps));
  expect(world.executions(job)).toMatchObject([{ status: 'skipped', concurrencyKey: 'crm.a' }]);
});

test('an executor that dies before any of its writes loses no slot of any key', async () => {
  for (let fatal = 1, died = true; died; fatal++) {
    died = false;
    const { world, calls } = await ruledWorld({ limit: 1 }, SECOND_MS);
    let writes = 0;
    world.onExecutorCall = ({ command }, kill) => {
      if (died || !/^(Put|Update|Delete|BatchWrite)/.test(command) || ++writes < fatal) return;
      died = true;
      kill();
    };
    await manualJob(world);
    for (const tenant of ['a', 'b', 'a', 'b']) await runFor(world, { tenant });
    await world.run(4 * MINUTE_MS);
    const ends = world.executions({ userId: 'alice', jobId: 'sync' });
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
    for (const tenant of ['a', 'b'])
      expect(mostAtOnce(calls().filter((one) => one.tenant === tenant))).toBe(1);
    expect(leftSlotRows(world)).toEqual([]);
  }
});
