import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { compactInstant } from '../../../lambdas/core/contracts/tables';
import { HOURLY, MONITOR, monitored, ping, untilAfterHour } from '../../support/monitor-world';
import { observed, putNotification } from '../../support/notified-world';
import { PipelineWorld } from '../../support/pipeline-world';

const rows = (world: PipelineWorld) =>
  world
    .executions(MONITOR)
    .map(({ execId, trigger, status, reason }) => [execId.slice(0, 20), trigger, status, reason]);

describe('a monitor', () => {
  it('fails as no-ping without a ping, each time, and recovers with a ping of its own', async () => {
    const { world, sent } = await observed();
    await putNotification(world, 'ops', { on: ['failed', 'recovered'], minInterval: '1m' });
    const url = await monitored(world);
    const first = await untilAfterHour(world, 10 * MINUTE_MS);
    expect(rows(world)).toEqual([]);
    await world.run(MINUTE_MS);
    expect(rows(world)).toEqual([[compactInstant(first), 'schedule', 'failed', 'no-ping']]);
    const second = await untilAfterHour(world, 11 * MINUTE_MS);
    expect(rows(world)).toHaveLength(2);
    expect(world.executions(MONITOR)[1]).toMatchObject({ dueAtMs: second, reason: 'no-ping' });
    expect(sent.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    await world.run(MINUTE_MS);
    expect(await ping(world, url)).toMatchObject({
      status: 200,
      text: 'OK\n',
      headers: { 'quarterjack-ping': 'counted' },
    });
    await world.run(2 * MINUTE_MS);
    expect(world.executions(MONITOR).at(-1)).toMatchObject({ trigger: 'ping', status: 'succeeded' });
    expect(sent.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'recovered']);
    expect(world.calls.filter(({ execId }) => execId.length === 20)).toEqual([]);
    expect(world.errors()).toEqual([]);
    expect(await world.audit()).toMatchObject({ jobs: 1, repaired: 0 });
  });

  it('has succeeded with a ping in time, by whichever method, and waits anew for the next', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    for (const [round, method] of ['GET', 'POST'].entries()) {
      const hourMs = await untilAfterHour(world, 9 * MINUTE_MS);
      expect((await ping(world, url, { method })).status).toBe(200);
      expect(rows(world)[round]).toEqual([compactInstant(hourMs), 'schedule', 'succeeded', undefined]);
    }
    await world.run(30 * MINUTE_MS);
    expect(rows(world)).toHaveLength(2);
    await untilAfterHour(world, 11 * MINUTE_MS);
    expect(world.executions(MONITOR)[2]).toMatchObject({ status: 'failed', reason: 'no-ping' });
  });

  it('counts a ping before its first due time, and one that comes twice does not count twice', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await ping(world, url);
    expect(world.executions(MONITOR)).toMatchObject([{ trigger: 'ping', status: 'succeeded' }]);
    await untilAfterHour(world, MINUTE_MS);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'repeated' });
    expect(world.executions(MONITOR)).toHaveLength(2);
  });

  it('runs from its start to its end, and has timed out without an end', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world, { timeout: '30m' });
    await untilAfterHour(world, 5 * MINUTE_MS);
    await ping(world, `${url}/start`);
    expect(world.executions(MONITOR)).toMatchObject([{ status: 'running', trigger: 'schedule' }]);
    await world.run(20 * MINUTE_MS);
    expect(world.executions(MONITOR)).toMatchObject([{ status: 'running' }]);
    await ping(world, `${url}/0`);
    expect(world.executions(MONITOR)).toMatchObject([
      { status: 'succeeded', ping: { exitCode: 0, durationMs: 20 * MINUTE_MS, count: 2 } },
    ]);
    await untilAfterHour(world, 5 * MINUTE_MS);
    await ping(world, `${url}/start`);
    await world.run(31 * MINUTE_MS);
    expect(world.executions(MONITOR)[1]).toMatchObject({ status: 'failed', reason: 'timed-out' });
  });

  it('has timed out without an end also if its run began between two due times', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world, { timeout: '5m' });
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, url);
    await world.run(20 * MINUTE_MS + 50 * SECOND_MS);
    await ping(world, `${url}/start`);
    // Nothing had planned it: it is not late.
    expect(world.executions(MONITOR).at(-1)).toMatchObject({
      status: 'running',
      trigger: 'ping',
      latenessMs: 0,
    });
    await world.run(7 * MINUTE_MS);
    expect(world.executions(MONITOR).at(-1)).toMatchObject({ status: 'failed', reason: 'timed-out' });
  });

  it.each([
    ['fail', undefined],
    ['3', 3],
  ])('has failed with the ping %s', async (signal, exitCode) => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/${signal}`);
    const [row] = world.executions(MONITOR);
    expect(row).toMatchObject({ status: 'failed', reason: 'target-failed' });
    expect(row!.ping?.exitCode).toBe(exitCode);
  });

  it('lets runs with ids overlap, and pairs the pings of each', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/start`, { rid: one });
    await world.run(10 * SECOND_MS);
    await ping(world, `${url}/start`, { rid: two });
    await world.run(10 * SECOND_MS);
    await ping(world, `${url}/fail`, { rid: one });
    await ping(world, url, { rid: two.toUpperCase() });
    expect(world.executions(MONITOR)).toMatchObject([
      { trigger: 'schedule', status: 'failed', ping: { rid: one, durationMs: 20 * SECOND_MS } },
      { trigger: 'ping', status: 'succeeded', ping: { rid: two, durationMs: 10 * SECOND_MS } },
    ]);
  });

  it('counts each change within a minute, by which execution has ended last', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const said = async (signal: string, rid?: string) =>
      (await ping(world, url + signal, { rid })).headers?.['quarterjack-ping'];
    await untilAfterHour(world, MINUTE_MS);
    for (const signal of ['/fail', '', '/fail', '', '/fail', '']) {
      expect([signal, await said(signal)]).toEqual([signal, 'counted']);
      await world.run(5 * SECOND_MS);
    }
    await untilAfterHour(world, MINUTE_MS);
    await said('/start', one);
    await world.run(2 * MINUTE_MS);
    await said('/fail', two);
    await world.run(SECOND_MS);
    await said('/0', one);
    await world.run(SECOND_MS);
    expect([await said(''), await said('/fail')]).toEqual(['repeated', 'counted']);
  });

  it('starts the next occurrence also if the end of an earlier run was never heard', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world, { timeout: '2h' });
    await untilAfterHour(world, 50 * MINUTE_MS);
    await ping(world, `${url}/start`);
    const hourMs = await untilAfterHour(world, MINUTE_MS);
    expect((await ping(world, `${url}/start`)).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    expect((await ping(world, `${url}/start`)).headers).toMatchObject({ 'quarterjack-ping': 'repeated' });
    await world.run(5 * MINUTE_MS);
    await ping(world, url);
    const of = (dueAtMs: number) => world.executions(MONITOR).find((row) => row.dueAtMs === dueAtMs);
    expect(of(hourMs)).toMatchObject({ trigger: 'schedule', status: 'succeeded' });
    expect(of(hourMs - 10 * MINUTE_MS)).toMatchObject({ trigger: 'ping', status: 'running' });
  });

  it('ends what runs while it is paused, and what a deletion has left running is no failure', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/start`);
    await world.api('pauseJob', { jobId: 'backup' });
    await world.run(MINUTE_MS);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    expect(world.executions(MONITOR)).toMatchObject([{ status: 'succeeded' }]);
    await world.api('resumeJob', { jobId: 'backup' });
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/start`);
    await world.api('deleteJob', { jobId: 'backup' });
    await world.run(15 * MINUTE_MS);
    expect(world.executions(MONITOR).at(-1)).toMatchObject({ status: 'cancelled', reason: 'deleted' });
  });

  it('has not missed a ping because a change makes its wait shorter', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world, { target: { type: 'monitor', pingWithin: '40m' } });
    await untilAfterHour(world, 20 * MINUTE_MS);
    const job = { schedule: HOURLY, target: { type: 'monitor', pingWithin: '10m' } };
    expect(await world.api('putJob', { jobId: 'backup' }, job)).toMatchObject({ status: 200 });
    await world.run(30 * MINUTE_MS);
    expect(world.executions(MONITOR)).toMatchObject([{ status: 'skipped', reason: 'superseded' }]);
  });

  it('has not missed what an earlier change took from its plan, however late that is found', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    await untilAfterHour(world, 59 * MINUTE_MS + 35 * SECOND_MS);
    world.on.sweep = false;
    const change = (schedule: object) =>
      world.api('putJob', { jobId: 'backup' }, { schedule, target: { type: 'monitor', pingWithin: '10m' } });
    expect(await change({ type: 'cron', expression: '30 12 1 1 *' })).toMatchObject({ status: 200 });
    await world.run(25 * MINUTE_MS);
    expect(await change({ type: 'cron', expression: '30 12 2 1 *' })).toMatchObject({ status: 200 });
    world.on.sweep = true;
    await world.run(20 * MINUTE_MS);
    expect(rows(world).map(([, , status, reason]) => [status, reason])).toEqual([['failed', 'no-ping']]);
  });

  it('waits longer by the time of a stop', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    await untilAfterHour(world, 5 * MINUTE_MS);
    await world.api('stopDeployment', {}, { reason: 'update' });
    await world.run(20 * MINUTE_MS);
    await world.api('startDeployment');
    await world.run(4 * MINUTE_MS);
    expect(world.executions(MONITOR)).toEqual([]);
    await world.run(2 * MINUTE_MS);
    expect(world.executions(MONITOR)).toMatchObject([{ status: 'failed', reason: 'no-ping' }]);
  });

  it('records each missed ping after an outage: none is a misfire', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    await world.run(MINUTE_MS);
    Object.assign(world.on, { tick: false, sweep: false });
    await world.run(5 * HOUR_MS);
    Object.assign(world.on, { tick: true, sweep: true });
    await world.run(20 * MINUTE_MS);
    const reasons = world.executions(MONITOR).map(({ reason }) => reason);
    expect(reasons).toEqual(Array.from({ length: 5 }, () => 'no-ping'));
    expect(await world.audit()).toMatchObject({ repaired: 0 });
  });

  it('ignores pings while it is paused, and does not miss any', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await world.api('pauseJob', { jobId: 'backup' });
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'ignored' });
    await world.run(2 * HOUR_MS);
    await world.api('resumeJob', { jobId: 'backup' });
    await world.run(20 * MINUTE_MS);
    expect(rows(world).every(([, , status, reason]) => status === 'skipped' && reason === 'paused')).toBe(
      true,
    );
    expect(rows(world).length).toBeGreaterThan(0);
    await untilAfterHour(world, 12 * MINUTE_MS);
    expect(world.executions(MONITOR).at(-1)).toMatchObject({ status: 'failed', reason: 'no-ping' });
  });

  it('answers 404 once it is deleted, and has its URL again once it is restored', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await world.api('deleteJob', { jobId: 'backup' });
    expect(await ping(world, url)).toMatchObject({ status: 404, text: 'not found\n' });
    await world.api('restoreJob', { jobId: 'backup', number: '1' });
    await world.run(11 * SECOND_MS);
    expect((await ping(world, url)).status).toBe(200);
    await world.run(15 * MINUTE_MS);
    expect(rows(world)[0]).toMatchObject([expect.any(String), 'schedule', 'skipped', 'deleted']);
  });

  it('is not run, retried or backfilled', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    await untilAfterHour(world, 12 * MINUTE_MS);
    const { execId } = world.executions(MONITOR)[0]!;
    const problem = { status: 409, body: { type: expect.stringContaining('monitor') as string } };
    expect(await world.api('runJob', { jobId: 'backup' })).toMatchObject(problem);
    expect(await world.api('retryExecution', { jobId: 'backup', execId })).toMatchObject(problem);
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    expect(await world.api('startBackfill', { jobId: 'backup' }, range)).toMatchObject(problem);
  });

  it('with expectEvery alone, is late without a ping, and each minute with one is an execution', async () => {
    const { world, sent } = await observed();
    await putNotification(world, 'ops', { on: ['late', 'recovered'], lateAfter: '30d', minInterval: '1m' });
    const url = await monitored(world, { schedule: { type: 'none' }, expectEvery: '10m' });
    for (let minute = 0; minute < 3; minute++) {
      await ping(world, url);
      await world.run(MINUTE_MS);
    }
    expect(world.executions(MONITOR)).toHaveLength(3);
    await world.run(12 * MINUTE_MS);
    expect(sent.map(({ kind }) => kind)).toEqual(['late']);
    await ping(world, url);
    await world.run(2 * MINUTE_MS);
    expect(sent.map(({ kind }) => kind)).toEqual(['late', 'recovered']);
  });
});
