import { Access, denialMessage, SECURE_TRANSPORT } from '../../../../local/iam/access';
import { PolicyDocument, resourcePolicy, rolePolicy } from '../../../../local/iam/policy';

const ROLE = 'arn:aws:iam::000000000000:role/Worker';
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Jobs';
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:Work';
const SESSION = { roleArn: ROLE, name: 'worker' };

const document = (...Statement: object[]) => PolicyDocument.parse({ Version: '2012-10-17', Statement });
const allow = (Action: string | string[], Resource: string | string[]) => ({
  Effect: 'Allow',
  Action,
  Resource,
});
const deny = (Action: string, Resource: string) => ({ Effect: 'Deny', Action, Resource });

/** Access with one role and one queue, whose policies have these statements. */
function accessWith(ofRole: object[], ofQueue: object[] = [], trust: object[] = []) {
  const denied: string[] = [];
  const role = {
    logicalId: 'Worker',
    name: 'Worker',
    trust: resourcePolicy(document(...trust), ROLE, 'Worker'),
    statements: rolePolicy(document(...ofRole), 'Worker'),
  };
  const policies = {
    roles: new Map([[ROLE, role]]),
    resources: resourcePolicy(document(...ofQueue), QUEUE, 'QueuePolicy'),
  };
  return { access: new Access(policies, '000000000000', (line) => void denied.push(line)), denied };
}

const isAllowed = (ofRole: object[], action: string, resource: string, ofQueue: object[] = []) =>
  accessWith(ofRole, ofQueue).access.allows(SESSION, action, resource);

describe('a policy of the role', () => {
  test.each([
    ['allows what it names', allow('dynamodb:GetItem', TABLE), true],
    ['ignores the case of actions', allow('DynamoDB:getitem', TABLE), true],
    [
      'allows one of several actions and resources',
      allow(['dynamodb:Query', 'dynamodb:GetItem'], [QUEUE, TABLE]),
      true,
    ],
    ['allows what a wildcard matches', allow('dynamodb:Get*', 'arn:aws:dynamodb:*:*:table/J?bs'), true],
    ['allows everything with *', allow('*', '*'), true],
    ['does not allow another action', allow('dynamodb:PutItem', TABLE), false],
    ['does not allow an action of which it names a prefix', allow('dynamodb:Get', TABLE), false],
    ['does not allow another resource', allow('dynamodb:GetItem', `${TABLE}2`), false],
    [
      'does not allow what a wildcard would match only across a colon',
      allow('dynamodb:GetItem', 'arn:aws:*:table/Jobs'),
      false,
    ],
  ])('%s', (_, statement, allowed) => {
    expect(isAllowed([statement], 'dynamodb:GetItem', TABLE)).toBe(allowed);
  });

  test('overrides every Allow with a Deny', () => {
    expect(isAllowed([allow('*', '*'), deny('dynamodb:*', TABLE)], 'dynamodb:GetItem', TABLE)).toBe(false);
  });

  test('denies all resources but those of NotResource', () => {
    const { Resource: _, ...others } = deny('sqs:SendMessage', '*');
    const statements = [allow('*', '*'), { ...others, NotResource: [QUEUE] }];
    expect(isAllowed(statements, 'sqs:SendMessage', QUEUE)).toBe(true);
    expect(isAllowed(statements, 'sqs:SendMessage', `${QUEUE}2`)).toBe(false);
  });

  test('allows an index only if it names the index', () => {
    expect(isAllowed([allow('dynamodb:Query', TABLE)], 'dynamodb:Query', `${TABLE}/index/byUser`)).toBe(
      false,
    );
    expect(
      isAllowed([allow('dynamodb:Query', `${TABLE}/index/*`)], 'dynamodb:Query', `${TABLE}/index/byUser`),
    ).toBe(true);
  });

  test('allows a call only if it allows all of its requests', () => {
    const { access } = accessWith([allow('dynamodb:BatchGetItem', TABLE)]);
    const requests = [TABLE, `${TABLE}2`].map((resource) => ({
      action: 'dynamodb:BatchGetItem',
      resource,
      context: SECURE_TRANSPORT,
    }));
    expect(access.denial(SESSION, requests)?.resource).toBe(`${TABLE}2`);
  });

  test('allows nothing to a role that the template does not have', () => {
    const { access } = accessWith([allow('*', '*')]);
    const unknown = { roleArn: `${ROLE}2`, name: 'worker' };
    expect(
      access.denial(unknown, [{ action: 'sqs:SendMessage', resource: QUEUE, context: {} }]),
    ).toBeDefined();
  });
});

describe('a policy of the resource', () => {
  const about = (Effect: string, Principal: unknown, Condition?: object) => [
    { Effect, Principal, Action: 'sqs:SendMessage', Resource: QUEUE, ...(Condition && { Condition }) },
  ];

  test.each([
    ['allows a role by its ARN', about('Allow', { AWS: ROLE }), true],
    ['allows everyone', about('Allow', '*'), true],
    ['does not allow another role', about('Allow', { AWS: `${ROLE}2` }), false],
    [
      'does not allow a role what it allows a service',
      about('Allow', { Service: 'sns.amazonaws.com' }),
      false,
    ],
  ])('%s', (_, ofQueue, allowed) => {
    expect(isAllowed([allow('sqs:ReceiveMessage', QUEUE)], 'sqs:SendMessage', QUEUE, ofQueue)).toBe(allowed);
  });

  test.each([
    ['false', true],
    ['true', false],
  ])('denies calls whose aws:SecureTransport is %s', (value, allowed) => {
    const ofQueue = about('Deny', { AWS: '*' }, { Bool: { 'aws:SecureTransport': value } });
    expect(isAllowed([allow('sqs:SendMessage', QUEUE)], 'sqs:SendMessage', QUEUE, ofQueue)).toBe(allowed);
  });
});

describe('an AWS service', () => {
  const source = 'arn:aws:scheduler:us-east-1:000000000000:schedule-group/default';
  const trust = {
    Effect: 'Allow',
    Principal: { Service: 'scheduler.amazonaws.com' },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'aws:SourceArn': source, 'aws:SourceAccount': ['1', '2'] } },
  };
  const context = { 'aws:sourcearn': source, 'aws:sourceaccount': '2' };
  const mayAssume = (service: string, given: Record<string, string>) =>
    accessWith([allow('*', '*')], [], [trust]).access.allowsAssuming(service, ROLE, given);

  test('assumes a role that trusts it, if the conditions of the trust policy match', () => {
    expect(mayAssume('scheduler.amazonaws.com', context)).toBe(true);
    expect(mayAssume('lambda.amazonaws.com', context)).toBe(false);
    expect(mayAssume('scheduler.amazonaws.com', { ...context, 'aws:sourceaccount': '3' })).toBe(false);
    expect(mayAssume('scheduler.amazonaws.com', { 'aws:sourcearn': source })).toBe(false);
  });

  test('may do as itself what the resource allows it', () => {
    const ofQueue = [
      { Effect: 'Allow', Principal: { Service: 'sns.amazonaws.com' }, Action: 'sqs:SendMessage' },
    ];
    const { access } = accessWith([allow('*', '*')], ofQueue);
    const request = { action: 'sqs:SendMessage', resource: QUEUE, context: {} };
    expect(access.allowsService('sns.amazonaws.com', request)).toBe(true);
    expect(access.allowsService('events.amazonaws.com', request)).toBe(false);
    expect(access.allowsService('sns.amazonaws.com', { ...request, action: 'sqs:ReceiveMessage' })).toBe(
      false,
    );
  });
});

describe('a denial', () => {
  const denial = (ofRole: object[], ofQueue: object[] = []) => {
    const { access } = accessWith(ofRole, ofQueue);
    const request = { action: 'sqs:SendMessage', resource: QUEUE, context: SECURE_TRANSPORT };
    return denialMessage(access.denial(SESSION, [request])!);
  };
  const who = 'User: arn:aws:sts::000000000000:assumed-role/Worker/worker is not authorized to perform: ';

  test('has the error message of AWS', () => {
    expect(denial([allow('sqs:ReceiveMessage', QUEUE)])).toBe(
      `${who}sqs:SendMessage on resource: ${QUEUE} because no identity-based policy allows the sqs:SendMessage action`,
    );
    expect(denial([deny('*', '*')])).toBe(
      `${who}sqs:SendMessage on resource: ${QUEUE} with an explicit deny in an identity-based policy`,
    );
    const ofQueue = [{ Effect: 'Deny', Principal: '*', Action: '*', Resource: '*' }];
    expect(denial([allow('*', '*')], ofQueue)).toBe(
      `${who}sqs:SendMessage on resource: ${QUEUE} with an explicit deny in a resource-based policy`,
    );
  });

  test('is reported once', () => {
    const { access, denied } = accessWith([deny('*', '*')]);
    for (let call = 0; call < 3; call++)
      access.denial(SESSION, [{ action: 'sqs:SendMessage', resource: QUEUE, context: SECURE_TRANSPORT }]);
    expect(denied).toEqual([`AccessDenied: ${ROLE} may not sqs:SendMessage on ${QUEUE} (role-deny)`]);
  });
});

describe('reading a policy that cannot be evaluated is an error', () => {
  test.each([
    [
      'an operator',
      { Condition: { DateLessThan: { 'aws:SourceArn': 'x' } } },
      'condition operator DateLessThan',
    ],
    ['a key', { Condition: { StringEquals: { 'aws:UserAgent': 'x' } } }, 'condition key aws:UserAgent'],
    ['a variable', { Resource: 'arn:aws:sqs:*:*:${aws:username}' }, 'policy variables'],
    ['no resource', { Resource: undefined }, 'must have a Resource and no Principal'],
    ['two kinds of resources', { NotResource: QUEUE }, 'must have a Resource and no Principal'],
    ['a principal', { Principal: '*' }, 'must have a Resource and no Principal'],
  ])('%s', (_, change, message) => {
    const broken = document({ ...allow('*', '*'), ...change });
    expect(() => rolePolicy(broken, 'Worker')).toThrow(message);
  });

  test.each(['NotAction', 'NotPrincipal'])('%s', (element) => {
    expect(() => document({ ...allow('*', '*'), [element]: '*' })).toThrow(element);
  });

  test('a principal that is neither a role nor a service', () => {
    const users = document({
      ...allow('*', '*'),
      Principal: { AWS: 'arn:aws:iam::000000000000:user/alice' },
    });
    expect(() => resourcePolicy(users, QUEUE, 'QueuePolicy')).toThrow('user/alice');
  });
});

describe('the policy of a session', () => {
  const within = (...statements: object[]) => ({
    ...SESSION,
    policy: rolePolicy(document(...statements), 'session'),
  });

  test.each([
    ['allows what the role may too', allow('dynamodb:GetItem', TABLE), true],
    ['keeps the role from all else', allow('dynamodb:GetItem', `${TABLE}2`), false],
    ['may deny', deny('dynamodb:*', '*'), false],
  ])('%s', (_, statement, allowed) => {
    const { access, denied } = accessWith([allow('dynamodb:*', '*')]);
    expect(access.allows(within(statement), 'dynamodb:GetItem', TABLE)).toBe(allowed);
    expect(denied).toEqual(allowed ? [] : [expect.stringContaining('(session-deny)')]);
  });

  test('gives nothing that the role has not', () => {
    const { access } = accessWith([allow('dynamodb:Query', TABLE)]);
    expect(access.allows(within(allow('*', '*')), 'dynamodb:GetItem', TABLE)).toBe(false);
  });

  test('bounds a role outside of the stack too', () => {
    const isOwn = () => false;
    const access = new Access({ roles: new Map(), resources: [] }, '000000000000', () => {}, isOwn);
    const outside = { ...within(allow('dynamodb:GetItem', TABLE)), isExternal: true };
    expect(access.allows(outside, 'dynamodb:GetItem', TABLE)).toBe(true);
    expect(access.allows(outside, 'dynamodb:PutItem', TABLE)).toBe(false);
  });
});

test('a role of the stack is assumed by whom its trust policy names', () => {
  const other = 'arn:aws:iam::000000000000:role/Executor';
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: other } };
  const { access } = accessWith([], [], [trust]);
  expect([access.trusts(ROLE, other), access.trusts(ROLE, ROLE)]).toEqual([true, false]);
});
