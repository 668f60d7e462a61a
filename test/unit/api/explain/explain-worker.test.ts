import type { ApiWorld } from '../world';
import { codes, explain, HOUR_MS, messageOf, MINUTE_MS, putRow, textOf, worldWith } from './explainer';

const QUEUE = 'host-1';
const EXEC_ID = '20261202T083000.000Z';
const DUE_MS = Date.parse('2026-12-02T08:30:00Z');
const target = { type: 'worker', queue: QUEUE, heartbeatTimeout: '1m' };
const daily = { type: 'cron', expression: '30 8 * * *' };

/** A world in which the occurrence of 08:30 waits in its queue, three hours later. */
async function worldWithTicket(): Promise<ApiWorld> {
  const world = await worldWith(daily, { target });
  await world.clock.advance(DUE_MS - world.clock.nowMs());
  const message = { ...messageOf(world, EXEC_ID, DUE_MS), workQueue: QUEUE, startWithinMs: 24 * HOUR_MS };
  const expiresAtSec = Math.ceil(DUE_MS / 1_000) + 7 * 86_400;
  await world.deps.work.offer(message, { offerId: 'o-1', nowMs: DUE_MS, expiresAtSec });
  await world.clock.advance(3 * HOUR_MS);
  return world;
}

const seen = (world: ApiWorld, agoMs: number) =>
  world.deps.work.saw({ userId: 'alice', queue: QUEUE }, 'vm/31348', {
    nowMs: world.clock.nowMs() - agoMs,
    unlessSinceMs: 0,
    expiresAtSec: Math.ceil(world.clock.nowMs() / 1_000) + 3_600,
  });

describe('work of a worker job', () => {
  it('waits for a worker, however long, and is not lost', async () => {
    const answered = await explain(await worldWithTicket(), DUE_MS);
    expect(answered.body.verdict).toBe('waits');
    expect(answered.body.sentence).toContain(`waits for a worker of the queue ${QUEUE}.`);
    expect(codes(answered)).toEqual(['planned true', 'deployment true', 'worker false', 'ledger null']);
    expect(textOf(answered, 'worker')).toBe(
      `It waits in the work queue ${QUEUE}, since 3 h. No worker with a name has asked for its work in the last hour.`,
    );
  });

  it.each([
    [2 * MINUTE_MS, 'The worker vm/31348 asks for its work.'],
    [20 * MINUTE_MS, 'The last worker that asked for its work is vm/31348, 20 min ago.'],
  ])('says who asked last, %d ms ago', async (agoMs, text) => {
    const world = await worldWithTicket();
    await seen(world, agoMs);
    expect(textOf(await explain(world, DUE_MS), 'worker')).toContain(text);
  });

  it('was a misfire, and no worker asks', async () => {
    const world = await worldWith(daily, { target });
    await world.clock.advance(DUE_MS + 10 * MINUTE_MS - world.clock.nowMs());
    await putRow(world, DUE_MS, { status: 'skipped', reason: 'misfire' });
    const answered = await explain(world, DUE_MS);
    expect(codes(answered)).toEqual([
      'planned true',
      'deployment true',
      'misfire false',
      'worker false',
      'ledger false',
    ]);
  });
});

describe('without a time', () => {
  const withoutTime = (world: ApiWorld) => world.call('GET /v1/jobs/{jobId}/explain', { jobId: 'a' });

  it('the last due time is explained, whether or not it has a record', async () => {
    const world = await worldWith(daily, { target });
    const first = await withoutTime(world);
    expect(first.body).toMatchObject({ at: '2026-12-02T08:30:00.000Z', verdict: 'will-run' });
    await world.clock.advance(DUE_MS + HOUR_MS - world.clock.nowMs());
    expect((await withoutTime(world)).body).toMatchObject({
      at: '2026-12-02T08:30:00.000Z',
      verdict: 'waits',
    });
  });
});
