import { App, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Stream } from 'aws-cdk-lib/aws-kinesis';

import { Quarterjack } from '../../lib';
import { listOf, type Statement } from './statements';
import {
  createStack,
  functionOf,
  ofType,
  QUICK,
  removeSynthesized,
  resourcesIn,
  stubBundles,
  variablesOf,
} from './synth';

const STREAM = 'arn:aws:kinesis:eu-central-1:111122223333:stream/orders';
const ROLE = 'arn:aws:iam::111122223333:role/etl';
const allowedActions = {
  shop: [{ action: 'kinesis:PutRecord', resources: [STREAM] }],
  bank: [{ action: 'sqs:SendMessageBatch', resources: ['*'], passRoles: [ROLE] }],
};
afterAll(removeSynthesized);

type Resources = ReturnType<typeof resourcesIn>;
const statementsOf = (resources: Resources, start: string): Statement[] =>
  ofType(resources, 'AWS::IAM::Policy')
    .filter(([id]) => id.includes(start))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as Statement[]);
const allowedIn = (resources: Resources) =>
  statementsOf(resources, 'ActionsPolicy')
    .filter(({ Effect }) => Effect === 'Allow')
    .map(({ Action, Resource }) => [listOf(Action), Resource]);
const readsCatalogue = (resources: Resources, stage: Parameters<typeof functionOf>[1]): boolean =>
  JSON.stringify(functionOf(resources, stage)[1].Properties.Layers).includes('"ActionCatalogue');

test('the role for actions may do what is listed, one to one, and no executor may', () => {
  const resources = resourcesIn(createStack({ allowedActions }));
  expect(allowedIn(resources)).toEqual([
    [['kinesis:PutRecord'], STREAM],
    [['sqs:SendMessage'], '*'],
    [['iam:PassRole'], ROLE],
  ]);
  const [passing] = statementsOf(resources, 'ActionsPolicy').filter(
    ({ Action, Effect }) => Effect === 'Deny' && Action === 'iam:PassRole',
  );
  expect(passing).toMatchObject({
    NotResource: [{ 'Fn::GetAtt': [expect.stringMatching(/^Actions/), 'Arn'] }, ROLE],
  });
  const ofExecutors = JSON.stringify(
    [...ofType(resources, 'AWS::IAM::Role'), ...ofType(resources, 'AWS::IAM::Policy')].filter(([id]) =>
      /Executor/.test(id),
    ),
  );
  expect(ofExecutors).not.toMatch(/kinesis:|PassRole/);
});

test('the api and all executors know them, and what each action takes', () => {
  const resources = resourcesIn(createStack({ allowedActions }));
  for (const stage of ['api', 'executor', 'longExecutor'] as const) {
    const variables = variablesOf(resources, functionOf(resources, stage)[1]);
    expect(JSON.parse(String(variables.ALLOWED_ACTIONS))).toEqual(allowedActions);
    expect(variables.ACTIONS_PATH).toBe('/opt/actions');
    expect(readsCatalogue(resources, stage)).toBe(true);
  }
  expect(readsCatalogue(resources, 'sweeper')).toBe(false);
});

test('without any, there is no role, no layer, and nothing that may be called', () => {
  const resources = resourcesIn(createStack());
  expect(ofType(resources, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Actions'))).toEqual([]);
  expect(ofType(resources, 'AWS::Lambda::LayerVersion')).toHaveLength(1);
  const { ACTIONS_PATH, ADDED_ACTIONS } = variablesOf(resources, functionOf(resources, 'executor')[1]);
  expect([ACTIONS_PATH, ADDED_ACTIONS]).toEqual(['', '{}']);
});

test('a project with a role of its own adds nothing to that role for actions', () => {
  const assumeRole = { shop: { roleArn: 'arn:aws:iam::111122223333:role/shop' } };
  expect(allowedIn(resourcesIn(createStack({ allowedActions, assumeRole })))).toEqual([
    [['sqs:SendMessage'], '*'],
    [['iam:PassRole'], ROLE],
  ]);
});

function stackWith(allow: (jobs: Quarterjack, stack: Stack) => void) {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
  allow(jobs, stack);
  return { app, stack };
}

test('a stack allows an action with what it has made', () => {
  const resources = resourcesIn(
    stackWith((jobs, stack) => {
      const { streamArn } = new Stream(stack, 'Orders');
      const role = new Role(stack, 'Etl', {
        assumedBy: new ServicePrincipal('emr-serverless.amazonaws.com'),
      });
      jobs.allowAction('kinesis:PutRecord', [streamArn], { project: 'shop' });
      jobs.allowAction('emrserverless:StartJobRun', ['*'], { passRoles: [role] });
    }),
  );
  const arnOf = (id: RegExp) => ({ 'Fn::GetAtt': [expect.stringMatching(id), 'Arn'] });
  expect(allowedIn(resources)).toEqual([
    [['kinesis:PutRecord'], arnOf(/^Orders/)],
    [['emr-serverless:StartJobRun'], '*'],
    [['iam:PassRole'], arnOf(/^Etl/)],
  ]);
  const [[, executor] = []] = ofType(resources, 'AWS::Lambda::Function').filter(([id]) =>
    id.startsWith('JobsStagesExecutorFunction'),
  );
  const { ADDED_ACTIONS } = variablesOf(resources, executor!);
  const [, parts] = (ADDED_ACTIONS as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  expect(parts.filter((part) => typeof part === 'string').join('ARN')).toBe(
    '{"shop":[{"action":"kinesis:PutRecord","resources":["ARN"]}],' +
      '"*":[{"action":"emrserverless:StartJobRun","resources":["*"],"passRoles":["ARN"]}]}',
  );
});

test.each<[string, (jobs: Quarterjack, stack: Stack) => void, RegExp]>([
  [
    'an action with a slip',
    (jobs) => jobs.allowAction('kinesis:PutRecrd', [STREAM]),
    /Shop\/Jobs: action is "kinesis:PutRecrd"; .*did you mean "kinesis:PutRecord"\?/,
  ],
  ['no resource', (jobs) => jobs.allowAction('kinesis:PutRecord', []), /has no resources/],
])('%s is refused where it stands', (_, allow, message) => {
  expect(() => stackWith(allow)).toThrow(message);
});

test('a session that STS would refuse fails the synthesis, also with names that AWS gives', () => {
  const { app } = stackWith((jobs, stack) => {
    const streams = Array.from({ length: 20 }, (_, index) => new Stream(stack, `Orders${index}`));
    jobs.allowAction(
      'kinesis:PutRecord',
      streams.map(({ streamArn }) => streamArn),
    );
  });
  expect(() => app.synth()).toThrow(/ADDED_ACTIONS: expected shorter or fewer ARNs for kinesis:PutRecord/);
});

test.each<[string, object, RegExp]>([
  [
    'a service that is none',
    { action: 'iam:CreateUser', resources: ['*'] },
    /such as "kinesis:PutRecord", of appflow/,
  ],
  [
    'an operation that only reads',
    { action: 'kinesis:GetRecords', resources: [STREAM] },
    /expected an action that targets may call/,
  ],
  [
    'an ARN with a pattern as account',
    { action: 'kinesis:PutRecord', resources: ['arn:aws:kinesis:eu-central-1:*:stream/x'] },
    /expected an ARN/,
  ],
  ['no resources', { action: 'kinesis:PutRecord', resources: [] }, /expected at least one/],
  [
    'any role',
    { action: 'kinesis:PutRecord', resources: [STREAM], passRoles: ['*'] },
    /expected the ARN of an IAM role/,
  ],
  [
    'more than a session takes',
    {
      action: 'kinesis:PutRecord',
      resources: Array.from({ length: 30 }, (_, index) => `${STREAM}${'d'.repeat(60)}${index}`),
    },
    /as the policy of a session they have [\d,]+ characters, at most 2,048/,
  ],
])('%s fails the synthesis', (_, one, message) => {
  expect(() => createStack({ allowedActions: [one] })).toThrow(message);
});
