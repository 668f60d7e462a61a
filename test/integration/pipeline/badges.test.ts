import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { PingEvent } from '../../../lambdas/ping/http-event';
import { badgeOf, HOURLY, monitored, ping, pingAnswer, untilAfterHour } from '../../support/monitor-world';
import { PipelineWorld } from '../../support/pipeline-world';

/** What the badge of the monitor says, once a process has forgotten what it knew of it. */
async function said(world: PipelineWorld): Promise<string> {
  await world.run(10 * SECOND_MS);
  const { statusCode, body = '' } = await badgeOf(world);
  expect(statusCode).toBe(200);
  return /<title>monitor: (\w+)<\/title>/.exec(body)?.[1] ?? body;
}

describe('the badge of a monitor with occurrences', () => {
  it('is new, up, late, down and paused', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    expect(await said(world)).toBe('new');
    await untilAfterHour(world, MINUTE_MS);
    expect(await said(world)).toBe('new');
    await ping(world, url);
    expect(await said(world)).toBe('up');
    await untilAfterHour(world, MINUTE_MS);
    expect(await said(world)).toBe('late');
    await ping(world, `${url}/start`);
    expect(await said(world)).toBe('up');
    await ping(world, `${url}/3`);
    expect(await said(world)).toBe('down');
    await ping(world, url);
    expect(await said(world)).toBe('up');
    await untilAfterHour(world, 15 * MINUTE_MS);
    expect(world.executions({ userId: 'alice', jobId: 'backup' }).at(-1)).toMatchObject({
      reason: 'no-ping',
    });
    expect(await said(world)).toBe('down');
    await world.api('pauseJob', { jobId: 'backup' });
    expect(await said(world)).toBe('paused');
  });

  it('is down as soon as the time of the ping is over, also before the sweep sees it', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, url);
    world.on.sweep = false;
    await untilAfterHour(world, 11 * MINUTE_MS);
    expect(await said(world)).toBe('down');
  });

  it('does not tell of an earlier job with the id', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/fail`);
    const earlier = await badgeOf(world);
    await world.api('deleteJob', { jobId: 'backup' });
    await world.run(20 * SECOND_MS);
    expect(await monitored(world)).not.toBe(url);
    expect(await said(world)).toBe('new');
    expect(earlier.body).toContain('down');
  });
});

it('is late once expectEvery is over, for a monitor in its own rhythm', async () => {
  const world = await PipelineWorld.started(1);
  const url = await monitored(world, { schedule: { type: 'none' }, expectEvery: '2h' });
  expect(await said(world)).toBe('new');
  await world.run(3 * HOUR_MS);
  expect(await said(world)).toBe('late');
  await ping(world, url);
  expect(await said(world)).toBe('up');
  await world.run(HOUR_MS);
  expect(await said(world)).toBe('up');
  await world.run(2 * HOUR_MS);
  expect(await said(world)).toBe('late');
  await ping(world, `${url}/fail`);
  expect(await said(world)).toBe('down');
});

describe('the URL of a badge', () => {
  const answered = async (world: PipelineWorld, url: string, method = 'GET') =>
    pingAnswer(world, url, { requestContext: { http: { method } } } satisfies Partial<PingEvent>);

  it('answers with an image that runs nothing, and may be a minute old', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    const badge = await badgeOf(world, '?label=Nightly+back-up_1.0');
    expect(badge.headers).toEqual({
      'cache-control': 'max-age=60',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/svg+xml; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(badge.body).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*aria-label="Nightly back-up_1\.0: new"/,
    );
    expect(badge.body).not.toMatch(/style|script|href|on\w+=/);
  });

  it.each(['', 'a'.repeat(41), '<script>', 'a"b', 'ü', 'a%0Ab'])('refuses the label %j', async (label) => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    const badge = await badgeOf(world, `?label=${label}`);
    expect([badge.statusCode, badge.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(badge.body).not.toContain('<');
  });

  it('is no URL for pings, and the other way round', async () => {
    const world = await PipelineWorld.started(1);
    const url = await monitored(world);
    const { body } = await world.api('getPingKey', { jobId: 'backup' });
    const { badgeUrl } = body as { badgeUrl: string };
    const badgeKey = /\/badges\/(qjb_[\w-]+)\.svg$/.exec(badgeUrl)![1]!;
    const pingKey = /\/p\/(qjp_[\w-]+)$/.exec(url)![1]!;
    const wrong = [
      badgeUrl.replace(badgeKey, pingKey),
      url.replace(pingKey, badgeKey),
      badgeUrl.replace(/\.svg$/, ''),
      badgeUrl.replace(/.\.svg$/, '!.svg'),
    ];
    for (const one of wrong) {
      const { statusCode, body: text } = await answered(world, one);
      expect([one, statusCode, text]).toEqual([one, 404, 'not found\n']);
    }
    expect(world.executions({ userId: 'alice', jobId: 'backup' })).toEqual([]);
  });

  it('takes GET and HEAD alone', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    const { body } = await world.api('getPingKey', { jobId: 'backup' });
    const { badgeUrl } = body as { badgeUrl: string };
    const head = await answered(world, badgeUrl, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, undefined]);
    expect(await answered(world, badgeUrl, 'POST')).toMatchObject({
      statusCode: 405,
      headers: { allow: 'GET, HEAD' },
    });
  });

  it('changes with a rotation, and the one before works for another day', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world, { schedule: { ...HOURLY, expression: '0 0 1 1 *' } });
    const badgeUrl = (answer: { body?: unknown }) => (answer.body as { badgeUrl: string }).badgeUrl;
    const before = badgeUrl(await world.api('getPingKey', { jobId: 'backup' }));
    const after = badgeUrl(await world.api('rotatePingKey', { jobId: 'backup' }));
    const statuses = async () => [
      (await answered(world, before)).statusCode,
      (await answered(world, after)).statusCode,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await world.run(DAY_MS);
    expect(await statuses()).toEqual([404, 200]);
    await world.api('deleteJob', { jobId: 'backup' });
    await world.run(10 * SECOND_MS);
    expect(await statuses()).toEqual([404, 404]);
  });

  it('is not read more than once in ten seconds by a process', async () => {
    const world = await PipelineWorld.started(1);
    await monitored(world);
    const { body } = await world.api('getPingKey', { jobId: 'backup' });
    const { badgeUrl } = body as { badgeUrl: string };
    const calls: string[] = [];
    world.onCall = (stage, { command }) => void (stage === 'ping' && calls.push(command));
    for (let count = 0; count < 20; count++) await answered(world, badgeUrl);
    const first = calls.length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(4);
    await world.run(10 * SECOND_MS);
    await answered(world, badgeUrl);
    expect(calls.length).toBeLessThanOrEqual(2 * first);
  });
});
