import { kindOf, machineClientOf, projectsOf, scopesOf, subjectOf } from '../../../lambdas/authorizer/claims';

const GROUPS = { from: 'groups', groupsClaim: 'cognito:groups' };
const inGroups = (...groups: unknown[]) => projectsOf({ 'cognito:groups': groups }, GROUPS);

describe('the subject', () => {
  test.each(['alice', '7', '[alice', 'a#b', 'ü', 'x'.repeat(512)])('can be the text %j', (sub) => {
    expect(subjectOf({ sub })).toBe(sub);
  });

  test.each([
    undefined,
    null,
    '',
    7,
    true,
    ['alice'],
    ['a\nb', 'c'],
    { a: 1 },
    'x'.repeat(513),
    '\ud800',
    'quarterjack-canary',
    'quarterjack-stack',
    '#x',
  ])('is missing if the claim is %j', (sub) => {
    expect(subjectOf({ sub })).toBe('');
  });
});

describe('the projects', () => {
  test('are the subject alone, as owner, by default', () => {
    const claims = { sub: 'alice', tenant: 'acme', 'cognito:groups': ['project:billing:viewer'] };
    expect(projectsOf(claims, { from: 'sub', groupsClaim: 'cognito:groups' })).toEqual([
      { name: 'alice', role: 'owner' },
    ]);
  });

  test.each([
    ['acme', [{ name: 'acme', role: 'owner' }]],
    [['acme'], []],
    [7, []],
    ['', []],
    [undefined, []],
  ])('are the value of a claim, as owner: %j', (tenant, projects) => {
    const source = { from: 'claim:tenant', groupsClaim: 'cognito:groups' };
    expect(projectsOf({ sub: 'alice', tenant }, source)).toEqual(projects);
  });

  test('are those of the groups, each with its highest role', () => {
    expect(
      inGroups('project:ops:viewer', 'project:billing:worker', 'project:billing:approver', 'admin'),
    ).toEqual([
      { name: 'billing', role: 'worker' },
      { name: 'ops', role: 'viewer' },
    ]);
  });

  test.each([
    'project:billing',
    'project:billing:king',
    'project:Billing:owner',
    'project:-b:owner',
    'project:b:owner:owner',
    ' project:b:owner',
    'project:b:owner ',
    'project:b:owner\n',
    'project:b:owner,project:c:owner',
    `project:${'b'.repeat(64)}:owner`,
    ['project:b:owner'],
    7,
  ])('are in no group like %j', (group) => {
    expect(inGroups(group)).toEqual([]);
  });

  test('are in a list alone, never in a text', () => {
    for (const groups of [
      'project:b:owner',
      '["project:b:owner"]',
      '[project:b:owner]',
      { 0: 'project:b:owner' },
    ])
      expect(projectsOf({ 'cognito:groups': groups }, GROUPS)).toEqual([]);
  });

  test('are in the claim that the stage names', () => {
    const claims = { roles: ['project:b:owner'], 'cognito:groups': ['project:c:owner'] };
    expect(projectsOf(claims, { from: 'groups', groupsClaim: 'roles' })).toEqual([
      { name: 'b', role: 'owner' },
    ]);
  });
});

test.each([
  [{ scope: 'jobs:read jobs:write openid' }, ['jobs:read', 'jobs:write']],
  [{ scope: 'quarterjack/jobs:read other/jobs:write' }, ['jobs:read']],
  [{ scp: ['jobs:read', 'work'] }, ['jobs:read', 'work']],
  [{ scp: 'jobs:read' }, ['jobs:read']],
  [{ scope: 'jobs:read admin' }, ['jobs:read', 'admin']],
  [{ scope: 'jobs:read', 'cognito:groups': ['x', 'admin'] }, ['jobs:read', 'admin']],
  [{ 'cognito:groups': ['x admin', 'x,admin', 'administrators'] }, []],
  [{ 'cognito:groups': 'admin' }, []],
  [{ scope: 7 }, []],
  [{}, []],
])('the scopes of %j are %j', (claims, scopes) => {
  expect(scopesOf(claims)).toEqual(scopes);
});

test.each([
  [{ sub: 'a' }, 'person'],
  [{ sub: 'a', client_id: 'b' }, 'person'],
  [{ sub: 'a', client_id: 'a' }, 'client'],
  [{ sub: 'a', azp: 'a' }, 'client'],
  [{ sub: 'a@clients', gty: 'client-credentials' }, 'client'],
  [{ sub: 'a', idtyp: 'app' }, 'client'],
])('a token with %j is of a %s', (claims, kind) => {
  expect(kindOf(claims)).toBe(kind);
});

describe('a machine client', () => {
  const ci = { clientId: 'id-1', name: 'ci', project: 'shop', role: 'editor' } as const;
  const found = (claims: object) => machineClientOf({ ...claims }, [ci]);

  test.each([
    { sub: 'id-1', client_id: 'id-1' },
    { sub: 'id-1', azp: 'id-1' },
    { sub: 'id-1@clients', azp: 'id-1', gty: 'client-credentials' },
  ])('is known by its id: %j', (claims) => {
    expect(found(claims)).toBe(ci);
  });

  test.each([
    { sub: 'alice', client_id: 'id-1' }, // a person who signed in with that client
    { sub: 'id-2', client_id: 'id-2' },
    { sub: 'id-1' },
    { sub: 'id-2', client_id: 'id-2', azp: 'id-1' },
  ])('is not the one whose token is %j', (claims) => {
    expect(found(claims)).toBeUndefined();
  });
});
