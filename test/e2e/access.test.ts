import { ROUTES } from '../../lambdas/core/contracts/routes';
import { type RunningSystem, startSystem } from '../support/local-run';
import {
  BULK_LINES,
  type Caller,
  isAllowed,
  LINES,
  passesLine,
  type Role,
  ROLES,
  SCOPES,
} from './access/expected';
import { longPolls } from './access/long-polls';
import { type HttpReply, inTurns, raw, type RawRequest } from './access/requests';

const ALL = SCOPES.join(' ');
const ROLE_NAMES = Object.keys(ROLES) as Role[];
/** No operation accepts it, so nothing changes. Whether a caller may call comes first. */
const BAD_BODY = '{"never":true}';
const SMALL_JSON = { type: 'application/json', body: { message: 'Unauthorized' } };

type RouteKey = keyof typeof LINES;
const ROUTE_KEYS = ROUTES.map(({ method, path }) => `${method} ${path}` as RouteKey);

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem('--port', '0', '--ephemeral', '--projects', 'groups');
});
afterAll(() => system?.end(), 30_000);

/** A token of a user with these groups, such as `billing:owner`. */
const tokenOf = (scope: string, ...groups: string[]) =>
  system.token('ann', scope, { groups: groups.map((group) => `project:${group}`) });

const call = (
  routeKey: RouteKey,
  token: string | undefined,
  {
    ids = {},
    headers = [],
    query = '',
    body,
  }: { ids?: Record<string, string>; headers?: string[]; query?: string; body?: object } = {},
): Promise<HttpReply> => {
  const [method = '', path = ''] = routeKey.split(' ');
  const request: RawRequest = {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none') + query,
    headers: [
      ...(token === undefined ? [] : ['Authorization', `Bearer ${token}`]),
      'Content-Type',
      method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      ...headers,
    ],
    ...(method !== 'GET' && method !== 'DELETE' && { body: body ? JSON.stringify(body) : BAD_BODY }),
  };
  return raw(system.url, request);
};

/** Whether a route takes what no user has. */
const takesOther = (routeKey: RouteKey): boolean =>
  ['an attempt', 'a key for pings'].includes(LINES[routeKey]);

/** Plays the routes with each caller, and returns every answer that is not the expected one. */
async function surprises(
  callers: readonly (Caller & { token: string })[],
  routeKeys: readonly RouteKey[] = ROUTE_KEYS,
): Promise<string[]> {
  const cases = callers.flatMap((caller) => routeKeys.map((routeKey) => ({ caller, routeKey })));
  const found = await inTurns(cases, async ({ caller, routeKey }) => {
    const { status } = await call(routeKey, caller.token);
    const isRight = takesOther(routeKey)
      ? status === 401 // it is no token of an attempt, and no key for pings
      : isAllowed(routeKey, caller)
        ? status !== 401 && status !== 403 && status < 500
        : status === 403;
    return isRight ? [] : [`${routeKey} as ${caller.role} with ${caller.scopes.join(' ')}: ${status}`];
  });
  expect(cases.length).toBeGreaterThan(0);
  return found.flat();
}

test('every route has its line', () => {
  expect(Object.keys(LINES).toSorted()).toEqual([...ROUTE_KEYS].toSorted());
});

describe('every route, over HTTP', () => {
  test.each(ROLE_NAMES)('with the role %s and each scope alone, none and all', async (role) => {
    const scopeLists = [[], SCOPES, ...SCOPES.map((scope) => [scope])];
    const callers = await Promise.all(
      scopeLists.map(async (scopes) => ({
        role,
        scopes,
        token: await tokenOf(scopes.join(' '), `billing:${role}`),
      })),
    );
    expect(await surprises(callers)).toEqual([]);
  });

  test('with an API key of each role, which is never more than its role', async () => {
    const owner = await tokenOf(ALL, 'billing:owner');
    const keys = await Promise.all(
      (['viewer', 'approver', 'worker', 'operator', 'editor'] as const).map(async (role) => {
        const made = await call('POST /v1/api-keys', owner, { body: { name: `of ${role}`, role } });
        expect(made.status).toBe(201);
        const scopes = ROLES[role].filter((scope) => role === 'approver' || scope !== 'runs:approve');
        return { role, scopes, isKey: true, token: made.body.key as string };
      }),
    );
    expect(await surprises(keys)).toEqual([]);
  });

  test.each(ROLE_NAMES)('a bulk asks the role %s for the scope of its action', async (role) => {
    const scopeLists = [[], SCOPES, ...SCOPES.map((scope) => [scope])];
    const cases = (Object.keys(BULK_LINES) as (keyof typeof BULK_LINES)[]).flatMap((action) =>
      scopeLists.map((scopes) => ({ action, scopes })),
    );
    const found = await inTurns(cases, async ({ action, scopes }) => {
      const token = await tokenOf(scopes.join(' '), `billing:${role}`);
      const filter = { q: 'there-is-no-such-job' };
      const body = { action, filter, expect: 0, ...(action === 'patch' && { patch: { name: 'x' } }) };
      const { status } = await call('POST /v1/bulk', token, { body, headers: ['Idempotency-Key', action] });
      const expected = passesLine(BULK_LINES[action], { role, scopes }) ? 200 : 403;
      return status === expected ? [] : [`${action} as ${role} with ${scopes.join(' ')}: ${status}`];
    });
    expect(found.flat()).toEqual([]);
  });

  test('without a token, with a bad one and with a bad key', async () => {
    const bad = ['Bearer x.y.z', `Bearer qj_${'0'.repeat(16)}_${'A'.repeat(49)}`, 'Basic YTpi', 'x'];
    for (const routeKey of ROUTE_KEYS) {
      if (LINES[routeKey] === 'no token') continue;
      const none = await call(routeKey, undefined);
      expect(none.status).toBe(401);
      if (!takesOther(routeKey)) expect(none).toMatchObject(SMALL_JSON);
      for (const authorization of bad)
        expect(await call(routeKey, undefined, { headers: ['Authorization', authorization] })).toMatchObject({
          status: 401,
          type: 'application/problem+json',
          challenge: expect.stringMatching(/^Bearer/),
        });
    }
  });
});

describe('the project of a request', () => {
  const inProjects = ROUTE_KEYS.filter(
    (routeKey) =>
      !['no token', 'any token', 'an attempt', 'a key for pings', 'admin'].includes(LINES[routeKey]),
  );
  const statuses = async (token: string, headers: string[] = []) => {
    const answers = await inTurns(inProjects, (routeKey) => call(routeKey, token, { headers }));
    return [...new Set(answers.map(({ status }) => status))];
  };

  test('is refused on every route if the token has none, or not that one', async () => {
    expect(await statuses(await tokenOf(ALL))).toEqual([403]);
    const token = await tokenOf(ALL, 'billing:owner');
    for (const name of ['ops', 'Billing', '', '%62illing', '#usage', 'quarterjack-canary'])
      expect(await statuses(token, ['Quarterjack-Project', name])).toEqual([403]);
  });

  test('is a bad request on every route if it is not named, or twice', async () => {
    const token = await tokenOf(ALL, 'billing:owner', 'ops:owner');
    expect(await statuses(token)).toEqual([400]);
    const { body } = await call('GET /v1/jobs', token);
    expect(body.errors).toEqual([
      { path: 'Quarterjack-Project', message: expect.stringContaining('billing, ops') },
    ]);
    for (const second of ['ops', 'billing'])
      expect(
        await statuses(token, ['Quarterjack-Project', 'billing', 'Quarterjack-Project', second]),
      ).toEqual([400]);
  });

  test('may not have the name of a part of the deployment', async () => {
    expect(await statuses(await tokenOf(ALL, 'quarterjack-canary:owner'))).toEqual([403]);
  });

  test('is not read from groups in a text, or from other claims', async () => {
    const claims = { groups: ['project:billing:owner'], project: 'billing', role: 'owner' };
    expect(await statuses(await system.token('ann', ALL, { claims }))).toEqual([403]);
  });
});

describe('another project’s', () => {
  const job = { schedule: 'rate(1 day)', target: { type: 'http', url: 'http://127.0.0.1:9/' } };
  let theirs: string;
  let ours: string;
  beforeAll(async () => {
    [theirs, ours] = await Promise.all([tokenOf(ALL, 'billing:owner'), tokenOf(ALL, 'ops:owner')]);
    for (const jobId of ['a', 'b', 'c'])
      expect((await call('PUT /v1/jobs/{jobId}', theirs, { ids: { jobId }, body: job })).status).toBe(201);
  });

  const ofAJob = ROUTE_KEYS.filter((key) => key.includes('{jobId}') && !key.startsWith('PUT '));
  const bodyFor = (key: RouteKey): object => {
    if (key.startsWith('PATCH')) return { name: 'mine' };
    if (key.endsWith('/runs')) return { runs: [{}] };
    if (key.endsWith('/runs/cancel')) return { key: 'order-1' };
    return key.endsWith('/backfills') ? { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } : {};
  };
  const queryFor = (key: RouteKey) => (key.endsWith('/explain') ? '?at=2026-12-01T09:00:00Z' : '');

  test.each(ofAJob)('job is to %s as if it did not exist', async (routeKey) => {
    const run = await call('POST /v1/jobs/{jobId}/run', theirs, { ids: { jobId: 'a' }, body: {} });
    expect(run.status).toBe(202);
    const { execId } = run.body;
    const answers = await Promise.all(
      ['a', 'missing'].map((jobId) =>
        call(routeKey, ours, {
          ids: { jobId, execId, number: '1' },
          query: queryFor(routeKey),
          body: bodyFor(routeKey),
        }),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body.detail).toBe(answers[0]!.body.detail);
    }
    expect((await call('GET /v1/jobs/{jobId}', theirs, { ids: { jobId: 'a' } })).body.name).toBeUndefined();
  });

  test('cursor is a bad request', async () => {
    const { body } = await call('GET /v1/jobs', theirs, { query: '?limit=1' });
    expect(body.nextCursor).toEqual(expect.any(String));
    const query = `?limit=1&cursor=${encodeURIComponent(body.nextCursor)}`;
    expect((await call('GET /v1/jobs', ours, { query })).status).toBe(400);
    expect((await call('GET /v1/jobs', theirs, { query })).status).toBe(200);
  });

  test('API key is neither listed nor revoked, and serves its own project alone', async () => {
    const made = await call('POST /v1/api-keys', theirs, { body: { name: 'ci', role: 'viewer' } });
    const { keyId, key } = made.body as { keyId: string; key: string };
    const listed = await call('GET /v1/api-keys', ours);
    expect(JSON.stringify(listed.body)).not.toContain(keyId);
    await call('DELETE /v1/api-keys/{keyId}', ours, { ids: { keyId } });
    await call('DELETE /v1/api-keys', ours, { query: '?by=ann' });
    expect((await call('GET /v1/jobs', key)).body.items).toHaveLength(3);
    const elsewhere = { headers: ['Quarterjack-Project', 'ops'] };
    expect((await call('GET /v1/jobs', key, elsewhere)).status).toBe(403);
  });

  test('signing secret is another', async () => {
    const [one, other] = await Promise.all(
      [theirs, ours].map((token) => call('GET /v1/signing-secret', token)),
    );
    expect(one!.body.secret).toMatch(/^whsec_/);
    expect(one!.body.secret).not.toBe(other!.body.secret);
  });
});

describe('GET /v1/me', () => {
  test('shows the caller, its projects and its rights in the one that it names', async () => {
    const token = await tokenOf('jobs:read jobs:write', 'billing:operator', 'ops:viewer', 'ops:owner');
    const me = (headers: string[] = []) => call('GET /v1/me', token, { headers });
    expect((await me()).body).toMatchObject({
      by: { sub: 'ann', name: null, via: 'token' },
      project: null,
      role: null,
      projects: [
        { name: 'billing', role: 'operator' },
        { name: 'ops', role: 'owner' },
      ],
      stage: 'local',
    });
    const { body } = await me(['Quarterjack-Project', 'billing']);
    expect(body).toMatchObject({ project: 'billing', role: 'operator' });
    expect(body.scopes.toSorted()).toEqual(['jobs:read', 'runs:operate']);
  });
});

it('long polls of one project delay no claim of another', async () => {
  const [ann, bob] = await Promise.all(['ann', 'bob'].map((project) => tokenOf('work', `${project}:owner`)));
  const claim = (token: string | undefined, wait: string) =>
    call('POST /v1/work/claim', token, { body: { queue: 'nothing', wait } });
  await longPolls({ ann: (wait) => claim(ann, wait), bob: (wait) => claim(bob, wait) });
});
