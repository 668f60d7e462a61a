import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { compactInstant } from '../../../lambdas/core/contracts/tables';
import { HOURLY, MONITOR, monitored, ping, untilAfterHour } from '../../support/monitor-world';
import { observed, putNotification } from '../../support/notified-world';
import { PipelineWorld } from '../../support/pipeline-world';

const rows = (world: PipelineWorld) =>
  world
    .executions(MONITOR)
    .map(({ execId, trigger, status, reason }) => [execId.slice(0, 20), trigger, status, reason]);

describe('a monitor whose ping comes late', () => {
  it('has missed a ping that comes too late, and has recovered with it, before the sweep knows', async () => {
    const { world, sent } = await observed();
    await putNotification(world, 'ops', { on: ['failed', 'recovered'], minInterval: '1m' });
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, url);
    const hourMs = await untilAfterHour(world, 10 * MINUTE_MS + SECOND_MS);
    expect(rows(world)).toHaveLength(1);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    expect(rows(world).slice(1)).toEqual([
      [compactInstant(hourMs), 'schedule', 'failed', 'no-ping'],
      [expect.any(String), 'ping', 'succeeded', undefined],
    ]);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'repeated' });
    await world.run(4 * MINUTE_MS);
    expect(sent.map(({ kind }) => kind)).toEqual(['failed', 'recovered']);
    expect(rows(world)).toHaveLength(3);
    expect(world.errors()).toEqual([]);
  });

  it('has missed nothing that a pause has skipped before its late ping', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, 5 * MINUTE_MS);
    await world.api('pauseJob', { jobId: 'backup' });
    await world.run(10 * MINUTE_MS);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'ignored' });
    await world.api('resumeJob', { jobId: 'backup' });
    await world.run(11 * SECOND_MS);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    expect(rows(world).filter(([, , , reason]) => reason === 'no-ping')).toEqual([]);
  });

  it('has missed no time that a calendar left out until after it was due', async () => {
    const world = await PipelineWorld.started(1);
    const leaveOut = (dates: string[]) =>
      world.clock.settle(world.api('putCalendar', { calendarId: 'holidays' }, { dates }));
    const day = new Date(world.clock.nowMs()).toISOString().slice(0, 10);
    await leaveOut([day]);
    const url = await monitored(world, { schedule: { ...HOURLY, exclude: [{ calendar: 'holidays' }] } });
    await untilAfterHour(world, 30 * MINUTE_MS);
    await leaveOut(['2030-01-01']);
    await world.run(10 * MINUTE_MS);
    expect((await ping(world, url)).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    expect(rows(world).map(([, ...of]) => of)).toEqual([['ping', 'succeeded', undefined]]);
  });

  it('ends a run with an id that many newer executions came after', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world, { schedule: { type: 'none' }, expectEvery: '1h', timeout: '2h' });
    const idOf = (minute: number) => `11111111-1111-4111-8111-1111111111${10 + minute}`;
    const rid = idOf(0);
    await ping(world, `${url}/start`, { rid });
    for (let minute = 1; minute <= 45; minute++) {
      await world.run(MINUTE_MS);
      await ping(world, url, { rid: idOf(minute) });
    }
    expect((await ping(world, url, { rid })).headers).toMatchObject({ 'quarterjack-ping': 'counted' });
    const ofRun = world.executions(MONITOR).filter((row) => row.ping?.rid === rid);
    expect(ofRun).toMatchObject([{ status: 'succeeded', ping: { durationMs: 45 * MINUTE_MS } }]);
  });

  it('ends a run that began after it had read the time, no earlier than that began', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world, { schedule: { type: 'none' }, expectEvery: '1h' });
    await world.run(SECOND_MS);
    await ping(world, `${url}/start`);
    world.clock.stepWall(-18);
    await ping(world, `${url}/fail`);
    const [row] = world.executions(MONITOR);
    const { startedAtMs } = row!;
    expect(row).toMatchObject({ ping: { atMs: startedAtMs, durationMs: 0 } });
    expect(row!.attempts).toMatchObject([{ startedAtMs, finishedAtMs: startedAtMs }]);
  });
});
