import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { parseCompactInstant } from '../../../../lambdas/core/contracts/tables';
import type { QuotaLimits } from '../../../../lambdas/core/contracts/quotas';
import { noQuotas } from '../../../support/no-quotas';
import { type Answered, ApiWorld } from '../world';
import { putEnded } from '../ended-row';

const MINUTE_MS = 60_000;
const KEYED = { headers: { 'idempotency-key': 'once' } };
const path = '/v1/jobs/{jobId}/executions/{execId}';

interface Started {
  world: ApiWorld;
  replay: () => Promise<Answered>;
  /** Runs that one request starts. */
  runs: number;
}

async function manualRun(world = new ApiWorld()): Promise<Started> {
  await world.create({ jobId: 'a' });
  return { world, replay: () => world.post('a', 'run', {}, KEYED), runs: 1 };
}

async function userRetry(world = new ApiWorld()): Promise<Started> {
  await world.create({ jobId: 'a' });
  const execId = await putEnded(world, 'a', world.clock.nowMs() - MINUTE_MS, { status: 'failed' });
  return { world, replay: () => world.call(`POST ${path}/retry`, { jobId: 'a', execId }), runs: 1 };
}

async function event(world = new ApiWorld()): Promise<Started> {
  const schedule = { type: 'event', name: 'order.paid' };
  for (const jobId of ['a', 'b', 'c']) await world.create({ jobId, schedule });
  return {
    world,
    replay: () => world.call('POST /v1/events', {}, { name: 'order.paid', id: 'e1' }),
    runs: 3,
  };
}

async function backfill(world = new ApiWorld()): Promise<Started> {
  await world.create({ jobId: 'a', schedule: { type: 'cron', expression: '0 1 * * *' } });
  const range = { from: '2026-10-05T00:00:00Z', to: '2026-10-08T00:00:00Z' };
  const replay = () => world.call('POST /v1/jobs/{jobId}/backfills', { jobId: 'a' }, range, KEYED);
  return { world, replay, runs: 1 };
}

const STARTS = [
  ['a manual run', manualRun],
  ['a user retry', userRetry],
  ['an event for three jobs', event],
  ['a backfill', backfill],
] as const;

const attemptEntries = (world: ApiWorld) =>
  world.entries.map(({ entry }) => String(entry)).filter((entry) => entry.includes('#a#'));

/** Minutes from the first request to the times of the entries. */
const minutesOf = (world: ApiWorld, fromMs: number) =>
  attemptEntries(world)
    .map((entry) => (parseCompactInstant(entry) - fromMs) / MINUTE_MS)
    .sort((one, other) => one - other);

describe('200 replays', () => {
  it.each(STARTS)('of %s at once file and send nothing', async (_, begin) => {
    const { world, replay, runs } = await begin();
    const first = await replay();
    for (let times = 0; times < 200; times++)
      expect(await replay()).toMatchObject({ status: 202, body: { ...first.body, ...replayedIf(first) } });
    expect(attemptEntries(world)).toHaveLength(runs);
    expect(world.queue.messages).toHaveLength(runs);
  });

  it.each(STARTS)('of %s within ten minutes leave an entry and a message a step', async (_, begin) => {
    const { world, replay, runs } = await begin();
    const fromMs = world.clock.nowMs();
    await replay();
    for (let times = 0; times < 200; times++) {
      await world.clock.advance(3_000);
      expect((await replay()).status).toBe(202);
    }
    const steps = [0, 1, 2, 4, 8, 16].flatMap((minutes) => Array.from({ length: runs }, () => minutes));
    expect(minutesOf(world, fromMs)).toEqual(steps);
    expect(world.queue.messages).toHaveLength(steps.length);
  });

  it('of a month leave a dozen and a half', async () => {
    const { world, replay } = await manualRun();
    await replay();
    for (let times = 0; times < 200; times++) {
      await world.clock.advance(200 * MINUTE_MS);
      await replay();
    }
    expect(attemptEntries(world).length).toBeLessThan(18);
    expect(world.queue.messages.length).toBeLessThan(18);
  });

  it('of a cancel of a running execution leave one entry, and one a minute after two', async () => {
    const { world, replay } = await manualRun();
    const { execId } = (await replay()).body;
    await world.claim('a', execId, 'manual');
    const cancel = () => world.call(`POST ${path}/cancel`, { jobId: 'a', execId }, {});
    const before = attemptEntries(world).length;
    await world.clock.advance(1_000);
    const first = await cancel();
    for (let times = 1; times <= 200; times++) {
      await world.clock.advance(1_000);
      expect(await cancel()).toMatchObject({ status: 202, body: first.body });
      if (times < 120) expect(attemptEntries(world)).toHaveLength(before + 1);
    }
    expect(attemptEntries(world)).toHaveLength(before + 3);
    expect(world.queue.messages).toHaveLength(1);
  });
});

const replayedIf = ({ body }: Answered) => ('replayed' in body ? { replayed: true } : {});

describe('a replay that has to write', () => {
  /** The API of a deployment with these quotas, at the begin of a minute. */
  function bounded(limits: Partial<QuotaLimits>): ApiWorld {
    const world = new ApiWorld();
    const { usage } = world.deps;
    Object.assign(world.deps, {
      quotas: quotas({ ...noQuotas.quotaLimits, ...limits }, { usage, clock: world.clock }),
    });
    return world;
  }

  it.each(STARTS)('of %s needs no room in the quota of runs', async (_, begin) => {
    const { world, replay, runs } = await begin(bounded({ runsPerMinute: 3 }));
    await replay();
    await world.create({ jobId: 'other' });
    for (let used = runs; used < 3; used++) await world.post('other', 'run');
    expect((await world.post('other', 'run')).status).toBe(429);
    const before = attemptEntries(world).length;
    await world.clock.advance(30_000);
    expect((await replay()).status).toBe(202);
    expect(attemptEntries(world)).toHaveLength(before + runs);
  });

  it.each(STARTS)('of %s beyond the quota is refused, and writes nothing', async (_, begin) => {
    const { world, replay, runs } = await begin(bounded({ changesPerMinute: 3 }));
    await replay();
    await world.clock.advance(30_000);
    // What else the project changes in this minute.
    for (let jobs = 0; jobs < 3; jobs++) await world.create();
    expect(await replay()).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    expect(attemptEntries(world)).toHaveLength(runs);
    await world.clock.advance(30_000);
    expect((await replay()).status).toBe(202);
    expect(attemptEntries(world)).toHaveLength(2 * runs);
    expect(world.queue.messages).toHaveLength(2 * runs);
  });

  it('of an event counts the runs that its first request has not written', async () => {
    const { world, replay } = await event(bounded({ runsPerMinute: 5 }));
    const { putQueued } = world.deps.executions;
    let rows = 0;
    world.deps.executions.putQueued = (row, options) =>
      rows++ === 0 ? putQueued(row, options) : Promise.reject(new Error('died'));
    expect((await replay()).status).toBe(500);
    world.deps.executions.putQueued = putQueued;
    expect((await replay()).status).toBe(202); // 3 and 2
    expect(world.tables.rows('Executions').filter(({ trigger }) => trigger === 'event')).toHaveLength(3);
    expect((await world.call('POST /v1/events', {}, { name: 'order.paid', id: 'e2' })).status).toBe(429);
  });
});
