import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { signingSecrets } from '../../../../lambdas/core/delivery/signing/signing-secrets';
import { ApiWorld } from '../world';

const ascending = (a: number, b: number) => a - b;

const secretOf = async (world: ApiWorld, user = 'alice') =>
  (await world.call('GET /v1/signing-secret', {}, undefined, { user })).body;
const rotate = (world: ApiWorld, options?: object) =>
  world.call('POST /v1/signing-secret/rotate', {}, undefined, options);

describe('a signing secret', () => {
  it('is replaced by a rotation, and signs along for another day', async () => {
    const world = new ApiWorld();
    const before = await secretOf(world);
    expect(before).toEqual({ secret: expect.stringMatching(/^whsec_/), version: 1, signingAlong: [] });
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

describe('the secrets that sign deliveries', () => {
  const secretsIn = (world: ApiWorld) => signingSecrets({ ...world.deps });

  it('are the current secret, and for a day the previous one', async () => {
    const world = new ApiWorld();
    const secrets = secretsIn(world);
    const first = (await secretOf(world)).secret;
    expect(await secrets('alice')).toEqual([first]);
    const second = (await rotate(world)).body.secret;
    await world.clock.advance(5 * 60_000);
    expect(await secrets('alice')).toEqual([second, first]);
    expect(await secrets('bob')).toHaveLength(1);
    await world.clock.advance(DAY_MS);
    expect(await secrets('alice')).toEqual([second]);
  });

  it('are read once in five minutes', async () => {
    const world = new ApiWorld();
    const secrets = secretsIn(world);
    const reads = () => world.tables.units('Jobs').readUnits;
    await Promise.all([secrets('alice'), secrets('alice'), secrets('alice')]);
    expect(reads()).toBe(1);
    await world.clock.advance(4 * 60_000);
    await secrets('alice');
    expect(reads()).toBe(1);
    await world.clock.advance(60_000);
    await secrets('alice');
    expect(reads()).toBe(2);
  });

  it('stay as they were while the store does not respond, and are read again later', async () => {
    const world = new ApiWorld();
    const secrets = secretsIn(world);
    const [first] = await secrets('alice');
    const { secretVersions } = world.deps.users;
    world.deps.users.secretVersions = () => Promise.reject(new Error('no answer'));
    await world.clock.advance(5 * 60_000);
    expect(await secrets('alice')).toEqual([first]);
    await expect(secrets('bob')).rejects.toThrow('no answer');
    world.deps.users.secretVersions = secretVersions;
    expect(await secrets('bob')).toHaveLength(1);
  });
});
