import type { Execution } from '../../../../lambdas/core/domain/execution';
import { deliveryOf } from '../../../../lambdas/core/delivery/delivery';
import { AWS_POLICY } from '../../../support/aws-policy';
import { anExecution } from '../../../support/factories';
import { aBody, paths, ApiWorld } from '../world';

/** The Quarterjack-Hop of a delivery of the job: of this execution, or of any planned one. */
async function nextDepth(world: ApiWorld, jobId: string, execution?: Execution): Promise<string> {
  const job = (await world.jobRow(jobId))!;
  const delivered = execution ?? anExecution({ jobKey: world.jobKey(jobId) });
  const send = { secrets: { host: [], legacy: [] }, nowMs: 0, dueAtMs: 0, trace: { traceparent: '' } };
  return deliveryOf(delivered, job, send).headers['quarterjack-hop']!;
}

const localWorld = () =>
  new ApiWorld({ settings: { targetPolicy: 'loopback', awsTargets: AWS_POLICY, pools: ['default'] } });

describe('a target that leads to this API', () => {
  it('is rejected by the host name of the request', async () => {
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
  ])('is rejected if the request was sent to %s: %s', async (host, url) => {
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
  ])('is another server if the request was sent to %s: %s', async (host, url) => {
    const world = localWorld();
    const answered = await world.create({ target: { type: 'http', url } }, { headers: { host } });
    expect(answered.status).toBe(201);
  });

  it('is rejected by every request that changes a job', async () => {
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

  it('is not started if the job was created under another name of this API', async () => {
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
});

describe('deliveries that follow from one another', () => {
  it('are limited to three in a row', async () => {
    const world = new ApiWorld();
    let deliveryDepth = '0';
    for (const jobId of ['a', 'b', 'c']) {
      const made = await world.create({ jobId }, { headers: { 'quarterjack-hop': deliveryDepth } });
      expect(made.status).toBe(201);
      deliveryDepth = await nextDepth(world, jobId);
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
    'are limited if the target %s its job each time, until a person does',
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
        (await setGoing({ 'quarterjack-hop': await nextDepth(world, 'a') }, minute)).status;
      expect([await deliver(1), await deliver(2), await deliver(3)]).toEqual([200, 200, 409]);
      expect((await setGoing({}, 4)).status).toBe(200);
      expect(await nextDepth(world, 'a')).toBe('1');
    },
  );

  it('are limited if the target retries its execution each time', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { execId } = (await world.post('a', 'run')).body;
    const ref = { jobKey: world.jobKey('a'), execId };
    const retried = async () => {
      const params = { jobId: 'a', execId };
      const headers = {
        'quarterjack-hop': await nextDepth(world, 'a', await world.deps.executions.get(ref)),
      };
      await world.call('POST /v1/jobs/{jobId}/executions/{execId}/cancel', params);
      return world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', params, undefined, { headers });
    };
    expect([(await retried()).status, (await retried()).status, (await retried()).status]).toEqual([
      202, 202, 409,
    ]);
  });
});
