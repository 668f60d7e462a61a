import { ApiWorld } from '../world';

const RUNS = 'POST /v1/jobs/{jobId}/runs';

async function asked(runs: unknown[], options: object = {}, world?: ApiWorld) {
  const given = world ?? new ApiWorld();
  if (!world) await given.create({ jobId: 'a', schedule: { type: 'none' } });
  const answer = await given.call(RUNS, { jobId: 'a' }, { runs }, options);
  return { ...answer, world: given };
}

/** A key has a row too. */
const runsIn = (world: ApiWorld): number =>
  world.tables.rows('Executions').filter(({ jobId }) => jobId === 'alice/a').length;

it('makes each run as if it were the only one', async () => {
  const { status, body, world } = await asked([
    { delay: '1h', payload: { n: 1 }, key: 'k' },
    { delay: 'soon' },
    {},
    { delay: '2h', key: 'k' },
    { delay: '3h', key: 'k', onExisting: 'replace' },
  ]);
  expect(status).toBe(207);
  expect(body.outcomes).toMatchObject([
    { index: 0, status: 202, execution: { dueAt: '2026-12-01T09:30:00.000Z', key: 'k', created: true } },
    { index: 1, status: 400, problem: { errors: [{ path: 'delay' }] } },
    { index: 2, status: 202, execution: { dueAt: '2026-12-01T08:30:00.000Z' } },
    { index: 3, status: 200, execution: { dueAt: '2026-12-01T09:30:00.000Z', created: false } },
    { index: 4, status: 200, execution: { dueAt: '2026-12-01T11:30:00.000Z', created: false } },
  ]);
  expect(runsIn(world)).toBe(2);
});

it('a repeat with its Idempotency-Key makes nothing twice', async () => {
  const headers = { 'idempotency-key': 'one' };
  const { body, world } = await asked([{ delay: '1h' }, {}], { headers });
  const again = await asked([{ delay: '1h' }, {}], { headers }, world);
  const ids = (outcomes: { execution: { execId: string } }[]) => outcomes.map((one) => one.execution.execId);
  expect(ids(again.body.outcomes)).toEqual(ids(body.outcomes));
  expect(runsIn(world)).toBe(2);
});

it('a run beyond the quota of the minute is refused, and the others are made', async () => {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', schedule: { type: 'none' } });
  const { chargeRate } = world.deps.quotas;
  let charged = 0;
  world.deps.quotas.chargeRate = async (project, rate, count) => {
    if (rate === 'changes' && ++charged === 2) return chargeRate(project, rate, 1_000_000);
    return chargeRate(project, rate, count);
  };
  const { body } = await asked([{ delay: '1h' }, { delay: '1h' }, { delay: '1h' }], {}, world);
  expect(body.outcomes.map(({ status }: { status: number }) => status).toSorted()).toEqual([202, 202, 429]);
});

it.each([
  [[], 400],
  [Array.from({ length: 101 }, () => ({})), 400],
])('a list of another length is refused', async (runs, expected) => {
  const { status, body } = await asked(runs);
  expect([status, body.errors[0].path]).toEqual([expected, 'runs']);
});

it('a request that three deliveries led to is refused as a whole, and the answer says what to use', async () => {
  const { status, body } = await asked([{}], { headers: { 'quarterjack-hop': '3' } });
  expect([status, body.detail]).toEqual([409, expect.stringContaining('use retry or an interval')]);
});
