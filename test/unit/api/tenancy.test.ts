import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { aBody, ApiWorld } from './world';

const OF_A_JOB = ROUTES.filter(({ path }) => path.includes('{jobId}'));
const bodyFor = (operation: string): unknown =>
  ({
    putJob: aBody(),
    patchJob: { name: 'mine now' },
    cancelKeyedRun: { key: 'k' },
    runJobMany: { runs: [{}] },
    startBackfill: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
  })[operation];

const queryFor = (operation: string): string =>
  operation === 'explainOccurrence' ? 'at=2026-12-01T09:00:00Z' : '';

describe('another user’s job', () => {
  it.each(OF_A_JOB.filter(({ operation }) => operation !== 'putJob'))(
    '$method $path answers as if the job did not exist',
    async ({ method, path, operation }) => {
      const world = new ApiWorld();
      await world.create({ jobId: 'a' }, { user: 'alice' });
      const run = await world.post('a', 'run', {}, { user: 'alice' });
      const { execId } = run.body;
      const before = JSON.stringify([world.tables.rows('Jobs'), world.tables.rows('Executions')]);
      const routeKey = `${method} ${path}`;
      const ask = (jobId: string) =>
        world.call(routeKey, { jobId, execId, number: '1' }, bodyFor(operation), {
          user: 'bob',
          query: queryFor(operation),
        });
      const theirs = await ask('a');
      const none = await ask('zzz');
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(none);
      expect(JSON.stringify([world.tables.rows('Jobs'), world.tables.rows('Executions')])).toBe(before);
    },
  );

  it('PUT creates a separate job of the same id', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', name: 'alice’s' }, { user: 'alice' });
    const { status } = await world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, aBody(), { user: 'bob' });
    expect(status).toBe(201);
    expect((await world.get('a', { user: 'alice' })).body.name).toBe('alice’s');
  });

  it('is in no list, with any filter', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' }, { user: 'alice' });
    for (const query of ['', 'q=a', 'status=active']) {
      const { body } = await world.call('GET /v1/jobs', {}, undefined, { user: 'bob', query });
      expect(body).toEqual({ items: [], nextCursor: null });
    }
  });

  it('cannot be reached by a user name that resembles a key', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' }, { user: 'alice' });
    await world.post('a', 'run', {}, { user: 'alice' });
    for (const user of ['alice/a', 'alice%2Fa', 'alice#', 'Alice', '*', '../alice']) {
      expect((await world.get('a', { user })).status).toBe(404);
      expect((await world.executions('a', '', { user })).status).toBe(404);
    }
  });

  it('is signed with another secret', async () => {
    const world = new ApiWorld();
    const secretOf = async (user: string) =>
      (await world.call('GET /v1/signing-secret', {}, undefined, { user })).body.secret as string;
    expect(await secretOf('alice')).toMatch(/^whsec_/);
    expect(await secretOf('alice')).toBe(await secretOf('alice'));
    expect(await secretOf('alice')).not.toBe(await secretOf('bob'));
  });
});

describe('what a token allows', () => {
  const READS = ROUTES.filter(({ auth }) => auth === 'jobs:read');
  const WRITES = ROUTES.filter(({ auth }) => auth === 'jobs:write' || auth === 'runs:operate');

  it.each(WRITES)('$method $path requires $auth', async ({ method, path, auth }) => {
    const answered = await new ApiWorld().call(`${method} ${path}`, {}, undefined, {
      scope: 'jobs:read openid',
    });
    expect(answered).toMatchObject({ status: 403, body: { detail: `the token lacks the scope ${auth}` } });
  });

  it.each(READS)('$method $path requires jobs:read', async ({ method, path }) => {
    expect(
      (await new ApiWorld().call(`${method} ${path}`, {}, undefined, { scope: 'jobs:write' })).status,
    ).toBe(403);
  });

  it.each(ROUTES.filter(({ method }) => method !== 'GET' && method !== 'POST'))(
    '$method $path is a write',
    ({ auth, path }) =>
      // Who operates runs says what is known about their failures: nothing of the set-up changes.
      expect(path === '/v1/failures/acks' ? ['runs:operate'] : ['jobs:write', 'project:admin']).toContain(
        auth,
      ),
  );

  it('accepts scopes in Cognito’s spelling, of our own resource server only', async () => {
    const world = new ApiWorld();
    const listed = (scope: string) => world.call('GET /v1/jobs', {}, undefined, { scope });
    expect((await listed('quarterjack/jobs:read')).status).toBe(200);
    expect((await listed('other/jobs:read')).status).toBe(403);
    expect((await listed('')).status).toBe(403);
  });

  it.each(['', 'x'.repeat(513), '\ud800'])('a token must name a user: %j', async (user) => {
    expect((await new ApiWorld().call('GET /v1/jobs', {}, undefined, { user })).status).toBe(403);
  });

  it('health requires no token', async () => {
    const answered = await new ApiWorld().call('GET /v1/health', {}, undefined, { user: '', scope: '' });
    expect(answered).toMatchObject({ status: 200, body: { status: 'pass' } });
  });
});
