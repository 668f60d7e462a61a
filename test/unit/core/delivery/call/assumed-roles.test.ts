import {
  assumedRoles,
  type AssumeRole,
  boundRoles,
  type Credentials,
  stsTextOf,
} from '../../../../../lambdas/core/delivery/call/assumed-roles';
import { FakeClock } from '../../../../support/fake-clock';

const ROLE = { roleArn: 'arn:aws:iam::111122223333:role/targets', externalId: 'quarterjack/{project}' };
const MINUTE = 60_000;

/** Roles with an STS that gives sessions of an hour, and notes what it is asked for. */
function withSts(roles: Record<string, typeof ROLE> = { '*': ROLE }, actionsRoleArn = '') {
  const clock = new FakeClock();
  const asked: Parameters<AssumeRole>[0][] = [];
  const failures: Error[] = [];
  const assume: AssumeRole = async (request) => {
    asked.push(request);
    const failure = failures.shift();
    if (failure) throw failure;
    const accessKeyId = `key-${asked.length}`;
    const expiration = new Date(clock.nowMs() + request.DurationSeconds * 1_000);
    return { accessKeyId, secretAccessKey: 's', sessionToken: 't', expiration };
  };
  const deps = { clock, assume };
  const boundRoleFor = boundRoles(roles, actionsRoleArn, deps);
  return { clock, asked, failures, roleFor: assumedRoles(roles, deps), boundRoleFor };
}

const keyOf = async (credentials: Promise<Credentials> | undefined) => (await credentials)?.accessKeyId;

test('a project without a role is called under the role of the function', () => {
  const { roleFor } = withSts({ billing: ROLE });
  expect(roleFor('other')).toBeUndefined();
  expect(roleFor('constructor')).toBeUndefined();
});

test('a project has its own role, else that of all projects', async () => {
  const own = { ...ROLE, roleArn: 'arn:aws:iam::111122223333:role/billing', externalId: 'fixed' };
  const { asked, roleFor } = withSts({ '*': ROLE, billing: own });
  await roleFor('billing')!.credentials();
  await roleFor('crm')!.credentials();
  expect(asked).toEqual([
    {
      RoleArn: own.roleArn,
      ExternalId: 'fixed',
      RoleSessionName: 'quarterjack-billing',
      DurationSeconds: 3_600,
    },
    {
      RoleArn: ROLE.roleArn,
      ExternalId: 'quarterjack/crm',
      RoleSessionName: 'quarterjack-crm',
      DurationSeconds: 3_600,
    },
  ]);
});

test('each project has one session, until six minutes before it ends', async () => {
  const { clock, roleFor } = withSts();
  const of = (project: string) => keyOf(roleFor(project)?.credentials());
  expect(await Promise.all([of('a'), of('a'), of('b')])).toEqual(['key-1', 'key-1', 'key-2']);
  await clock.advance(53 * MINUTE);
  expect(await of('a')).toBe('key-1');
  await clock.advance(2 * MINUTE);
  expect(await Promise.all([of('a'), of('a')])).toEqual(['key-3', 'key-3']);
  expect(roleFor('a')!.id).not.toBe(roleFor('b')!.id);
});

test('a failure reaches all who wait, is not cached, and names no role', async () => {
  const { failures, roleFor } = withSts();
  const denied = new Error(`not authorized to perform sts:AssumeRole on ${ROLE.roleArn}`);
  failures.push(Object.assign(denied, { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }));
  const both = await Promise.allSettled([roleFor('a')!.credentials(), roleFor('a')!.credentials()]);
  for (const one of both)
    expect(one).toMatchObject({
      status: 'rejected',
      reason: {
        name: 'AccessDenied',
        message: 'the role of the project cannot be assumed',
        $metadata: { httpStatusCode: 403 },
      },
    });
  expect(await keyOf(roleFor('a')?.credentials())).toBe('key-2');
});

describe('the names in STS', () => {
  const PROJECTS = [
    'billing',
    'a/b',
    'a=2Fb',
    'ä b',
    "x!~*'()",
    'auth0|1',
    'A',
    'a',
    'x'.repeat(300),
    `${'x'.repeat(300)}y`,
  ];

  test('have characters and a length that STS allows, and no two projects share one', async () => {
    const { asked, roleFor } = withSts();
    for (const project of PROJECTS) await roleFor(project)!.credentials();
    for (const { RoleSessionName, ExternalId } of asked) {
      expect(RoleSessionName).toMatch(/^[\w+=,.@-]{2,64}$/);
      expect(ExternalId).toMatch(/^[\w+=,.@:/-]{2,1224}$/);
    }
    for (const field of ['RoleSessionName', 'ExternalId'] as const)
      expect(new Set(asked.map((one) => one[field])).size).toBe(PROJECTS.length);
  });

  test('keep letters, digits, dots, underscores and hyphens', () => {
    expect(stsTextOf('Team-1_a.b')).toBe('Team-1_a.b');
    expect(stsTextOf('auth0|7')).toBe('auth0=7C7');
  });
});

describe('a bound role', () => {
  const ACTIONS = 'arn:aws:iam::111122223333:role/actions';
  const put = { actions: ['kinesis:PutRecord'], resources: ['arn:aws:kinesis:*:111122223333:stream/a'] };
  const start = { actions: ['rds:StartDBInstance'], resources: ['arn:aws:rds:*:111122223333:db:*'] };
  const policyOf = ({ actions, resources }: typeof put) => ({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resources }],
  });

  test('is never that of the function: without another one there is none', () => {
    expect(withSts({}).boundRoleFor('a', [put])).toBeUndefined();
  });

  test('is that of the deployment, in a session that may do this alone', async () => {
    const { asked, boundRoleFor } = withSts({}, ACTIONS);
    await boundRoleFor('a', [put])!.credentials();
    expect(asked).toEqual([
      {
        RoleArn: ACTIONS,
        RoleSessionName: 'quarterjack-a',
        DurationSeconds: 3_600,
        Policy: JSON.stringify(policyOf(put)),
      },
    ]);
  });

  test('of a project is its own role, in a session that is no wider', async () => {
    const { asked, boundRoleFor } = withSts({ a: ROLE }, ACTIONS);
    await boundRoleFor('a', [put])!.credentials();
    const { ExternalId, Policy, RoleArn } = asked[0]!;
    expect([RoleArn, ExternalId]).toEqual([ROLE.roleArn, 'quarterjack/a']);
    expect(JSON.parse(Policy!)).toEqual(policyOf(put));
  });

  test('has a session for each project and each policy', async () => {
    const { boundRoleFor } = withSts({}, ACTIONS);
    const of = (project: string, right: typeof put) => keyOf(boundRoleFor(project, [right])?.credentials());
    const all = [of('a', put), of('a', put), of('b', put), of('a', start)];
    expect(await Promise.all(all)).toEqual(['key-1', 'key-1', 'key-2', 'key-3']);
    const ids = [boundRoleFor('a', [put]), boundRoleFor('b', [put]), boundRoleFor('a', [start])];
    expect(new Set(ids.map((one) => one!.id)).size).toBe(3);
  });
});
