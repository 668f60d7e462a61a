import { Access, refusalMessage, SECURE } from '../../../../local/iam/access';
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

/** Access of one role with these statements, beside a queue with those. */
function accessWith(own: object[], ofQueue: object[] = [], trust: object[] = []) {
  const refused: string[] = [];
  const role = {
    logicalId: 'Worker',
    name: 'Worker',
    trust: resourcePolicy(document(...trust), ROLE, 'Worker'),
    statements: rolePolicy(document(...own), 'Worker'),
  };
  const policies = {
    roles: new Map([[ROLE, role]]),
    resources: resourcePolicy(document(...ofQueue), QUEUE, 'QueuePolicy'),
  };
  return { access: new Access(policies, '000000000000', (line) => void refused.push(line)), refused };
}

const may = (own: object[], action: string, resource: string, ofQueue: object[] = []) =>
  accessWith(own, ofQueue).access.refusal(SESSION, [{ action, resource, context: SECURE }]) === undefined;

describe('a role may do', () => {
  test.each([
    ['what is named', allow('dynamodb:GetItem', TABLE), true],
    ['what is named in other case', allow('DynamoDB:getitem', TABLE), true],
    ['one of several', allow(['dynamodb:Query', 'dynamodb:GetItem'], [QUEUE, TABLE]), true],
    ['what a wildcard covers', allow('dynamodb:Get*', 'arn:aws:dynamodb:*:*:table/J?bs'), true],
    ['anything to anything', allow('*', '*'), true],
    ['nothing else to it', allow('dynamodb:PutItem', TABLE), false],
    ['nothing that only begins alike', allow('dynamodb:Get', TABLE), false],
    ['nothing to another', allow('dynamodb:GetItem', `${TABLE}2`), false],
    [
      'nothing where a wildcard would have to reach over a colon',
      allow('dynamodb:GetItem', 'arn:aws:*:table/Jobs'),
      false,
    ],
  ])('%s', (_, statement, allowed) => {
    expect(may([statement], 'dynamodb:GetItem', TABLE)).toBe(allowed);
  });

  test('not what is denied, whatever else allows it', () => {
    expect(may([allow('*', '*'), deny('dynamodb:*', TABLE)], 'dynamodb:GetItem', TABLE)).toBe(false);
  });

  test('an index only where the index is named', () => {
    expect(may([allow('dynamodb:Query', TABLE)], 'dynamodb:Query', `${TABLE}/index/byUser`)).toBe(false);
    expect(
      may([allow('dynamodb:Query', `${TABLE}/index/*`)], 'dynamodb:Query', `${TABLE}/index/byUser`),
    ).toBe(true);
  });

  test('a call only if all that it does is allowed', () => {
    const { access } = accessWith([allow('dynamodb:BatchGetItem', TABLE)]);
    const requests = [TABLE, `${TABLE}2`].map((resource) => ({
      action: 'dynamodb:BatchGetItem',
      resource,
      context: SECURE,
    }));
    expect(access.refusal(SESSION, requests)?.resource).toBe(`${TABLE}2`);
  });

  test('nothing at all, if the template does not have the role', () => {
    const { access } = accessWith([allow('*', '*')]);
    const unknown = { roleArn: `${ROLE}2`, name: 'worker' };
    expect(
      access.refusal(unknown, [{ action: 'sqs:SendMessage', resource: QUEUE, context: {} }]),
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
    ['does not allow a role what is for a service', about('Allow', { Service: 'sns.amazonaws.com' }), false],
  ])('%s', (_, ofQueue, allowed) => {
    expect(may([allow('sqs:ReceiveMessage', QUEUE)], 'sqs:SendMessage', QUEUE, ofQueue)).toBe(allowed);
  });

  test.each([
    ['false', true],
    ['true', false],
  ])('denies calls whose aws:SecureTransport is %s', (value, allowed) => {
    const ofQueue = about('Deny', { AWS: '*' }, { Bool: { 'aws:SecureTransport': value } });
    expect(may([allow('sqs:SendMessage', QUEUE)], 'sqs:SendMessage', QUEUE, ofQueue)).toBe(allowed);
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
  const mayTake = (service: string, given: Record<string, string>) =>
    accessWith([allow('*', '*')], [], [trust]).access.allowsAssuming(service, ROLE, given);

  test('takes a role that trusts it, under the conditions that the role makes', () => {
    expect(mayTake('scheduler.amazonaws.com', context)).toBe(true);
    expect(mayTake('lambda.amazonaws.com', context)).toBe(false);
    expect(mayTake('scheduler.amazonaws.com', { ...context, 'aws:sourceaccount': '3' })).toBe(false);
    expect(mayTake('scheduler.amazonaws.com', { 'aws:sourcearn': source })).toBe(false);
  });

  test('does on its own behalf what the resource allows it', () => {
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

describe('a refusal', () => {
  const refusal = (own: object[], ofQueue: object[] = []) => {
    const { access } = accessWith(own, ofQueue);
    const request = { action: 'sqs:SendMessage', resource: QUEUE, context: SECURE };
    return refusalMessage(access.refusal(SESSION, [request])!);
  };
  const who = 'User: arn:aws:sts::000000000000:assumed-role/Worker/worker is not authorized to perform: ';

  test('is worded as AWS words it', () => {
    expect(refusal([allow('sqs:ReceiveMessage', QUEUE)])).toBe(
      `${who}sqs:SendMessage on resource: ${QUEUE} because no identity-based policy allows the sqs:SendMessage action`,
    );
    expect(refusal([deny('*', '*')])).toBe(
      `${who}sqs:SendMessage on resource: ${QUEUE} with an explicit deny in an identity-based policy`,
    );
    const ofQueue = [{ Effect: 'Deny', Principal: '*', Action: '*', Resource: '*' }];
    expect(refusal([allow('*', '*')], ofQueue)).toBe(
      `${who}sqs:SendMessage on resource: ${QUEUE} with an explicit deny in a resource-based policy`,
    );
  });

  test('is told to the terminal once', () => {
    const { access, refused } = accessWith([deny('*', '*')]);
    for (let call = 0; call < 3; call++)
      access.refusal(SESSION, [{ action: 'sqs:SendMessage', resource: QUEUE, context: SECURE }]);
    expect(refused).toEqual([`AccessDenied: ${ROLE} may not sqs:SendMessage on ${QUEUE} (role-denies)`]);
  });
});

describe('what cannot be evaluated is an error when it is read', () => {
  test.each([
    [
      'an operator',
      { Condition: { DateLessThan: { 'aws:SourceArn': 'x' } } },
      'condition operator DateLessThan',
    ],
    ['a key', { Condition: { StringEquals: { 'aws:UserAgent': 'x' } } }, 'condition key aws:UserAgent'],
    ['a variable', { Resource: 'arn:aws:sqs:*:*:${aws:username}' }, 'policy variables'],
    ['no resource', { Resource: undefined }, 'takes a Resource and no Principal'],
    ['a principal', { Principal: '*' }, 'takes a Resource and no Principal'],
  ])('%s', (_, change, message) => {
    const broken = document({ ...allow('*', '*'), ...change });
    expect(() => rolePolicy(broken, 'Worker')).toThrow(message);
  });

  test.each(['NotAction', 'NotResource', 'NotPrincipal'])('%s', (element) => {
    expect(() => document({ ...allow('*', '*'), [element]: '*' })).toThrow(element);
  });

  test('a principal that is neither role nor service', () => {
    const users = document({
      ...allow('*', '*'),
      Principal: { AWS: 'arn:aws:iam::000000000000:user/alice' },
    });
    expect(() => resourcePolicy(users, QUEUE, 'QueuePolicy')).toThrow('user/alice');
  });
});
