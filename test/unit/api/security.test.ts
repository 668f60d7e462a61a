import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { requestOf } from '../../../lambdas/api/http/http-event';
import { deliveryOf } from '../../../lambdas/core/delivery/delivery';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { AWS_POLICY } from '../../support/aws-policy';
import { anExecution } from '../../support/factories';
import { aBody, paths, ApiWorld } from './world';

describe('the route table', () => {
  it('names every route that needs no token of a user: a new one has to be added here too', () => {
    const open = ROUTES.filter(({ auth }) => !auth.startsWith('jobs:') && (auth as string) !== 'admin');
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/health',
      'GET /v1/openapi.json',
      'POST /v1/attempts/heartbeat',
      'POST /v1/attempts/complete',
      'POST /v1/attempts/fail',
    ]);
  });

  it('lets nobody change anything, or read the signing secret, with a token that may only read', () => {
    const reads: string[] = ROUTES.filter(({ auth }) => auth === 'jobs:read').map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(reads.filter((key) => !key.startsWith('GET '))).toEqual(['POST /v1/schedules/preview']);
    expect(reads).not.toContain('GET /v1/signing-secret');
  });
});

describe('what a token says', () => {
  const requestWith = (claims: object) =>
    requestOf({
      routeKey: 'GET /v1/jobs',
      requestContext: { requestId: 'r', authorizer: { jwt: { claims: { ...claims } } } },
    })!;

  it.each([
    [{ sub: 'alice' }, 'alice'],
    [{ sub: '' }, ''],
    [{}, ''],
    [{ sub: null }, ''],
    [{ sub: 7 }, ''],
    [{ sub: ['alice'] }, ''],
    [{ sub: '[alice bob]' }, ''],
    [{ sub: '*' }, '*'],
  ])('%j is the user %j', (claims, user) => {
    expect(requestWith(claims).userId).toBe(user);
  });

  it.each([
    [{ scope: 'jobs:read jobs:write' }, ['jobs:read', 'jobs:write']],
    [{ scope: 'quarterjack/jobs:read openid' }, ['jobs:read', 'openid']],
    [{ scp: '[jobs:read jobs:write]' }, ['jobs:read', 'jobs:write']],
    [{ scope: 'other/jobs:read' }, ['other/jobs:read']],
    [{ scope: 'jobs:read', token_use: 'access' }, ['jobs:read']],
    [{ scope: 'jobs:read', token_use: 'id' }, []],
    [{ scope: 'jobs:read', token_use: '' }, []],
    [{ scope: ['jobs:read'] }, []],
    [{}, []],
  ])('%j allows %j', (claims, scopes) => {
    expect([...requestWith({ sub: 'alice', ...claims }).scopes]).toEqual(scopes);
  });

  it('is the only thing that names the user', async () => {
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

describe('keys that would reach for a prototype', () => {
  it('stay data, wherever a request may hold one', async () => {
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

/** What a delivery of the job carries, of this execution or of any that it plans. */
async function nextHop(world: ApiWorld, jobId: string, execution?: Execution): Promise<string> {
  const job = (await world.jobRow(jobId))!;
  const delivered = execution ?? anExecution({ jobKey: world.jobKey(jobId) });
  const send = { secrets: [], nowMs: 0, traceId: '', spanId: '' };
  return deliveryOf(delivered, job, send).headers['quarterjack-hop']!;
}

const localWorld = () =>
  new ApiWorld({ settings: { targetPolicy: 'loopback', awsTargets: AWS_POLICY, pools: ['default'] } });

describe('a target that leads back here', () => {
  it('is refused by this API’s own name', async () => {
    const world = new ApiWorld();
    const headers = { host: 'abc.execute-api.eu-west-1.amazonaws.com' };
    const to = (url: string) => world.create({ target: { type: 'http', url } }, { headers });
    expect(paths(await to('https://abc.execute-api.eu-west-1.amazonaws.com/v1/jobs'))).toEqual([
      'target.url',
    ]);
    expect(paths(await to('https://ABC.execute-api.eu-west-1.amazonaws.com:443/'))).toEqual(['target.url']);
    expect(paths(await to('https://abc.execute-api.eu-west-1.amazonaws.com./v1/jobs'))).toEqual([
      'target.url',
    ]);
    expect((await to('https://other.execute-api.eu-west-1.amazonaws.com/')).status).toBe(201);
  });

  it.each([
    ['api.example.com:443', 'https://api.example.com/'],
    ['API.example.com.', 'https://api.example.com/'],
    ['api.example.com..', 'https://api.example.com./'],
    ['api.example.com', 'https://api.example.com:8443/'],
    ['api.example.com:8443', 'https://api.example.com/'],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787/'],
    ['127.0.0.1:8787', 'http://localhost:8787/'],
    ['127.0.0.1:8787', 'https://api.localhost.:8787/'],
    ['127.0.0.1:8787', 'http://127.0.0.2:8787/'],
    ['127.0.0.1:8787', 'http://[::1]:8787/'],
    ['[::1]:8787', 'http://127.0.0.1:8787/'],
    ['localhost:8443', 'http://127.0.0.1:8443/'],
    ['localhost', 'http://127.0.0.1/'],
    ['localhost', 'https://127.0.0.1/'],
  ])('is refused where the request came to %s: %s', async (host, url) => {
    const world = localWorld();
    const answered = await world.create({ target: { type: 'http', url } }, { headers: { host } });
    expect(paths(answered)).toEqual(['target.url']);
    expect(answered.body.errors[0].message).toMatch(/this API itself/);
  });

  it.each([
    ['127.0.0.1:8787', 'http://127.0.0.1:9000/'],
    ['127.0.0.1:8787', 'http://localhost/'],
    ['127.0.0.1:8787', 'https://api.example.com/'],
    ['localhost', 'http://127.0.0.1:8787/'],
    ['api.example.com', 'http://127.0.0.1/'],
    ['api.example.com', 'https://www.api.example.com/'],
    ['no host:at:all', 'https://api.example.com/'],
  ])('is another server where the request came to %s: %s', async (host, url) => {
    const world = localWorld();
    const answered = await world.create({ target: { type: 'http', url } }, { headers: { host } });
    expect(answered.status).toBe(201);
  });

  it('is refused by every request that changes a job', async () => {
    const world = new ApiWorld();
    const asked = { headers: { host: 'api.example.com' } };
    const target = { type: 'http', url: 'https://api.example.com/v1/jobs' };
    const body = { ...aBody(), target };
    await world.create({ jobId: 'a' });
    expect(paths(await world.patch('a', { target }, asked))).toEqual(['target.url']);
    expect(paths(await world.patch('a', { targets: [target] }, asked))).toEqual(['targets.0.url']);
    const replaced = await world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, body, asked);
    expect(paths(replaced)).toEqual(['target.url']);
    const batch = await world.call('POST /v1/jobs/batch', {}, { jobs: [body] }, asked);
    expect(batch.body.outcomes).toMatchObject([{ status: 400 }]);
  });

  it('is not set going where it was made under another name of this API', async () => {
    const world = new ApiWorld();
    const asked = { headers: { host: 'api.example.com' } };
    await world.create({ jobId: 'a', target: { type: 'http', url: 'https://api.example.com/v1/jobs' } });
    const { execId } = (await world.post('a', 'run')).body;
    const execution = (action: string, options?: { headers: Record<string, string> }) =>
      world.call(
        `POST /v1/jobs/{jobId}/executions/{execId}/${action}`,
        { jobId: 'a', execId },
        undefined,
        options,
      );
    await execution('cancel');
    await world.post('a', 'pause', undefined, asked);
    const refused = [
      await world.post('a', 'resume', undefined, asked),
      await world.post('a', 'run', undefined, asked),
      await execution('retry', asked),
      await world.patch('a', { timeout: '1m' }, asked),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 400]);
    expect(refused[0]!.body.detail).toMatch(/leads to this API itself: https:\/\/api\.example\.com/);
    expect(await world.jobRow('a')).toMatchObject({ status: 'paused' });
  });

  it.each([
    'https://sqs.eu-west-1.amazonaws.com/000000000000/queue',
    'https://dynamodb.us-east-1.amazonaws.com/',
    'https://abc.ddb.lambda.eu-central-1.amazonaws.com/',
    'https://sts.amazonaws.com/',
    'https://sqs.cn-north-1.amazonaws.com.cn/',
    'https://sqs-fips.us-east-1.amazonaws.com/',
    'https://dynamodb.us-east-1.api.aws/',
    'https://111122223333.ddb.eu-central-1.amazonaws.com/',
    'https://vpce-1-a.sqs.us-east-1.vpce.amazonaws.com/',
  ])('AWS’s own endpoint is none: %s', async (url) => {
    expect(paths(await new ApiWorld().create({ target: { type: 'http', url } }))).toEqual(['target.url']);
  });

  it('ends a chain of deliveries that ask for one another at the third', async () => {
    const world = new ApiWorld();
    let deliveryDepth = '0';
    for (const jobId of ['a', 'b', 'c']) {
      const made = await world.create({ jobId }, { headers: { 'quarterjack-hop': deliveryDepth } });
      expect(made.status).toBe(201);
      deliveryDepth = await nextHop(world, jobId);
    }
    expect(deliveryDepth).toBe('3');
    const headers = { 'quarterjack-hop': deliveryDepth };
    const jobs = [aBody()];
    expect((await world.create({ jobId: 'd' }, { headers })).status).toBe(409);
    expect((await world.post('a', 'run', {}, { headers })).status).toBe(409);
    expect((await world.call('POST /v1/jobs/batch', {}, { jobs }, { headers })).status).toBe(409);
    expect((await world.call('PUT /v1/jobs/{jobId}', { jobId: 'd' }, aBody(), { headers })).status).toBe(409);
    expect((await world.patch('a', { timeout: '1m' }, { headers })).status).toBe(409);
    await world.post('a', 'pause', undefined, { headers });
    expect((await world.post('a', 'resume', undefined, { headers })).status).toBe(409);
    expect((await world.post('a', 'run', {}, { headers: { 'quarterjack-hop': 'x' } })).status).toBe(400);
    const run = await world.post('a', 'run', {}, { headers: { 'quarterjack-hop': '2' } });
    const ref = { jobKey: world.jobKey('a'), execId: run.body.execId };
    expect(await world.deps.executions.get(ref)).toMatchObject({ deliveryDepth: 2 });
  });

  it.each(['reschedules', 'replaces', 'pauses and resumes'])(
    'ends the chain of a job whose target %s it each time, until a person does',
    async (way) => {
      const world = new ApiWorld();
      await world.create({ jobId: 'a' });
      const setGoing = async (headers: Record<string, string>, minute: number) => {
        const schedule = { type: 'cron', expression: `${minute} * * * *` };
        if (way === 'reschedules') return world.patch('a', { schedule }, { headers });
        if (way === 'replaces')
          return world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, { ...aBody(), schedule }, { headers });
        await world.post('a', 'pause', undefined, { headers });
        return world.post('a', 'resume', undefined, { headers });
      };
      const deliver = async (minute: number) =>
        (await setGoing({ 'quarterjack-hop': await nextHop(world, 'a') }, minute)).status;
      expect([await deliver(1), await deliver(2), await deliver(3)]).toEqual([200, 200, 409]);
      expect((await setGoing({}, 4)).status).toBe(200);
      expect(await nextHop(world, 'a')).toBe('1');
    },
  );

  it('ends the chain of an execution whose target retries it each time', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { execId } = (await world.post('a', 'run')).body;
    const ref = { jobKey: world.jobKey('a'), execId };
    const retried = async () => {
      const params = { jobId: 'a', execId };
      const headers = { 'quarterjack-hop': await nextHop(world, 'a', await world.deps.executions.get(ref)) };
      await world.call('POST /v1/jobs/{jobId}/executions/{execId}/cancel', params);
      return world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', params, undefined, { headers });
    };
    expect([(await retried()).status, (await retried()).status, (await retried()).status]).toEqual([
      202, 202, 409,
    ]);
  });
});

describe('what is nobody else’s to see', () => {
  it('is in no answer but its owner’s own, and in no log', async () => {
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
