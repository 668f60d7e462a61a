import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { paths, ApiWorld } from './world';

describe('the route table', () => {
  it('has only these routes without a user’s token; a new one must be added here too', () => {
    const open = ROUTES.filter(({ auth }) => ['none', 'attempt', 'ping-key'].includes(auth));
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/health',
      'GET /v1/openapi.json',
      'GET /v1/sign-in',
      'GET /v1/version',
      'GET /v1/problems/{kind}',
      'POST /v1/ping-key/monitors',
      'POST /v1/attempts/heartbeat',
      'POST /v1/attempts/complete',
      'POST /v1/attempts/fail',
      'POST /v1/attempts/log',
      'POST /v1/work/release',
    ]);
  });

  it('allows a token with jobs:read neither to change anything nor to read the signing secret', () => {
    const reads: string[] = ROUTES.filter(({ auth }) => auth === 'jobs:read').map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(reads.filter((key) => !key.startsWith('GET '))).toEqual([
      'POST /v1/executions/lookup',
      'POST /v1/workflows/check',
      'POST /v1/schedules/preview',
    ]);
    expect(reads).not.toContain('GET /v1/signing-secret');
  });
});

describe('the claims of a token', () => {
  it('alone name the user', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' }, { user: 'alice' });
    const headers = { 'X-Tenant': 'alice', 'X-User-Id': 'alice' };
    expect((await world.get('a', { user: 'bob', headers })).status).toBe(404);
    expect(paths(await world.create({ userId: 'alice' }, { user: 'bob' }))).toEqual(['userId']);
    const query = 'userId=alice';
    expect(paths(await world.call('GET /v1/jobs', {}, undefined, { user: 'bob', query }))).toEqual([
      'userId',
    ]);
  });
});

describe('keys such as __proto__', () => {
  it('stay data in every part of a request', async () => {
    const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    const world = new ApiWorld();
    const evil = '{"admin":true}';
    const target = '{"type":"http","url":"https://example.com/"}';
    const bodies = [
      `{"__proto__":${evil},"schedule":"rate(1 day)","target":${target}}`,
      `{"schedule":"rate(1 day)","target":${target},"tags":{"__proto__":"x"}}`,
      `{"schedule":"rate(1 day)","target":{"type":"http","url":"https://example.com/","headers":{"__proto__":"x"}}}`,
      `{"schedule":{"type":"cron","expression":"* * * * *","__proto__":${evil}},"target":${target}}`,
      `{"schedule":"rate(1 day)","target":${target},"retry":{"__proto__":${evil}}}`,
    ];
    for (const raw of bodies)
      expect((await world.call('POST /v1/jobs', {}, undefined, { raw })).status).toBe(400);
    await world.create({ jobId: 'a' });
    for (const raw of [
      `{"__proto__":${evil}}`,
      `{"tags":{"__proto__":"x"}}`,
      `{"constructor":{"prototype":{}}}`,
    ])
      expect((await world.call('PATCH /v1/jobs/{jobId}', { jobId: 'a' }, undefined, { raw })).status).toBe(
        400,
      );
    const raw = `{"payload":{"__proto__":${evil},"constructor":{"prototype":${evil}}}}`;
    expect((await world.call('PATCH /v1/jobs/{jobId}', { jobId: 'a' }, undefined, { raw })).status).toBe(200);
    expect(JSON.stringify((await world.jobRow('a'))?.payload)).toBe(
      `{"__proto__":${evil},"constructor":{"prototype":${evil}}}`,
    );
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(before);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('secrets of a user', () => {
  it('are in no response to another user, in no problem and in no log', async () => {
    const world = new ApiWorld();
    const canary = 'canary-7f3a9c';
    const headers = { authorization: `Bearer ${canary}-token` };
    const keyed = { ...headers, 'idempotency-key': `${canary}-key` };
    const target = { type: 'http', url: 'https://example.com/', headers: { 'X-Api-Key': `${canary}-api` } };
    await world.create({ jobId: 'a', target, payload: { secret: `${canary}-payload` } }, { headers: keyed });
    const refused = [
      await world.create({ target: { ...target, headers: { Own: `${canary}-token` } } }, { headers }),
      await world.create({ target: { ...target, url: `https://u:${canary}@example.com/` } }, { headers }),
      await world.create({ target: { ...target, headers: { Host: canary } } }, { headers }),
      await world.create({ target: { ...target, headers: { 'X-Bad': `${canary}\n` } } }, { headers }),
      await world.create(
        { jobId: 'a', target },
        { headers: { ...headers, 'idempotency-key': `${canary}-2` } },
      ),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 409]);
    world.deps.jobs.get = () => Promise.reject(new Error('no store'));
    const failed = await world.get('a', { headers });
    expect(JSON.stringify([refused, failed.body])).not.toContain(canary);
    expect(JSON.stringify(world.log.lines)).not.toContain(canary);
    expect(JSON.stringify(world.queue.messages)).not.toContain(canary);
    expect(JSON.stringify(world.entries)).not.toContain(canary);
    const keys = world.tables.rows('Jobs').map(({ payload: _, target: __, ...row }) => row);
    expect(JSON.stringify(keys)).not.toContain(canary);
  });
});
