import { admit, type IncomingRequest } from '../../../lambdas/api/admit';
import { ROLE_SCOPES, type Role } from '../../../lambdas/core/contracts/roles';
import { type Operation, ROUTES } from '../../../lambdas/core/contracts/routes';
import type { Identity, Verification } from '../../../lambdas/core/domain/identity';
import { contextOf, verificationOf } from '../../../lambdas/core/domain/identity-context';
import { identityOf } from '../../support/caller';

const NOW_MS = 1_800_000_000_000;
const ALL_SCOPES = [...ROLE_SCOPES.owner, 'admin'];

const of = (projects: Record<string, Role>, overrides: Partial<Identity> = {}): Identity =>
  identityOf('ann', ALL_SCOPES, {
    projects: Object.entries(projects).map(([name, role]) => ({ name, role })),
    ...overrides,
  });

const incoming = (
  operation: Operation,
  caller: IncomingRequest['caller'],
  headers: Record<string, string> = {},
): IncomingRequest => ({
  route: ROUTES.find((route) => route.operation === operation)!,
  requestId: 'r',
  caller,
  params: {},
  query: new Map(),
  headers,
});

/** The request as the operation gets it, after what the authorizer says has passed API Gateway. */
const admitted = (verification: Verification, operation: Operation = 'listJobs', project?: string) =>
  admit(
    incoming(
      operation,
      {
        via: 'authorizer',
        verification: verificationOf(JSON.parse(JSON.stringify(contextOf(verification))))!,
      },
      project === undefined ? {} : { 'quarterjack-project': project },
    ),
    NOW_MS,
  );

const problemOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    const { status, message, headers } = error as { status: number; message: string; headers: object };
    return { status, message, headers };
  }
  return undefined;
};

describe('the project', () => {
  test('is the only one of the token', () => {
    expect(admitted(of({ billing: 'viewer' }))).toMatchObject({
      project: 'billing',
      role: 'viewer',
      by: { sub: 'ann', name: null, via: 'token' },
      scopes: new Set(['jobs:read']),
    });
  });

  test.each([undefined, 'billing'])('of a token of one project may be named: %j', (name) => {
    expect(admitted(of({ billing: 'viewer' }), 'listJobs', name).project).toBe('billing');
  });

  test('is named by the header if the token has several, and each has its own role', () => {
    const identity = of({ billing: 'viewer', ops: 'owner' });
    expect(admitted(identity, 'listJobs', 'ops')).toMatchObject({ project: 'ops', role: 'owner' });
    expect(problemOf(() => admitted(identity, 'createJob', 'billing'))).toMatchObject({
      status: 403,
      message: 'the role viewer in the project billing lacks the scope jobs:write',
    });
  });

  test('must be named if the token has several: the answer lists them', () => {
    expect(problemOf(() => admitted(of({ billing: 'viewer', ops: 'owner' })))).toMatchObject({
      status: 400,
      message: expect.stringContaining('expected one of billing, ops'),
    });
  });

  test.each([
    ['xyz', 403],
    ['', 403],
    ['Billing', 403],
    ['billing,billing', 400],
    ['billing, ops', 400],
  ])('is refused if it is named as %j: %s', (name, status) => {
    const identity = of({ billing: 'viewer', ops: 'owner' });
    expect(problemOf(() => admitted(identity, 'listJobs', name))).toMatchObject({ status });
  });

  test('may have any other name, also one with a comma', () => {
    expect(admitted(of({ 'a,b:c d': 'owner' }), 'listJobs', 'a,b:c d').project).toBe('a,b:c d');
  });

  test.each(['#usage', 'quarterjack-canary', 'quarterjack-'])('%j is refused', (name) => {
    expect(problemOf(() => admitted(of({ [name]: 'owner' })))).toMatchObject({ status: 403 });
    const several = of({ [name]: 'owner', billing: 'owner' });
    expect(problemOf(() => admitted(several, 'listJobs', name))).toMatchObject({ status: 403 });
    expect(admitted(several, 'listJobs', 'billing').project).toBe('billing');
  });

  test('is missing if the token names none', () => {
    expect(problemOf(() => admitted(of({})))).toMatchObject({ status: 403 });
  });

  test.each(['', 'x'.repeat(513)])('has no actor if the subject is %j', (sub) => {
    expect(problemOf(() => admitted(of({ billing: 'owner' }, { sub })))).toMatchObject({ status: 403 });
  });
});

describe('a scope', () => {
  test('counts if both the role and the token have it', () => {
    const narrow = of({ billing: 'owner' }, { scopes: ['jobs:read'] });
    expect(problemOf(() => admitted(narrow, 'createJob'))).toMatchObject({
      status: 403,
      message: 'the token lacks the scope jobs:write',
    });
    expect(admitted(narrow).scopes).toEqual(new Set(['jobs:read']));
  });

  test('of writing jobs implies operating runs, and approving them for persons alone', () => {
    const scopesOf = (kind: Identity['kind']) =>
      admitted(of({ billing: 'editor' }, { kind, scopes: ['jobs:write'] }), 'createJob').scopes;
    expect(scopesOf('person')).toEqual(new Set(['jobs:write', 'runs:operate', 'runs:approve']));
    expect(scopesOf('key')).toEqual(new Set(['jobs:write', 'runs:operate']));
    expect(scopesOf('client')).toEqual(new Set(['jobs:write', 'runs:operate']));
  });

  test('is no way around the role: an operator may run jobs, and not change them', () => {
    const operator = of({ billing: 'operator' }, { scopes: ['jobs:read', 'jobs:write'] });
    expect(admitted(operator, 'runJob').scopes).toEqual(new Set(['jobs:read', 'runs:operate']));
    expect(problemOf(() => admitted(operator, 'patchJob'))).toMatchObject({ status: 403 });
  });

  test('does not open the signing secret to an editor', () => {
    expect(admitted(of({ billing: 'owner' }), 'getSigningSecret').project).toBe('billing');
    expect(problemOf(() => admitted(of({ billing: 'editor' }), 'getSigningSecret'))).toMatchObject({
      status: 403,
      message: 'the role editor in the project billing is not owner',
    });
  });

  test('of the operator needs no project, and no role gives it', () => {
    expect(admitted(of({}), 'getStatus')).toMatchObject({ project: '', role: null });
    expect(admitted(of({ a: 'owner', b: 'owner' }), 'getStatus')).toMatchObject({ project: '', role: null });
    const owner = of({ billing: 'owner' }, { scopes: ROLE_SCOPES.owner });
    expect(problemOf(() => admitted(owner, 'getStatus'))).toMatchObject({ status: 403 });
    expect(admitted(of({ billing: 'owner' })).scopes).toEqual(new Set(ROLE_SCOPES.owner));
  });
});

describe('a token', () => {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };

  test('that the authorizer rejects is a 401', () => {
    expect(problemOf(() => admitted({ problem: 'the token is not valid' }))).toEqual({
      status: 401,
      message: 'the token is not valid',
      headers,
    });
  });

  test('that expired since the authorizer checked it is a 401', () => {
    expect(admitted(of({ a: 'owner' }, { expiresAt: NOW_MS + 1 })).project).toBe('a');
    expect(problemOf(() => admitted(of({ a: 'owner' }, { expiresAt: NOW_MS })))).toEqual({
      status: 401,
      message: 'the token has expired',
      headers,
    });
  });

  test.each(ROUTES.filter(({ auth }) => !['none', 'attempt', 'ping-key'].includes(auth)))(
    'is needed for $method $path',
    ({ operation }) => {
      expect(problemOf(() => admit(incoming(operation, undefined), NOW_MS))).toMatchObject({ status: 401 });
    },
  );

  test('says nothing on a route without one', () => {
    const caller = { via: 'authorizer' as const, verification: of({ billing: 'owner' }) };
    expect(admit(incoming('getHealth', caller), NOW_MS)).toMatchObject({
      project: '',
      identity: null,
      by: { sub: '' },
      scopes: new Set(),
    });
  });
});

test('an API key acts for the person that made it, under its own name', () => {
  const key = of({ billing: 'editor' }, { kind: 'key', name: 'Ann', keyId: 'k1', keyName: 'ci: Tür' });
  expect(admitted(key)).toMatchObject({ by: { sub: 'ann', name: 'Ann', via: 'key:ci: Tür' } });
});

test('a part of the deployment may use a project with a reserved name', () => {
  const identity = identityOf('quarterjack-canary', ['jobs:read']);
  expect(admit(incoming('listJobs', { via: 'system', identity }), NOW_MS)).toMatchObject({
    project: 'quarterjack-canary',
    by: { via: 'system' },
  });
});
