import type { Resolve } from '../../../lambdas/core/delivery/checked-lookup';
import { AWS_POLICY } from '../../support/aws-policy';
import { aBody, paths, ApiWorld } from './world';

const ADDRESSES: Record<string, string[]> = {
  'public.org': ['93.184.216.34', '2606:4700:4700::1111'],
  'half.org': ['93.184.216.34', '10.0.0.1'], // D10
  'localtest.me': ['127.0.0.1'], // D12
  'six.org': ['fd00::1'], // D13
};
const http = (host: string) => ({ type: 'http', url: `https://${host}/hook` });

/** A world whose names are these; a name that is not there is looked for in vain. */
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

describe('the name of a target', () => {
  it.each(['half.org', 'localtest.me', 'six.org', 'HALF.org.'])(
    'that leads to %s is refused where any of its addresses is not public',
    async (host) => {
      const { world } = worldOf();
      const answered = await world.create({ target: http(host) });
      expect(answered.status).toBe(400);
      expect(paths(answered)).toEqual(['target.url']);
      expect(answered.body.errors[0].message).toMatch(/resolves to .* policy does not allow/);
      expect(world.tables.rows('Jobs')).toEqual([]);
    },
  );

  it.each(['public.org', 'not-yet.org'])('%s is taken: public, or not there yet', async (host) => {
    const { world, asked } = worldOf();
    expect((await world.create({ target: http(host) })).status).toBe(201);
    expect(asked).toEqual([host]);
  });

  it('is not asked for where there is none to ask, or nothing to learn', async () => {
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

  it('is refused by every request that changes a job, as when one is made', async () => {
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

  it('that a replayed create has is not judged again', async () => {
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

describe('how often names are asked for', () => {
  it('once for each that a request has, in a job of several targets', async () => {
    const { world, asked } = worldOf();
    const targets = [http('public.org'), http('half.org'), http('HALF.org'), http('half.org.')];
    const answered = await world.create({ target: undefined, targets });
    expect(paths(answered)).toEqual(['targets.1.url', 'targets.2.url', 'targets.3.url']);
    expect(asked).toEqual(['public.org', 'half.org']);
  });

  it('once for each that a batch has, all side by side', async () => {
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
    expect(asked.toSorted()).toEqual(names.toSorted());
    expect(mostWaiting).toBe(50);
  });

  it('and a batch refuses only the jobs whose names are not allowed', async () => {
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

  it('once in a change that is decided again, because somebody else was faster', async () => {
    const { world, asked } = worldOf();
    await world.create({ jobId: 'a', target: http('public.org') });
    asked.length = 0;
    const { replace } = world.deps.jobs;
    let isFirst = true;
    world.deps.jobs.replace = async (job, etag) => {
      if (isFirst) {
        isFirst = false;
        await world.patch('a', { name: 'by somebody else' });
      }
      return replace(job, etag);
    };
    expect((await world.patch('a', { timeout: '1m' })).status).toBe(200);
    expect((await world.get('a')).body).toMatchObject({ name: 'by somebody else', timeout: '1m' });
    expect(asked).toEqual(['public.org', 'public.org']); // one request each
  });
});

it('a slow name makes a change no older than its write: the moment of a change comes after it', async () => {
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
