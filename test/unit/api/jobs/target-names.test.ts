import type { Resolve } from '../../../../lambdas/core/delivery/checked-lookup';
import { AWS_POLICY } from '../../../support/aws-policy';
import { aBody, paths, ApiWorld } from '../world';

const ADDRESSES: Record<string, string[]> = {
  'public.org': ['93.184.216.34', '2606:4700:4700::1111'],
  'half.org': ['93.184.216.34', '10.0.0.1'], // D10
  'localtest.me': ['127.0.0.1'], // D12
  'six.org': ['fd00::1'], // D13
};
const http = (host: string) => ({ type: 'http', url: `https://${host}/hook` });

/** A world whose name servers know these names and no others. */
function worldOf(overrides: ConstructorParameters<typeof ApiWorld>[0] = {}) {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    const addresses = ADDRESSES[hostname];
    if (!addresses) throw Object.assign(new Error(`queryA ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { world: new ApiWorld({ resolve, ...overrides }), asked };
}

describe('the host name of a target', () => {
  it.each(['half.org', 'localtest.me', 'six.org', 'HALF.org.'])(
    '%s is rejected because one of its addresses is not public',
    async (host) => {
      const { world } = worldOf();
      const answered = await world.create({ target: http(host) });
      expect(answered.status).toBe(400);
      expect(paths(answered)).toEqual(['target.url']);
      expect(answered.body.errors[0].message).toMatch(/resolves to .* policy does not allow/);
      expect(world.tables.rows('Jobs')).toEqual([]);
    },
  );

  it.each(['public.org', 'not-yet.org'])(
    '%s is accepted: its addresses are public, or it does not exist yet',
    async (host) => {
      const { world, asked } = worldOf();
      expect((await world.create({ target: http(host) })).status).toBe(201);
      expect(asked).toEqual([host]);
    },
  );

  it('is not resolved if the target has none, or if it is forbidden or local', async () => {
    const settings = { targetPolicy: 'loopback' as const, awsTargets: AWS_POLICY, pools: ['default'] };
    const { world, asked } = worldOf({ settings });
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-q';
    for (const target of [
      { type: 'sqs', queueUrl },
      { type: 'http', url: 'https://93.184.216.34/' },
      { type: 'http', url: 'http://127.0.0.1:9000/' },
      { type: 'http', url: 'http://localhost:9000/' },
    ])
      expect((await world.create({ target })).status).toBe(201);
    expect((await world.create({ target: http('printer.local') })).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('is checked by every request that changes a job', async () => {
    const { world } = worldOf();
    await world.create({ jobId: 'a', target: http('public.org') });
    expect(paths(await world.patch('a', { target: http('half.org') }))).toEqual(['target.url']);
    const several = [http('public.org'), http('half.org'), http('six.org')];
    expect(paths(await world.patch('a', { targets: several }))).toEqual(['targets.1.url', 'targets.2.url']);
    const body = { ...aBody(), target: http('half.org') };
    expect(paths(await world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, body))).toEqual(['target.url']);
    expect(paths(await world.call('PUT /v1/jobs/{jobId}', { jobId: 'b' }, body))).toEqual(['target.url']);
    expect((await world.get('a')).body.target.url).toBe('https://public.org/hook');
  });

  it('is not checked again when a create is replayed', async () => {
    const { world } = worldOf();
    const options = { headers: { 'Idempotency-Key': 'k' } };
    const body = { target: http('moved.org') };
    const first = await world.create(body, options);
    ADDRESSES['moved.org'] = ['10.0.0.1'];
    const second = await world.create(body, options);
    delete ADDRESSES['moved.org'];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.jobId).toBe(first.body.jobId);
  });
});

describe('name lookups', () => {
  it('are made once per name of a job with several targets', async () => {
    const { world, asked } = worldOf();
    const targets = [http('public.org'), http('half.org'), http('HALF.org'), http('half.org.')];
    const answered = await world.create({ target: undefined, targets });
    expect(paths(answered)).toEqual(['targets.1.url', 'targets.2.url', 'targets.3.url']);
    expect(asked).toEqual(['public.org', 'half.org']);
  });

  it('are made once per name of a batch, all at the same time, for 20 names at most', async () => {
    let waiting = 0;
    let mostWaiting = 0;
    const asked: string[] = [];
    const resolve: Resolve = async (hostname) => {
      asked.push(hostname);
      waiting += 1;
      mostWaiting = Math.max(mostWaiting, waiting);
      await new Promise((done) => setImmediate(done));
      waiting -= 1;
      throw new Error('queryA ETIMEOUT');
    };
    const world = new ApiWorld({ resolve });
    const names = Array.from({ length: 50 }, (_, index) => `h${index}.org`);
    const jobs = [...names, ...names].map((name) => ({ ...aBody(), target: http(name) }));
    const answered = await world.call('POST /v1/jobs/batch', {}, { jobs });
    expect(answered.body.outcomes.map(({ status }: { status: number }) => status)).toEqual(
      Array(100).fill(201),
    );
    expect(asked).toEqual(names.slice(0, 20));
    expect(mostWaiting).toBe(20);
  });

  it('reject only those jobs of a batch whose names are not allowed', async () => {
    const { world } = worldOf();
    const jobs = ['public.org', 'half.org', 'not-yet.org', 'half.org'].map((host) => ({
      ...aBody(),
      target: http(host),
    }));
    const answered = await world.call('POST /v1/jobs/batch', {}, { jobs: ['nonsense', ...jobs] });
    expect(answered.body.outcomes).toMatchObject([
      { index: 0, status: 400 },
      { index: 1, status: 201 },
      { index: 2, status: 400, problem: { errors: [{ path: 'target.url' }] } },
      { index: 3, status: 201 },
      { index: 4, status: 400 },
    ]);
  });

  it('are made once by a change that is repeated after another request', async () => {
    const { world, asked } = worldOf();
    await world.create({ jobId: 'a', target: http('public.org') });
    asked.length = 0;
    const { replace } = world.deps.jobs;
    let isFirst = true;
    world.deps.jobs.replace = async (job, etag) => {
      if (isFirst) {
        isFirst = false;
        await world.patch('a', { name: 'by another request' });
      }
      return replace(job, etag);
    };
    expect((await world.patch('a', { timeout: '1m' })).status).toBe(200);
    expect((await world.get('a')).body).toMatchObject({ name: 'by another request', timeout: '1m' });
    expect(asked).toEqual(['public.org', 'public.org']); // one request each
  });
});

it('a slow lookup does not age a change: the change takes its clock reading after the lookup', async () => {
  const { world } = worldOf();
  await world.create({ jobId: 'a', target: http('public.org') });
  world.deps.resolve = async () => {
    await world.clock.advance(60_000);
    throw new Error('queryA ETIMEOUT');
  };
  const beforeMs = world.clock.nowMs();
  const answered = await world.patch('a', { schedule: 'rate(1 hour)' });
  expect(answered.status).toBe(200);
  expect((await world.jobRow('a'))?.scheduleChangedAtMs).toBe(beforeMs + 60_000);
});
