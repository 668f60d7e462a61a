import { AWS_POLICY } from '../../../support/aws-policy';
import { ApiWorld } from '../world';

const settings = {
  targetPolicy: 'public' as const,
  awsTargets: AWS_POLICY,
  pools: ['default', 'inner', 'outer', 'other'],
  privateHosts: {
    networks: { inner: ['10.1.0.0/16'], other: ['10.2.0.0/16'] },
    hosts: { alice: ['app.internal', '10.1.2.3', '169.254.169.254'] },
  },
};
const http = (host: string, more: object = {}) => ({
  type: 'http',
  url: `http://${host}:8080/hook`,
  ...more,
});

function worldOf() {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return [{ address: '93.184.216.34', family: 4 }];
  };
  return { world: new ApiWorld({ settings, resolve }), asked };
}
const MUST = (host: string) => `must be a pool in a VPC, one of inner, other: ${host} is a private host`;

test('a job with a private host names a pool in a VPC', async () => {
  const { world, asked } = worldOf();
  expect((await world.create({ pool: 'inner', target: http('app.internal') })).status).toBe(201);
  for (const pool of [undefined, 'default', 'outer']) {
    const { status, body } = await world.create({ pool, target: http('app.internal') });
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ path: 'pool', message: MUST('app.internal') });
  }
  expect(asked).toEqual([]); // only the VPC knows the name
});

test('a literal address is in the networks of the pool that is named', async () => {
  const { world } = worldOf();
  expect((await world.create({ pool: 'inner', target: http('10.1.2.3') })).status).toBe(201);
  const elsewhere = await world.create({ pool: 'other', target: http('10.1.2.3') });
  expect(elsewhere.body.errors).toEqual([
    {
      path: 'target.url',
      message: 'must lead to an address in the networks of its pool; 10.1.2.3 is not one',
    },
  ]);
  const metadata = await world.create({ pool: 'inner', target: http('169.254.169.254') });
  expect(metadata.body.errors).toMatchObject([{ path: 'target.url' }]);
});

test('another project has none of these hosts', async () => {
  const { world } = worldOf();
  const job = { schedule: 'rate(1 hour)', pool: 'inner', target: http('app.internal') };
  const { status, body } = await world.call('POST /v1/jobs', {}, job, { user: 'bob' });
  expect([status, body.errors]).toMatchObject([400, [{ path: 'target.url' }]]);
});

test('a public host needs no such pool, and may be called from one', async () => {
  const { world, asked } = worldOf();
  const target = { type: 'http', url: 'https://public.org/' };
  for (const pool of ['default', 'inner']) expect((await world.create({ pool, target })).status).toBe(201);
  expect(asked).toEqual(['public.org', 'public.org']);
});

test('the rule is for each target, for what follows an end, and for token endpoints', async () => {
  const { world } = worldOf();
  const open = { type: 'http', url: 'https://public.org/' };
  const { world: other } = worldOf();
  const set = await other.call(
    'PUT /v1/secrets/{name}',
    { name: 'crm' },
    { value: 'p4ssw0rd-1', hosts: ['public.org', 'app.internal'] },
  );
  expect(set.body).toMatchObject({ name: 'crm' });
  const auth = {
    type: 'oauth2',
    tokenUrl: 'http://app.internal/token',
    clientId: '{{ secrets.crm }}',
    clientSecret: '{{ secrets.crm }}',
  };
  for (const [given, path] of [
    [{ targets: [open, http('app.internal')], target: undefined }, 'pool'],
    [{ target: open, onEnd: { failed: http('app.internal') } }, 'pool'],
  ] as const) {
    expect((await world.create({ ...given, pool: 'inner' })).status).toBe(201);
    const { body } = await world.create(given);
    expect(body.errors).toContainEqual({ path, message: MUST('app.internal') });
  }
  expect((await other.create({ target: { ...open, auth }, pool: 'inner' })).body.errors).toBeUndefined();
  expect((await other.create({ target: { ...open, auth } })).status).toBe(400);
});

test('a task has the pool of its job unless it names one', async () => {
  const { world } = worldOf();
  const flow = (pool: string, ofTask?: string) =>
    world.create({
      pool,
      target: undefined,
      workflow: { tasks: { call: { target: http('app.internal'), ...(ofTask && { pool: ofTask }) } } },
    });
  expect((await flow('inner')).status).toBe(201);
  expect((await flow('default', 'inner')).status).toBe(201);
  expect((await flow('inner', 'outer')).body.errors).toContainEqual({
    path: 'workflow.tasks.call.pool',
    message: MUST('app.internal'),
  });
});

test('a notification has no pool, so it calls no private host', async () => {
  const { world } = worldOf();
  const body = { on: ['failed'], target: http('app.internal') };
  const { status } = await world.call('PUT /v1/notifications/{id}', { id: 'ops' }, body);
  expect(status).toBe(400);
});
