import { anAttempt, anExecution } from '../../../support/factories';
import { putEnded, putSkipped } from '../ended-row';
import { ApiWorld } from '../world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const T0_MS = Date.UTC(2026, 11, 1, 8, 30);

const stats = (world: ApiWorld, query = '', jobId = 'a') =>
  world.call('GET /v1/jobs/{jobId}/stats', { jobId }, undefined, { query });

/** A run that is `lateMs` late, takes `durationMs` and ends with the status. */
const ran = (
  world: ApiWorld,
  dueAtMs: number,
  status: 'succeeded' | 'failed',
  lateMs: number,
  durationMs: number,
) => putEnded(world, 'a', dueAtMs, { status, lateMs, durationMs });

describe('GET /v1/jobs/{jobId}/stats', () => {
  it('tells success rate, durations, lateness and cost, and from how many rows', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    for (let at = 1; at <= 18; at++) await ran(world, T0_MS + at * MINUTE_MS, 'succeeded', at, 100 * at);
    await ran(world, T0_MS + 19 * MINUTE_MS, 'failed', 19, 5_000);
    await ran(world, T0_MS + 20 * MINUTE_MS, 'failed', 20, 9_000);
    const skipped = { fromMs: T0_MS + 21 * MINUTE_MS, toMs: T0_MS + 30 * MINUTE_MS, count: 10 };
    await putSkipped(world, 'a', skipped);
    await world.clock.advance(60 * MINUTE_MS);
    const { body } = await stats(world);
    const calledMs = 100 * 171 + 14_000;
    expect(body).toEqual({
      jobId: 'a',
      from: '2026-12-01T08:30:00.000Z', // when the job was created
      to: '2026-12-01T09:30:00.000Z',
      rows: 21,
      complete: true,
      since: '2026-12-01T08:31:00.000Z',
      counts: { succeeded: 18, failed: 2, skipped: 10 },
      successRate: 0.9,
      durationMs: { p50: 1_000, p95: 5_000, max: 9_000 },
      latenessMs: expect.objectContaining({ max: 20 }),
      cost: {
        attempts: 20,
        calledMs,
        usdAtLeast: expect.closeTo(20 * 2.56e-6 + (calledMs / 1_000) * 0.33e-6, 9),
        usdAtMost: expect.closeTo(20 * 2.56e-6 + (calledMs / 1_000) * 3.33e-6, 9),
      },
    });
  });

  it('counts no time before a user ran an execution again', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const again = T0_MS + 20 * MINUTE_MS;
    const attempts = [
      { fence: 1, attempt: 1, startedAtMs: T0_MS },
      { fence: 2, attempt: 1, startedAtMs: again },
      { fence: 3, attempt: 2, startedAtMs: again + 600 },
    ].map((one) => anAttempt({ ...one, finishedAtMs: one.startedAtMs + 100 }));
    await world.deps.ends.putEnded(
      anExecution({
        jobKey: world.jobKey('a'),
        dueAtMs: T0_MS,
        status: 'succeeded',
        userRetries: 1,
        startedAtMs: T0_MS,
        finishedAtMs: again + 700,
        attempts,
      }),
    );
    await world.clock.advance(60 * MINUTE_MS);
    expect((await stats(world)).body).toMatchObject({ durationMs: { p50: 700, p95: 700, max: 700 } });
    const { items } = (await world.call('GET /v1/jobs/{jobId}/executions', { jobId: 'a' })).body;
    expect(items.find(({ status }: { status: string }) => status === 'succeeded')).toMatchObject({
      startedAt: new Date(T0_MS).toISOString(),
      retriedAt: new Date(again).toISOString(),
    });
  });

  it('reads the days that were asked for, and of many rows the newest 2,000', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await putEnded(world, 'a', T0_MS + MINUTE_MS);
    await world.clock.advance(3 * DAY_MS);
    const nowMs = world.clock.nowMs();
    await putEnded(world, 'a', nowMs - MINUTE_MS);
    expect((await stats(world, 'days=1')).body).toMatchObject({ rows: 1, complete: true });
    expect((await stats(world, 'days=7')).body).toMatchObject({ rows: 2, counts: { succeeded: 2 } });
    // Written one by one, so many rows take seconds.
    const row = anExecution({ jobKey: world.jobKey('a'), status: 'succeeded' });
    world.deps.executions.list = async (_, { after = '0', limit }) => ({
      executions: Array.from({ length: limit }, () => row),
      nextAfter: String(Number(after) + limit),
    });
    expect((await stats(world)).body).toMatchObject({ rows: 2_000, complete: false });
  });

  it('does not charge the time in which a target works on its own', async () => {
    const world = new ApiWorld();
    const target = { type: 'http', url: 'https://example.com/hook', mode: 'async' };
    await world.create({ jobId: 'a', target });
    await ran(world, T0_MS + MINUTE_MS, 'succeeded', 5, 3_600_000);
    await world.clock.advance(120 * MINUTE_MS);
    expect((await stats(world)).body.cost).toMatchObject({ attempts: 1, calledMs: 0 });
  });

  it('has null where nothing ran, and 404 without a job and history', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    expect((await stats(world)).body).toMatchObject({
      rows: 0,
      since: null,
      successRate: null,
      durationMs: null,
      latenessMs: null,
      cost: { attempts: 0, usdAtMost: 0 },
    });
    expect((await stats(world, '', 'none')).status).toBe(404);
    await putEnded(world, 'a', T0_MS);
    await world.remove('a');
    expect((await stats(world)).body).toMatchObject({ rows: 1 });
    expect((await stats(world, 'days=0')).status).toBe(400);
  });

  it('does not count the run of a backfill, and counts its dates', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.clock.advance(60 * MINUTE_MS);
    const dueAtMs = T0_MS + MINUTE_MS;
    const own = { jobKey: 'alice/a', dueAtMs, trigger: 'backfill' as const, status: 'succeeded' as const };
    const ended = { finishedAtMs: dueAtMs + MINUTE_MS, fence: 1, expiresAtSec: T0_MS / 1_000 + 86_400 };
    const execId = (suffix: string) => `20261201T083100.000Z-${suffix}`;
    const run = anExecution({ ...own, ...ended, execId: execId('bf1'), backfill: {} as never });
    await world.deps.ends.putEnded(run);
    expect((await stats(world)).body).toMatchObject({ rows: 0, counts: {} });
    await world.deps.ends.putEnded(anExecution({ ...own, ...ended, execId: execId('d-1') }));
    expect((await stats(world)).body).toMatchObject({ rows: 1, counts: { succeeded: 1 } });
  });
});
