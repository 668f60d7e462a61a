import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { HOURLY, MONITOR, monitored, ping, untilAfterHour } from '../../support/monitor-world';
import { PipelineWorld } from '../../support/pipeline-world';

describe('the URL of a monitor', () => {
  it('has another URL after a rotation, and the one before for a day unless it is ended', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    const rotate = async (body?: object) =>
      (await world.api('rotatePingKey', { jobId: 'backup' }, body)).body as { url: string; version: number };
    const next = await rotate();
    expect(next.version).toBe(2);
    expect([(await ping(world, url)).status, (await ping(world, next.url)).status]).toEqual([200, 200]);
    await world.run(DAY_MS);
    expect([(await ping(world, url)).status, (await ping(world, next.url)).status]).toEqual([404, 200]);
    const last = await rotate({ now: true });
    await world.run(20 * SECOND_MS);
    expect([(await ping(world, next.url)).status, (await ping(world, last.url)).status]).toEqual([404, 200]);
  });

  it('is not blocked by a flood with an earlier URL', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    const next = await world.api('rotatePingKey', { jobId: 'backup' }, { now: true });
    await world.run(20 * SECOND_MS);
    for (let count = 0; count < 9; count++) await ping(world, url);
    expect((await ping(world, url)).status).toBe(429);
    expect((await ping(world, (next.body as { url: string }).url)).status).toBe(200);
  });

  it.each([
    ['a ping in time', ['', ''], 2],
    ['a start and an end', ['/start', '/0'], 3],
    ['no ping', [], 2],
  ])('with %s, an occurrence costs %s writes', async (_, signals, writes) => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, 30 * MINUTE_MS);
    const written: unknown[] = [];
    world.onCall = (_stage, { command, input }) => {
      const isCursor = JSON.stringify(input).includes('#cursors#');
      if (!/^(Get|BatchGet|Query|Scan|Send)/.test(command) && !isCursor) written.push(command);
    };
    await untilAfterHour(world, MINUTE_MS);
    for (const signal of signals) await ping(world, url + signal);
    await world.run(29 * MINUTE_MS);
    expect(written).toHaveLength(writes);
    expect(world.executions(MONITOR)).toHaveLength(2);
  });

  it('reads nothing for a text that is no key, and lets a flood of pings write nothing', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    const calls: string[] = [];
    world.onCall = (stage, { command }) => void (stage === 'ping' && calls.push(command));
    expect((await ping(world, `${url.slice(0, -1)}!`)).status).toBe(404);
    expect((await ping(world, 'https://api.test/p/other')).status).toBe(404);
    expect(calls).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ping(world, url)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(35);
    expect(answers.find(({ status }) => status === 429)!.headers).toHaveProperty('retry-after');
    expect(calls.filter((command) => !/^(Get|Query)/.test(command)).length).toBeLessThanOrEqual(5);
    expect(world.executions(MONITOR)).toHaveLength(1);
    expect((await ping(world, `${url}/fail`)).status).toBe(200);
  });

  it.each([
    ['HEAD', undefined, {}, 405],
    ['PUT', undefined, {}, 405],
    ['GET', '256', {}, 400],
    ['GET', 'stop', {}, 400],
    ['GET', undefined, { rid: 'no-uuid' }, 400],
    ['POST', undefined, { body: new Uint8Array(1_048_577) }, 413],
  ])('answers %s %s with %j by %i', async (method, signal, more, status) => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    const answer = await ping(world, signal === undefined ? url : `${url}/${signal}`, { method, ...more });
    expect(answer.status).toBe(status);
    expect(world.executions(MONITOR)).toEqual([]);
  });

  it('counts GET only if its methods say so, and keeps the body of a ping in the log', async () => {
    const world = await PipelineWorld.started(1);
    const target = { type: 'monitor', pingWithin: '10m', methods: ['POST'] };
    const url = await monitored(world, { target });
    await untilAfterHour(world, MINUTE_MS);
    expect(await ping(world, url)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    const body = Buffer.from('copied 3 tables\nof 4\n');
    expect((await ping(world, `${url}/3`, { method: 'POST', body })).status).toBe(200);
    const { execId, ping: said } = world.executions(MONITOR)[0]!;
    expect(said).toMatchObject({ exitCode: 3, bytes: body.length });
    const log = await world.api('getExecutionLog', { jobId: 'backup', execId });
    expect(log.body).toMatchObject({ items: [{ text: 'copied 3 tables' }, { text: 'of 4' }] });
  });

  it('keeps each of the bodies that come within one second', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/start`);
    for (const text of ['1', '2\n3', '4\n5\n6', '7'])
      await ping(world, `${url}/log`, { method: 'POST', body: Buffer.from(text) });
    const { execId } = world.executions(MONITOR)[0]!;
    const log = await world.api('getExecutionLog', { jobId: 'backup', execId });
    const { items } = log.body as { items: { text: string }[] };
    expect(items.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(world.errors()).toEqual([]);
  });

  it('is refused with what is about calls, and with a wait longer than its schedule allows', async () => {
    const world = await PipelineWorld.started(1);
    const target = { type: 'monitor', pingWithin: '10m' };
    const refused = async (definition: object) => {
      const job = { schedule: HOURLY, target, ...definition };
      const { status, body } = await world.api('putJob', { jobId: 'other' }, job);
      expect(status).toBe(400);
      return (body as { errors: { path: string }[] }).errors.map(({ path }) => path);
    };
    expect(
      await refused({ overlap: 'skip', priority: 'high', retry: { maxAttempts: 7 }, payload: 1 }),
    ).toEqual(['payload', 'priority', 'overlap', 'retry']);
    expect(await refused({ schedule: { type: 'interval', every: '1h' } })).toEqual(['schedule']);
    expect(await refused({ schedule: { type: 'none' } })).toEqual(['expectEvery']);
    expect(await refused({ target: { ...target, pingWithin: '2h' } })).toEqual(['target.pingWithin']);
    expect(await refused({ target: { ...target, methods: ['GET', 'GET'] } })).toEqual(['target.methods']);
    expect(await refused({ target: { ...target, pingWithin: '30s' } })).toEqual(['target.pingWithin']);
  });

  it('says why: it waits for its ping, and was missed', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world, {
      schedule: { ...HOURLY, expression: '0 */12 * * *' },
      target: { type: 'monitor', pingWithin: '10h' },
    });
    await world.run(12 * HOUR_MS);
    await world.run(5 * HOUR_MS);
    const explained = async () =>
      (await world.api('explainOccurrence', { jobId: 'backup' })).body as {
        verdict: string;
        sentence: string;
      };
    expect(await explained()).toMatchObject({ verdict: 'waits' });
    expect((await explained()).sentence).toContain('waits for its ping');
    await world.run(9 * HOUR_MS);
    expect((await explained()).sentence).toContain('no ping came in time');
  });
});
