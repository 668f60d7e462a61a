import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { signingSecrets } from '../../../../lambdas/core/delivery/signing/signing-secrets';
import { apiSurroundings } from '../../../support/surroundings';
import { ApiWorld } from '../world';

const ascending = (a: number, b: number) => a - b;

const getSecret = (world: ApiWorld, host?: string, user = 'alice') =>
  world.call('GET /v1/signing-secret', {}, undefined, {
    user,
    query: host === undefined ? '' : `host=${encodeURIComponent(host)}`,
  });
const secretOf = async (world: ApiWorld, user?: string) => (await getSecret(world, undefined, user)).body;
const secretOfHost = async (world: ApiWorld, host: string, user?: string) =>
  (await getSecret(world, host, user)).body;
const rotate = (world: ApiWorld, options?: object, body?: object) =>
  world.call('POST /v1/signing-secret/rotate', {}, body, options);

describe('the legacy signing secret of a project', () => {
  it('is replaced by a rotation, and signs along for another day', async () => {
    const world = new ApiWorld();
    const before = await secretOf(world);
    expect(before).toEqual({
      host: null,
      secret: expect.stringMatching(/^whsec_/),
      version: 1,
      signingAlong: [],
    });
    const rotated = await rotate(world);
    const until = '2026-12-02T08:30:00.000Z';
    expect(rotated).toMatchObject({
      status: 200,
      body: { version: 2, signingAlong: [{ version: 1, until }] },
    });
    expect(rotated.body.secret).not.toBe(before.secret);
    expect(await secretOf(world)).toEqual(rotated.body);
    await world.clock.advance(DAY_MS);
    expect(await secretOf(world)).toEqual({ ...rotated.body, signingAlong: [] });
  });

  it('belongs to one user', async () => {
    const world = new ApiWorld();
    const bobs = await secretOf(world, 'bob');
    await rotate(world);
    expect(await secretOf(world, 'bob')).toEqual(bobs);
    expect((await world.call('GET /v1/jobs')).body.items).toEqual([]);
  });

  it('rotates once per Idempotency-Key', async () => {
    const world = new ApiWorld();
    const options = { headers: { 'Idempotency-Key': 'k' } };
    const first = await rotate(world, options);
    const second = await rotate(world, options);
    expect(second).toMatchObject({ headers: { 'idempotency-replayed': 'true' }, body: first.body });
    expect((await rotate(world)).body.version).toBe(3);
  });

  it('rotates twice for two requests at the same time', async () => {
    const world = new ApiWorld();
    const versions = (await Promise.all([rotate(world), rotate(world)])).map(({ body }) => body.version);
    expect(versions.toSorted(ascending)).toEqual([2, 3]);
    expect((await secretOf(world)).signingAlong.map(({ version }: { version: number }) => version)).toEqual([
      2, 1,
    ]);
  });

  it('rotates at most five times a day, because each rotation adds a signature to every delivery', async () => {
    const world = new ApiWorld();
    for (let times = 0; times < 5; times++) {
      expect((await rotate(world)).status).toBe(200);
      await world.clock.advance(60_000);
    }
    const refused = await rotate(world);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': String(86_400 - 5 * 60) } });
    await world.clock.advance(DAY_MS - 5 * 60_000);
    expect((await rotate(world)).status).toBe(200);
  });
});

describe('the signing secret of a host', () => {
  const HOST = 'hooks.example.com';

  it('differs from those of other hosts, of other projects, and from the legacy one', async () => {
    const world = new ApiWorld();
    const secrets = await Promise.all([
      secretOf(world),
      secretOfHost(world, HOST),
      secretOfHost(world, `${HOST}:8443`),
      secretOfHost(world, 'example.com'),
      secretOfHost(world, HOST, 'bob'),
    ]);
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(5);
    expect(secrets[1]).toEqual({
      host: HOST,
      secret: expect.stringMatching(/^whsec_/),
      version: 1,
      signingAlong: [],
    });
  });

  it.each(['Hooks.Example.COM', 'hooks.example.com.', 'hooks.example.com:443'])(
    'is one for %s',
    async (text) => {
      const world = new ApiWorld();
      expect(await secretOfHost(world, text)).toEqual(await secretOfHost(world, HOST));
    },
  );

  it.each([
    '',
    'https://example.com',
    'example.com/hook',
    'a b',
    'user@example.com',
    'a%2eb',
    'x'.repeat(300),
  ])('does not exist for %j: 400 names the host', async (text) => {
    const answer = await getSecret(new ApiWorld(), text);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'host' }] } });
  });

  it('is rotated alone', async () => {
    const world = new ApiWorld();
    const [legacy, other] = [await secretOf(world), await secretOfHost(world, 'example.com')];
    const first = await secretOfHost(world, HOST);
    const rotated = await rotate(world, {}, { host: 'HOOKS.example.com' });
    expect(rotated).toMatchObject({ status: 200, body: { host: HOST, version: 2 } });
    expect(rotated.body.secret).not.toBe(first.secret);
    expect(await secretOfHost(world, HOST)).toEqual(rotated.body);
    expect([await secretOf(world), await secretOfHost(world, 'example.com')]).toEqual([legacy, other]);
  });

  it('is not rotated by a key that rotated the secret of another host', async () => {
    const world = new ApiWorld();
    const options = { headers: { 'Idempotency-Key': 'k' } };
    const first = await rotate(world, options, { host: HOST });
    expect((await rotate(world, options, { host: 'example.com' })).status).toBe(422);
    expect((await rotate(world, options, { legacy: false })).status).toBe(422);
    expect((await secretOfHost(world, 'example.com')).version).toBe(1);
    expect(await rotate(world, options, { host: 'HOOKS.example.com' })).toMatchObject({
      headers: { 'idempotency-replayed': 'true' },
      body: first.body,
    });
  });

  it('has its own five rotations a day', async () => {
    const world = new ApiWorld();
    for (let times = 0; times < 5; times++) await rotate(world, {}, { host: HOST });
    expect(await rotate(world, {}, { host: HOST })).toMatchObject({
      status: 429,
      body: { detail: 'the signing secret of hooks.example.com can be rotated 5 times a day' },
    });
    expect((await rotate(world, {}, { host: 'example.com' })).status).toBe(200);
    expect((await rotate(world)).status).toBe(200);
  });

  it('can be rotated for 100 hosts of a project', async () => {
    const world = new ApiWorld();
    for (let host = 0; host < 100; host++) await rotate(world, {}, { host: `h${host}.example.com` });
    expect(await rotate(world, {}, { host: HOST })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('100 hosts') },
    });
    expect((await rotate(world, {}, { host: 'h0.example.com' })).status).toBe(200);
    expect((await world.call('GET /v1/jobs')).body.items).toEqual([]);
  });
});

describe('the end of the legacy secret', () => {
  const end = (world: ApiWorld, options?: object) => rotate(world, options, { legacy: false });

  it('is final: the secret is neither shown nor rotated again', async () => {
    const world = new ApiWorld();
    const signing = async () => (await world.call('GET /v1/me')).body.signing;
    expect(await signing()).toEqual({ legacy: true });
    expect(await end(world)).toMatchObject({ status: 200, body: { legacy: false } });
    expect(await end(world)).toMatchObject({ status: 200, body: { legacy: false } });
    expect(await signing()).toEqual({ legacy: false });
    const refused = {
      status: 400,
      body: {
        errors: [{ path: 'host', message: expect.stringContaining('this project signs no deliveries') }],
      },
    };
    expect(await getSecret(world)).toMatchObject(refused);
    expect(await rotate(world)).toMatchObject(refused);
    expect((await secretOfHost(world, 'example.com')).version).toBe(1);
  });

  it.each([
    [{ legacy: true }, 'must be false'],
    [{ host: 'example.com', legacy: false }, 'must not be given beside host'],
  ])('%j is rejected', async (body, message) => {
    const errors = [{ path: 'legacy', message: expect.stringContaining(message) }];
    expect(await rotate(new ApiWorld(), {}, body)).toMatchObject({ status: 400, body: { errors } });
  });

  it('wins against a rotation at the same time', async () => {
    const world = new ApiWorld();
    await rotate(world);
    await Promise.all([end(world), rotate(world)]);
    expect((await getSecret(world)).status).toBe(400);
  });

  it('of a whole deployment is a setting', async () => {
    const settings = { ...apiSurroundings.settings, legacySigning: false };
    const world = new ApiWorld({ settings });
    expect(await getSecret(world)).toMatchObject({
      status: 400,
      body: { detail: 'host: is required: the legacy secret of this deployment signs no deliveries' },
    });
  });
});

describe('the secrets that sign deliveries', () => {
  const HOST = 'example.com';
  const secretsIn = (world: ApiWorld, legacy = true) => {
    const secrets = signingSecrets({ ...world.deps, legacy });
    return (user: string, host = HOST) => secrets(user, host);
  };

  it('are those of the host, and along with them the legacy one', async () => {
    const world = new ApiWorld();
    const [host, legacy] = [(await secretOfHost(world, HOST)).secret, (await secretOf(world)).secret];
    expect(await secretsIn(world)('alice')).toEqual({ host: [host], legacy: [legacy] });
    expect(await secretsIn(world, false)('alice')).toEqual({ host: [host], legacy: [] });
    await rotate(world, {}, { legacy: false });
    expect(await secretsIn(world)('alice')).toEqual({ host: [host], legacy: [] });
    expect((await secretsIn(world)('bob')).legacy).toHaveLength(1);
  });

  it('are the current secret, and for a day the previous one', async () => {
    const world = new ApiWorld();
    const secrets = secretsIn(world);
    const first = (await secretOfHost(world, HOST)).secret;
    expect((await secrets('alice')).host).toEqual([first]);
    const second = (await rotate(world, {}, { host: HOST })).body.secret;
    await world.clock.advance(5 * 60_000);
    expect((await secrets('alice')).host).toEqual([second, first]);
    expect((await secrets('alice', 'other.example.com')).host).toHaveLength(1);
    expect((await secrets('bob')).host).toHaveLength(1);
    await world.clock.advance(DAY_MS);
    expect((await secrets('alice')).host).toEqual([second]);
  });

  it('are read once in five minutes: the versions of the project, and those of the host', async () => {
    const world = new ApiWorld();
    const secrets = secretsIn(world);
    const reads = () => world.tables.units('Jobs').readUnits;
    await Promise.all([secrets('alice'), secrets('alice'), secrets('alice')]);
    expect(reads()).toBe(2);
    await secrets('alice', 'other.example.com');
    expect(reads()).toBe(3);
    await world.clock.advance(4 * 60_000);
    await secrets('alice');
    expect(reads()).toBe(3);
    await world.clock.advance(60_000);
    await secrets('alice');
    expect(reads()).toBe(5);
  });

  it('stay as they were while the store does not respond, and are read again later', async () => {
    const world = new ApiWorld();
    const secrets = secretsIn(world);
    const first = await secrets('alice');
    const { secretVersions } = world.deps.users;
    world.deps.users.secretVersions = () => Promise.reject(new Error('no answer'));
    await world.clock.advance(5 * 60_000);
    expect(await secrets('alice')).toEqual(first);
    await expect(secrets('bob')).rejects.toThrow('no answer');
    world.deps.users.secretVersions = secretVersions;
    expect((await secrets('bob')).host).toHaveLength(1);
  });
});
