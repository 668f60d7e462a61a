import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { ProjectPingKeyView } from '../../../lambdas/core/http/openapi/ping';
import { invalidField } from '../../../lambdas/api/http/problem';
import { monitored, ping, pingAnswer, untilAfterHour } from '../../support/monitor-world';
import { PipelineWorld } from '../../support/pipeline-world';
import { keyFrom, setKey, withKey } from '../../support/project-key-world';

const BACKUP = { userId: 'alice', jobId: 'backup' };

describe('the key of a project for pings', () => {
  it('is made, shown, changed, rotated and ended', async () => {
    const world = await PipelineWorld.started(1);
    expect(await world.api('getProjectPingKey')).toMatchObject({ status: 404 });
    expect(await world.api('rotateProjectPingKey')).toMatchObject({ status: 404 });
    const made = await setKey(world);
    expect(made).toMatchObject({
      status: 201,
      body: {
        url: expect.stringMatching(/\/s\/qjs_[\w-]{44}$/),
        name: 'pings',
        allowCreate: false,
        version: 1,
      },
    });
    expect(await world.api('getProjectPingKey')).toEqual({ ...made, status: 200 });
    const changed = await setKey(world, { name: 'servers', allowCreate: true });
    expect(changed).toMatchObject({ status: 200, body: { name: 'servers', allowCreate: true, version: 1 } });
    expect((changed.body as ProjectPingKeyView).url).toBe((made.body as ProjectPingKeyView).url);
    const rotated = await world.api('rotateProjectPingKey');
    expect(rotated).toMatchObject({ status: 200, body: { version: 2, earlierUntil: expect.any(String) } });
    expect(await setKey(world, { name: 'servers' })).toMatchObject({ body: { version: 2 } });
    expect(await world.api('deleteProjectPingKey')).toMatchObject({ status: 204 });
    expect(await world.api('getProjectPingKey')).toMatchObject({ status: 404 });
    await world.run(SECOND_MS);
    const next = (await setKey(world)).body as ProjectPingKeyView;
    expect(next.version).toBe(1);
    expect(next.url).not.toBe((made.body as ProjectPingKeyView).url);
    const { body } = await world.api('listAudit');
    const records = (body as { items: { what: string; outcome: string }[] }).items;
    const done = records.filter(({ outcome }) => outcome === 'done').map(({ what }) => what);
    expect(done.toSorted()).toEqual([
      'ping-key.deleted',
      'ping-key.rotated',
      ...Array.from({ length: 4 }, () => 'ping-key.set'),
    ]);
    expect(JSON.stringify(records)).not.toContain('qjs_');
  });

  it('pings each monitor by its slug, as the URL of the monitor does', async () => {
    const { world, url } = await withKey();
    const own = await monitored(world);
    await untilAfterHour(world, MINUTE_MS);
    expect(await pingAnswer(world, `${url}/backup/start`)).toMatchObject({
      statusCode: 200,
      body: 'OK\n',
      headers: {
        'quarterjack-ping': 'counted',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      },
    });
    expect(world.executions(BACKUP)[0]).toMatchObject({ status: 'running' });
    expect((await ping(world, `${own}/7`)).status).toBe(200);
    expect(world.executions(BACKUP)[0]).toMatchObject({ status: 'failed', ping: { exitCode: 7 } });
    const shown = await world.api('getPingKey', { jobId: 'backup' });
    expect(shown.body).toMatchObject({ slugUrl: `${url}/backup` });
  });

  it('costs as many writes as the URL of the monitor', async () => {
    const { world, url } = await withKey();
    await monitored(world);
    await untilAfterHour(world, 30 * MINUTE_MS);
    const written: unknown[] = [];
    world.onCall = (_stage, { command, input }) => {
      const isCursor = JSON.stringify(input).includes('#cursors#');
      if (!/^(Get|BatchGet|Query|Scan|Send)/.test(command) && !isCursor) written.push(command);
    };
    await untilAfterHour(world, MINUTE_MS);
    await ping(world, `${url}/backup/start`);
    await ping(world, `${url}/backup/0`);
    await world.run(29 * MINUTE_MS);
    expect(written).toHaveLength(3);
  });

  it('answers all that is wrong with it by the same words', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    await monitored(world);
    await setKey(world, { allowCreate: false });
    await world.api('putJob', { jobId: 'report' }, { schedule: { type: 'none' }, target: A_WORKER });
    const paths = [
      `${url}/none`,
      `${url}/none?create=1`,
      `${url}/report`,
      `${url}/report?create=1`,
      `${url.slice(0, -1)}!/backup`,
      url.replace('/s/', '/p/'),
    ];
    const answers = new Set<string>();
    for (const path of paths) {
      const { statusCode, body, headers } = await pingAnswer(world, path);
      answers.add(JSON.stringify([statusCode, body, headers]));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('[404,"not found\\n"');
    const head = { requestContext: { http: { method: 'HEAD' } } };
    expect(await pingAnswer(world, `${url}/backup`, head)).toMatchObject({ statusCode: 405 });
    expect((await world.api('listJobs')).body).toMatchObject({ items: { length: 2 } });
  });

  it.each(['Auto1', '_x', 'a.b', 'a'.repeat(65)])(
    'says what a slug is to one that is none: %s',
    async (slug) => {
      const { world, url } = await withKey({ allowCreate: true });
      await world.api('putJob', { jobId: 'Auto1' }, { schedule: { type: 'none' }, target: A_WORKER });
      for (const path of [slug, `${slug}?create=1`, `${slug}/start?create=1`])
        expect(await pingAnswer(world, `${url}/${path}`)).toMatchObject({
          statusCode: 400,
          body: `the slug "${slug}" must be 1 to 64 of a-z 0-9 _ -, and begin with a letter or a digit\n`,
        });
      expect((await world.api('listJobs')).body).toMatchObject({ items: { length: 1 } });
    },
  );

  it('remembers nothing of a slug that no job can have', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    for (const slug of ['Upper', 'a'.repeat(9_000)])
      for (let count = 0; count < 9; count++) expect((await ping(world, `${url}/${slug}`)).status).toBe(400);
  });

  it('works another day after a rotation, unless it is ended at once', async () => {
    const { world, url } = await withKey();
    await monitored(world, { schedule: { type: 'none' }, expectEvery: '2h' });
    const statuses = async (...urls: string[]) =>
      Promise.all(urls.map(async (one) => (await ping(world, `${one}/backup`)).status));
    const next = await keyFrom(world.api('rotateProjectPingKey'));
    expect(await statuses(url, next.url)).toEqual([200, 200]);
    await world.run(DAY_MS);
    expect(await statuses(url, next.url)).toEqual([404, 200]);
    const last = await keyFrom(world.api('rotateProjectPingKey', {}, { now: true }));
    expect(await statuses(next.url, last.url)).toEqual([404, 200]);
    await world.api('deleteProjectPingKey');
    await world.run(10 * SECOND_MS);
    expect(await statuses(last.url)).toEqual([404]);
  });

  it('is throttled for each slug, so that one job takes nothing from another', async () => {
    const { world, url } = await withKey();
    await monitored(world);
    for (let count = 0; count < 9; count++) await ping(world, `${url}/backup`);
    expect((await ping(world, `${url}/backup`)).status).toBe(429);
    expect((await ping(world, `${url}/other`)).status).toBe(404);
  });
});

const A_WORKER = { type: 'worker', queue: 'reports' };

describe('a ping with create=1', () => {
  it('makes a monitor where none has the slug, and counts', async () => {
    const { world, url } = await withKey({ name: 'servers', allowCreate: true });
    expect(await pingAnswer(world, `${url}/db_dump?create=1`)).toMatchObject({
      statusCode: 201,
      body: 'Created\n',
      headers: { 'quarterjack-ping': 'counted' },
    });
    const { body } = await world.api('getJob', { jobId: 'db_dump' });
    expect(body).toMatchObject({
      schedule: { type: 'none' },
      expectEvery: '25h',
      target: { type: 'monitor' },
      tags: { monitor: 'auto' },
      by: { sub: 'alice', name: null, via: 'key:servers' },
    });
    expect(world.executions({ userId: 'alice', jobId: 'db_dump' })).toMatchObject([
      { status: 'succeeded', trigger: 'ping' },
    ]);
    expect(await pingAnswer(world, `${url}/db_dump/3?create=1`)).toMatchObject({ statusCode: 200 });
    expect((await ping(world, `${url}/other`)).status).toBe(404);
    const audit = (await world.api('listAudit')).body as { items: object[] };
    expect(audit.items[0]).toMatchObject({
      what: 'monitor.created',
      outcome: 'done',
      resource: 'job db_dump',
      by: { via: 'key:servers' },
    });
    expect(world.errors()).toEqual([]);
  });

  it('makes one that a deployment allows which keeps little', async () => {
    const world = await PipelineWorld.started(1, 2);
    const { url } = await keyFrom(setKey(world, { allowCreate: true }));
    expect((await ping(world, `${url}/backup?create=1`)).status).toBe(201);
    expect((await world.api('getJob', { jobId: 'backup' })).body).toMatchObject({ expectEvery: '24h' });
  });

  it('is refused where the API makes none: 400', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    world.nodes.of('api').jobs.create = async () => {
      throw invalidField('target', 'is not allowed');
    };
    expect(await ping(world, `${url}/backup?create=1`)).toMatchObject({ status: 400 });
  });

  it('makes none for the log alone', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    expect((await ping(world, `${url}/backup/log?create=1`)).status).toBe(404);
    expect((await world.api('listJobs')).body).toMatchObject({ items: { length: 0 } });
  });

  it('is told late after 25 hours without a success', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    await ping(world, `${url}/backup?create=1`);
    const said = async () => {
      const { body } = await world.api('getPingKey', { jobId: 'backup' });
      await world.run(10 * SECOND_MS);
      const badge = await pingAnswer(world, (body as { badgeUrl: string }).badgeUrl);
      return /<title>monitor: (\w+)/.exec(badge.body ?? '')?.[1];
    };
    await world.run(DAY_MS);
    expect(await said()).toBe('up');
    await world.run(2 * 60 * MINUTE_MS);
    expect(await said()).toBe('late');
  });

  it('makes none of the id of another job: 409', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    await world.api('putJob', { jobId: 'report' }, { schedule: { type: 'none' }, target: A_WORKER });
    expect(await ping(world, `${url}/report?create=1`)).toMatchObject({ status: 409 });
    expect((await world.api('getJob', { jobId: 'report' })).body).toMatchObject({ target: A_WORKER });
  });

  it('makes 20 a minute at most', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    const create = (slug: string) => ping(world, `${url}/${slug}?create=1`);
    for (let count = 0; count < 20; count++) expect((await create(`a${count}`)).status).toBe(201);
    const calls: string[] = [];
    world.onCall = (stage, { command }) => void (stage === 'api' && calls.push(command));
    const full = await create('one-more');
    expect([full.status, Number(full.headers?.['retry-after'])]).toEqual([429, expect.any(Number)]);
    const first = calls.length;
    for (let count = 0; count < 20; count++) expect((await create(`b${count}`)).status).toBe(429);
    expect(calls).toHaveLength(first); // this process knows that there is no room
    expect(calls.filter((command) => !/^(Get|Query|Update)/.test(command))).toEqual([]);
    await world.run(MINUTE_MS);
    expect((await create('one-more')).status).toBe(201);
  });

  it('counts on when its key gets another name, and from 0 once the key was forbidden to', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    const made = () => world.tables.rows('jobs', (row) => row.made !== undefined).map((row) => row.made);
    expect((await ping(world, `${url}/one?create=1`)).status).toBe(201);
    await setKey(world, { name: 'servers', allowCreate: true });
    expect(made()).toEqual([1]);
    await setKey(world, { allowCreate: false });
    await setKey(world, { allowCreate: true });
    expect(made()).toEqual([0]);
  });

  it('makes none once the key may not any more', async () => {
    const { world, url } = await withKey({ allowCreate: true });
    expect((await ping(world, `${url}/one?create=1`)).status).toBe(201);
    await setKey(world, { allowCreate: false });
    expect((await ping(world, `${url}/two?create=1`)).status).toBe(404);
    expect((await ping(world, `${url}/one?create=1`)).status).toBe(200);
  });
});
