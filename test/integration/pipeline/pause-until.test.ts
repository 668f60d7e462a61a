import { DAY_MS, HOUR_MS, instantText, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { minuteOf } from '../../../lambdas/core/contracts/tables';
import type { Entry } from '../../../lambdas/core/domain/entry';
import { resumptionIn } from '../../../lambdas/core/domain/resumption';
import { entryOf } from '../../../lambdas/core/store/dynamo/entries';
import { T0_MS } from '../../support/factories';
import { MONITOR, monitored, ping } from '../../support/monitor-world';
import { PipelineWorld } from '../../support/pipeline-world';

const target = { type: 'http', url: 'https://example.com/hook' };
const minutely = { type: 'cron', expression: '*/1 * * * *' };
const ID = { jobId: 'till' };
const JOB = { userId: 'alice', jobId: 'till' };
const at = (minutes: number) => T0_MS + minutes * MINUTE_MS;
const until = (minutes: number) => ({ until: instantText(at(minutes)) });

/** A world half a minute after T0, with a job that fires each minute. */
async function minutelyWorld(more: object = {}): Promise<PipelineWorld> {
  const world = await PipelineWorld.started(1);
  const body = { ...ID, schedule: minutely, target, ...more };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  await world.run(30 * SECOND_MS);
  return world;
}

async function pause(world: PipelineWorld, body: object = {}): Promise<void> {
  expect((await world.api('pauseJob', ID, body)).body).toMatchObject({ status: 'paused' });
}

const runTo = (world: PipelineWorld, minutes: number) => world.run(at(minutes) - world.clock.nowMs());

const stateOf = async (world: PipelineWorld) =>
  (await world.api('getJob', ID)).body as Record<string, unknown>;

const called = (world: PipelineWorld) => world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);

const skippedCount = (world: PipelineWorld) =>
  world
    .executions(JOB)
    .filter(({ status, reason }) => status === 'skipped' && reason === 'paused')
    .reduce((sum, { skipped }) => sum + (skipped?.count ?? 1), 0);

/** Entries of resumptions. */
const filed = (world: PipelineWorld) =>
  world.tables.rows('schedule').flatMap((row) => {
    const [bucket = '', shard = ''] = String(row.bucket).split('#');
    const entry = entryOf(row, minuteOf(Date.parse(`${bucket}Z`)), Number(shard));
    return entry && resumptionIn(entry) ? [entry] : [];
  });

describe('a job that is paused until a time', () => {
  // By then, messages of the next minutes may be out.
  it.each([2, 6, 30])(
    'fires again at the very instant, %s minutes on, and nothing before it',
    async (end) => {
      const world = await minutelyWorld();
      await pause(world, until(end));
      const { until: pausedUntil } = until(end);
      expect(await stateOf(world)).toMatchObject({ pausedUntil, nextFireAt: pausedUntil });
      await runTo(world, end + 2.5);
      expect(called(world)).toEqual([end, end + 1, end + 2]);
      expect(world.calls[0]!.atMs - at(end)).toBeLessThanOrEqual(11 * SECOND_MS);
      expect(skippedCount(world)).toBe(end - 1);
      expect(await stateOf(world)).toMatchObject({
        status: 'active',
        note: 'resumed as asked when it was paused',
        by: { sub: 'pause', via: 'system' },
        changeNumber: 3,
      });
      expect(await stateOf(world)).not.toHaveProperty('pausedUntil');
      const { items } = (await world.api('listJobChanges', ID)).body as { items: object[] };
      expect(items).toMatchObject([
        { what: 'resumed', by: { via: 'system' } },
        { what: 'paused', pausedUntil: instantText(at(end)) },
        { what: 'created' },
      ]);
      expect(await world.audit()).toMatchObject({ repaired: 0 });
      expect(world.errors()).toEqual([]);
    },
  );

  it('stays paused, whatever entries of another time or another pause come', async () => {
    const world = await minutelyWorld();
    const stale: Entry[] = [];
    for (const minutes of [5, 20]) {
      await pause(world, until(minutes));
      stale.push(...filed(world));
      await runTo(world, minutes === 5 ? 2 : 3);
    }
    expect(stale).toHaveLength(2);
    await pause(world, until(15));
    await pause(world, until(20));
    expect(filed(world)).toHaveLength(1);
    const fileStale = () =>
      world.deps.schedule.putEntries(stale.map((entry) => ({ ...entry, checkAtMs: world.clock.nowMs() })));
    await fileStale();
    await runTo(world, 16);
    expect(await stateOf(world)).toMatchObject({ status: 'paused', pausedUntil: instantText(at(20)) });
    await runTo(world, 21.5);
    expect(called(world)).toEqual([20, 21]);
    await pause(world, until(30));
    await pause(world);
    await fileStale();
    await runTo(world, 35);
    expect(await stateOf(world)).toMatchObject({ status: 'paused' });
    expect(await stateOf(world)).not.toHaveProperty('pausedUntil');
    expect(called(world)).toEqual([20, 21]);
  });

  it('keeps the time through an edit, and fires by the new definition', async () => {
    const world = await minutelyWorld();
    await pause(world, until(10));
    const edit = { schedule: { type: 'cron', expression: '*/5 * * * *' }, name: 'slower' };
    expect((await world.api('patchJob', ID, edit)).body).toMatchObject({ pausedUntil: until(10).until });
    await runTo(world, 21);
    expect(called(world)).toEqual([10, 15, 20]);
  });

  it('is not resumed after a user has resumed it, or deleted it, and a restore brings it back without', async () => {
    const world = await minutelyWorld();
    await pause(world, until(10));
    await world.api('resumeJob', ID);
    expect(filed(world)).toEqual([]);
    await runTo(world, 2.5);
    await pause(world, until(20));
    await world.api('deleteJob', ID);
    expect(filed(world)).toEqual([]);
    await world.api('restoreJob', { ...ID, number: '4' });
    expect(await stateOf(world)).toMatchObject({ status: 'paused' });
    await runTo(world, 25);
    expect(called(world)).toEqual([1, 2]);
    expect(await stateOf(world)).toMatchObject({ status: 'paused' });
  });

  it('a restore of its definition keeps its time', async () => {
    const world = await minutelyWorld();
    await world.api('patchJob', ID, { name: 'other' });
    await pause(world, until(10));
    expect((await world.api('restoreJob', { ...ID, number: '1' })).body).toMatchObject({
      status: 'paused',
      pausedUntil: instantText(at(10)),
    });
    await runTo(world, 10.5);
    expect(called(world)).toEqual([10]);
  });

  it('is resumed once, and loses and repeats nothing, wherever a sweeper dies', async () => {
    let kills = 0;
    for (let victim = 1; ; victim++) {
      const world = await minutelyWorld({ expectEvery: '1h' });
      await pause(world, until(10));
      await runTo(world, 9.9);
      let calls = 0;
      let killed = false;
      world.onCall = (stage, call, kill) => {
        const isWrite =
          /Put|Update|Write|SEND/i.test(call.command) && /till/.test(JSON.stringify(call.input));
        if (stage !== 'sweeper' || !isWrite || world.clock.nowMs() > at(10) + 15 * SECOND_MS) return;
        calls += 1;
        if (calls !== victim) return;
        killed = true;
        kill();
      };
      await runTo(world, 14.5);
      expect({ victim, called: [...new Set(called(world))] }).toEqual({
        victim,
        called: [10, 11, 12, 13, 14],
      });
      expect(skippedCount(world)).toBe(9);
      expect(await stateOf(world)).toMatchObject({ status: 'active', changeNumber: 3 });
      expect(await world.audit()).toMatchObject({ repaired: 0 });
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
  });

  it('is resumed by the auditor if its entry is lost, half an hour late, and decides what was due since', async () => {
    const world = await minutelyWorld({ misfire: { policy: 'fire-once', grace: '5m' } });
    await pause(world, until(10));
    for (const entry of filed(world)) await world.deps.schedule.removeEntry(entry);
    await runTo(world, 39);
    expect(await world.audit()).toMatchObject({ repaired: 0 });
    expect(await stateOf(world)).toMatchObject({ status: 'paused' });
    await runTo(world, 40.5);
    expect(await world.audit()).toMatchObject({ repaired: 1 });
    await runTo(world, 44.5);
    expect(await stateOf(world)).toMatchObject({ status: 'active' });
    expect(skippedCount(world)).toBe(9);
    expect(called(world).slice(-3)).toEqual([42, 43, 44]);
    const kept = world.executions(JOB).reduce((sum, { skipped }) => sum + (skipped?.count ?? 1), 0);
    expect(kept).toBe(44);
  });

  const edit = { schedule: { type: 'cron', expression: '*/5 * * * *' } };
  it.each([
    ['a resume', 'resumeJob', undefined, [10, 11, 12]],
    ['a pause for good', 'pauseJob', {}, []],
    ['an edit', 'patchJob', edit, [10]],
    ['a delete', 'deleteJob', undefined, []],
  ] as const)('is resumed at its time, before %s that comes later', async (_, operation, body, fired) => {
    const world = await minutelyWorld();
    await pause(world, until(10));
    world.on.sweep = false;
    await world.run(at(10) + 2 * SECOND_MS - world.clock.nowMs());
    expect((await world.api(operation, ID, body)).status).toBeLessThan(300);
    const { items } = (await world.api('listJobChanges', ID)).body as { items: { what: string }[] };
    expect(items.map(({ what }) => what)).toContain('resumed');
    world.on.sweep = true;
    await runTo(world, 12.5);
    expect(called(world)).toEqual(fired);
    const skipped = world.executions(JOB).filter(({ reason }) => reason === 'paused');
    const through = skipped.map((row) => row.skipped?.toMs ?? row.dueAtMs);
    if (fired.length > 0) expect(Math.max(...through)).toBe(at(9));
    expect(world.errors()).toEqual([]);
  });

  it('takes what a cause starts after its time, before the sweeper has resumed it', async () => {
    const world = await PipelineWorld.started(1);
    await world.api('putJob', ID, { schedule: { type: 'event', name: 'paid' }, target });
    await world.run(30 * SECOND_MS);
    await pause(world, until(10));
    await runTo(world, 9);
    const send = () => world.api('sendEvent', {}, { name: 'paid' });
    expect((await send()).status).toBeLessThan(300);
    world.on.sweep = false;
    await world.run(at(10) + 2 * SECOND_MS - world.clock.nowMs());
    expect((await send()).status).toBeLessThan(300);
    world.on.sweep = true;
    await runTo(world, 12);
    expect(world.executions(JOB).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'paused'],
      ['succeeded', undefined],
    ]);
  });

  it('takes a ping that comes after its time, before the sweeper has resumed it', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await world.run(SECOND_MS);
    const hourMs = Math.ceil(world.clock.nowMs() / HOUR_MS) * HOUR_MS;
    await world.api('pauseJob', { jobId: 'backup' }, { until: instantText(hourMs) });
    await world.run(hourMs - MINUTE_MS - world.clock.nowMs());
    await ping(world, url);
    expect(world.executions(MONITOR)).toEqual([]);
    world.on.sweep = false;
    await world.run(hourMs + 3 * SECOND_MS - world.clock.nowMs());
    await ping(world, url);
    world.on.sweep = true;
    await world.run(30 * MINUTE_MS);
    expect(world.executions(MONITOR)).toMatchObject([{ status: 'succeeded', dueAtMs: hourMs }]);
  });

  it('explains what its pause is about', async () => {
    const world = await minutelyWorld();
    await pause(world, until(10));
    const why = async (minutes: number) => {
      const query = new Map([['at', [instantText(at(minutes))]]]);
      const { body } = await world.api('explainOccurrence', ID, undefined, {}, { query });
      return (body as { verdict: string }).verdict;
    };
    expect([await why(9), await why(10)]).toEqual(['not-planned', 'will-run']);
    await runTo(world, 11.5);
    expect([await why(9), await why(10)]).toEqual(['skipped', 'ran']);
  });

  it('takes no time that is past, far, or after the last due time', async () => {
    const world = await minutelyWorld();
    const fault = async (body: object, jobId = ID.jobId) => {
      const { status, body: problem } = await world.api('pauseJob', { jobId }, body);
      return [status, (problem as { errors: [{ path: string }] }).errors[0].path];
    };
    const once = { schedule: { type: 'at', at: instantText(at(60)) }, target };
    await world.api('putJob', { jobId: 'once' }, once);
    await world.api('putJob', { jobId: 'none' }, { schedule: { type: 'none' }, target });
    const far = { until: instantText(T0_MS + 401 * DAY_MS) };
    const past = { until: instantText(world.clock.nowMs()) };
    for (const body of [past, far, { until: 'tomorrow' }]) expect(await fault(body)).toEqual([400, 'until']);
    expect(await fault(until(61), 'once')).toEqual([400, 'until']);
    for (const jobId of ['once', 'none'])
      expect((await world.api('pauseJob', { jobId }, until(60))).body).toHaveProperty('pausedUntil');
    await world.run(HOUR_MS);
    expect(world.executions({ ...JOB, jobId: 'once' })).toMatchObject([{ status: 'succeeded' }]);
    expect((await world.api('getJob', { jobId: 'none' })).body).toMatchObject({ status: 'active' });
  });
});

test('a pause without a time costs nothing for it', async () => {
  const world = await minutelyWorld();
  const calls: string[] = [];
  world.onCall = (stage, { input }) => {
    if (/-resume-|resumeAtMs/.test(JSON.stringify(input))) calls.push(stage);
  };
  await pause(world);
  await runTo(world, 5);
  await world.audit();
  await world.api('resumeJob', ID);
  expect(calls).toEqual([]);
});
