import { WriteTimeoutError } from '../../../../lambdas/core/errors';
import { apiSurroundings } from '../../../support/surroundings';
import { type Answered, ApiWorld, type CallOptions, paths } from '../world';

const ALICE = { sub: 'alice', name: null, via: 'token' };

const audit = (world: ApiWorld, options?: CallOptions) => world.call('GET /v1/audit', {}, undefined, options);
const records = async (world: ApiWorld, options?: CallOptions) => (await audit(world, options)).body.items;
const createKey = (world: ApiWorld, options?: CallOptions): Promise<Answered> =>
  world.call('POST /v1/api-keys', {}, { name: 'ci', role: 'viewer' }, options);
const denied = (world: ApiWorld, options: CallOptions = {}) =>
  world.call('GET /v1/jobs', {}, undefined, { scope: 'jobs:write', ...options });

describe('a change that is put on record', () => {
  it('has its actor, time, outcome and note', async () => {
    const world = new ApiWorld();
    const { keyId } = (await createKey(world, { headers: { 'Quarterjack-Note': 'f%C3%BCr%20CI' } })).body;
    await world.clock.advance(1_000);
    await world.call('DELETE /v1/api-keys/{keyId}', { keyId });
    await world.clock.advance(1_000);
    await world.call('POST /v1/signing-secret/rotate');
    expect(await records(world)).toEqual([
      {
        at: '2026-12-01T08:30:02.000Z',
        by: ALICE,
        what: 'signing-secret.rotated',
        outcome: 'done',
        resource: 'signing-secret',
        detail: null,
        note: null,
      },
      {
        at: '2026-12-01T08:30:01.000Z',
        by: ALICE,
        what: 'api-key.revoked',
        outcome: 'done',
        resource: keyId,
        detail: 'name ci',
        note: null,
      },
      {
        at: '2026-12-01T08:30:00.000Z',
        by: ALICE,
        what: 'api-key.created',
        outcome: 'done',
        resource: keyId,
        detail: 'name ci, role viewer, scopes jobs:read',
        note: 'für CI',
      },
    ]);
  });

  it('is not made without its record', async () => {
    const world = new ApiWorld();
    world.deps.audit.record = () => Promise.reject(new Error('no answer'));
    expect((await createKey(world)).status).toBe(500);
    expect((await world.call('GET /v1/api-keys')).body.items).toEqual([]);
  });

  it('is attempted if its outcome is unknown, and refused if it was not made', async () => {
    const world = new ApiWorld();
    const { create } = world.deps.apiKeys;
    world.deps.apiKeys.create = () => Promise.reject(new WriteTimeoutError('no answer'));
    expect((await createKey(world)).status).toBe(503);
    world.deps.apiKeys.create = async () => ({ outcome: 'too-many' });
    await world.clock.advance(1);
    expect((await createKey(world)).status).toBe(409);
    world.deps.apiKeys.create = create;
    const outcomes = (await records(world)).map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['refused', 'attempted']);
  });

  it('succeeds although its end was not put on record, which then says attempted', async () => {
    const world = new ApiWorld();
    const { record } = world.deps.audit;
    world.deps.audit.record = (project, one) =>
      one.outcome === 'done' ? Promise.reject(new Error('no answer')) : record(project, one);
    expect((await createKey(world)).status).toBe(201);
    expect(await records(world)).toMatchObject([{ outcome: 'attempted' }]);
    expect(world.log.messages('error')).toEqual(['an audit record is left as attempted']);
  });

  it('is on record for as long as executions are kept', async () => {
    const world = new ApiWorld();
    await createKey(world);
    const row = world.tables.rows('Executions').find(({ jobId }) => jobId === '#audit#alice');
    expect(row?.expiresAtSec).toBe((world.clock.nowMs() + 30 * 86_400_000) / 1_000);
  });
});

describe('GET /v1/audit', () => {
  it('shows a project its own records, page by page', async () => {
    const world = new ApiWorld();
    for (let count = 0; count < 5; count++) {
      await createKey(world);
      await world.clock.advance(1_000);
    }
    await createKey(world, { user: 'bob' });
    const first = (await audit(world, { query: 'limit=2' })).body;
    const rest = (await audit(world, { query: `limit=3&cursor=${first.nextCursor}` })).body;
    const times = [...first.items, ...rest.items].map(({ at }) => at.slice(17, 19));
    expect(times).toEqual(['04', '03', '02', '01', '00']);
    expect(rest.nextCursor).toBeNull();
    expect((await audit(world, { user: 'bob', query: `cursor=${first.nextCursor}` })).status).toBe(400);
  });

  it('shows a range of time, denials included', async () => {
    const world = new ApiWorld();
    await createKey(world);
    await world.clock.advance(10_000);
    await denied(world);
    await world.clock.advance(10_000);
    await createKey(world);
    const within = async (query: string) =>
      (await records(world, { query })).map(({ what }: { what: string }) => what);
    expect(await within('from=2026-12-01T08:30:05Z&to=2026-12-01T08:30:15Z')).toEqual(['request.denied']);
    expect(await within('from=2026-12-01T08:30:20Z')).toEqual(['api-key.created']);
    expect(await within('to=2026-12-01T08:30:00Z')).toEqual([]);
    expect(paths(await audit(world, { query: 'from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z' }))).toEqual(
      ['to'],
    );
  });

  it('is for owners with the scope project:admin', async () => {
    const world = new ApiWorld();
    expect((await audit(world, { scope: 'jobs:read jobs:write' })).status).toBe(403);
    const identity = { projects: [{ name: 'alice', role: 'editor' as const }] };
    expect((await audit(world, { identity })).status).toBe(403);
  });

  it('shows what concerns the deployment to operators alone, in order with the rest', async () => {
    const world = new ApiWorld({
      queues: { ...apiSurroundings.queues, names: ['scan'], redrive: async () => 3 },
    });
    await createKey(world);
    await world.clock.advance(1_000);
    await world.call('POST /v1/admin/redrive', {}, { queue: 'scan', max: 10 }, { user: 'olga' });
    await world.clock.advance(1_000);
    await createKey(world);
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await audit(world, { query: `limit=1${cursor}` });
      seen.push(...body.items.map(({ what, by }: { what: string; by: { sub: string } }) => [what, by.sub]));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual([
      ['api-key.created', 'alice'],
      ['queue.redriven', 'olga'],
      ['api-key.created', 'alice'],
    ]);
    const scope = 'jobs:read project:admin';
    expect(JSON.stringify(await records(world, { scope }))).not.toContain('queue.redriven');
  });
});

describe('a request that is denied', () => {
  it('is on record in the project of its token', async () => {
    const world = new ApiWorld();
    expect((await denied(world)).status).toBe(403);
    expect(await records(world)).toEqual([
      {
        at: '2026-12-01T08:30:00.000Z',
        by: ALICE,
        what: 'request.denied',
        outcome: 'refused',
        resource: 'GET /v1/jobs',
        detail: 'the token lacks the scope jobs:read',
        note: null,
      },
    ]);
    expect(await records(world, { user: 'bob' })).toEqual([]);
  });

  it('is never on record in a project that is not the token’s', async () => {
    const world = new ApiWorld();
    expect(
      (await denied(world, { user: 'mallory', headers: { 'Quarterjack-Project': 'alice' } })).status,
    ).toBe(403);
    expect(JSON.stringify(await records(world, { scope: 'project:admin' }))).not.toContain('mallory');
    expect(await records(world, { user: 'mallory' })).toMatchObject([{ by: { sub: 'mallory' } }]);
  });

  it('is on record for the deployment if its token names no project, or a reserved one', async () => {
    const world = new ApiWorld();
    const reserved = [{ name: '#api-keys/x', role: 'owner' as const }];
    for (const projects of [[], reserved]) {
      expect((await denied(world, { identity: { projects } })).status).toBe(403);
      await world.clock.advance(60_000);
    }
    const partitions = world.tables.rows('Executions').map(({ jobId }) => jobId);
    expect(partitions).toEqual(['#audit#', '#audit#']);
  });

  it('shares its record with others of the minute, actor and route: one write each', async () => {
    const world = new ApiWorld();
    const writes = () => world.tables.units('Executions').writeUnits;
    for (let count = 0; count < 50; count++) await denied(world);
    expect(writes()).toBe(1);
    await world.call('GET /v1/failures', {}, undefined, { scope: 'jobs:write' });
    expect(writes()).toBe(2);
    await world.clock.advance(60_000);
    await denied(world);
    expect(await records(world)).toHaveLength(3);
  });

  it('has at most 64 records a minute in a project, however many actors there are', async () => {
    const world = new ApiWorld();
    const projects = [{ name: 'billing', role: 'viewer' as const }];
    for (let count = 0; count < 200; count++)
      await denied(world, { user: `user-${count}`, identity: { projects } });
    const rows = world.tables.rows('Executions').filter(({ jobId }) => jobId === '#audit#billing');
    expect(rows.length).toBeGreaterThan(32);
    expect(rows.length).toBeLessThanOrEqual(64);
    expect(world.tables.units('Executions').writeUnits).toBe(rows.length);
  });

  it('is denied all the same if it cannot be put on record', async () => {
    const world = new ApiWorld();
    world.deps.audit.record = () => Promise.reject(new Error('no answer'));
    expect((await denied(world)).status).toBe(403);
    expect(world.log.messages('error')).toEqual(['a denied request was not put on record']);
  });

  it('leaves none if it has no valid token: a 401 is no 403', async () => {
    const world = new ApiWorld();
    expect((await denied(world, { identity: { expiresAt: 1 } })).status).toBe(401);
    expect(world.tables.rows('Executions')).toEqual([]);
  });

  it('has a bounded row, whatever it contains', async () => {
    const world = new ApiWorld();
    await denied(world, { headers: { 'Quarterjack-Project': 'x'.repeat(8_000) }, user: 'u'.repeat(600) });
    await denied(world, { headers: { 'Quarterjack-Project': 'x'.repeat(8_000) } });
    for (const row of world.tables.rows('Executions')) expect(JSON.stringify(row).length).toBeLessThan(1_500);
    expect(world.tables.rows('Executions')).toHaveLength(2);
  });
});
