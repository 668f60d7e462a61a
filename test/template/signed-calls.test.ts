import { listOf, type Statement } from './statements';
import { createStack, ofType, removeSynthesized, resourcesIn, settingsIn } from './synth';

const API = 'arn:aws:execute-api:eu-central-1:111122223333:abc123/prod/POST/*';
const FUNCTION = 'arn:aws:lambda:eu-central-1:111122223333:function:quote';
const { pools } = createStack().config;
const signedCalls = {
  shop: [{ service: 'execute-api', resources: [API], hosts: ['api.shop.example'] }],
  bank: [{ service: 'lambda', resources: [FUNCTION] }],
};
const vpc = { subnetIds: ['subnet-0123456789abcdef0'], securityGroupIds: ['sg-0123456789abcdef0'] };
afterAll(removeSynthesized);

const statementsOf = (resources: ReturnType<typeof resourcesIn>, start: string): Statement[] =>
  ofType(resources, 'AWS::IAM::Policy')
    .filter(([id]) => id.startsWith(start))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as Statement[]);
const allowedIn = (statements: readonly Statement[]) =>
  statements
    .filter(({ Effect }) => Effect === 'Allow')
    .map(({ Action, Resource }) => [listOf(Action), Resource]);

test('the role for actions may call exactly what is listed, and no executor may', () => {
  const made = createStack({ signedCalls });
  const resources = resourcesIn(made);
  expect(allowedIn(statementsOf(resources, 'ActionsPolicy'))).toEqual([
    [['execute-api:Invoke'], API],
    [['lambda:InvokeFunction', 'lambda:InvokeFunctionUrl'], FUNCTION],
  ]);
  const ofExecutor = JSON.stringify(
    ofType(resources, 'AWS::IAM::Role').filter(([id]) => /Executor/.test(id)),
  );
  expect(ofExecutor).not.toMatch(/execute-api:|InvokeFunctionUrl/);
  expect(settingsIn(made.app.outdir, resources)).toMatchObject({ SIGNED_CALLS: signedCalls });
});

test('a project with a role of its own adds nothing, and without any call there is no role', () => {
  const roleArn = 'arn:aws:iam::111122223333:role/shop';
  const assumeRole = { shop: { roleArn }, bank: { roleArn } };
  for (const given of [{}, { signedCalls, assumeRole }])
    expect(
      ofType(resourcesIn(createStack(given)), 'AWS::IAM::Role').filter(([id]) => id.startsWith('Actions')),
    ).toEqual([]);
});

test('executors of a pool in a VPC assume it too', () => {
  const resources = resourcesIn(createStack({ signedCalls, pools: { ...pools, inner: { vpc } } }));
  const [[, role] = []] = ofType(resources, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Actions'));
  const trusted = JSON.stringify(role!.Properties.AssumeRolePolicyDocument);
  const policies = ofType(resources, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
    JSON.stringify(Properties.PolicyDocument).includes('sts:AssumeRole'),
  );
  for (const name of ['StagesExecutorRole', 'StagesExecutorInnerRole']) {
    expect(trusted).toContain(name);
    expect(JSON.stringify(policies.map(([, { Properties }]) => Properties.Roles))).toContain(name);
  }
});

test.each<[string, object, RegExp]>([
  ['a service that is no API of a user', { service: 'sts', resources: [API] }, /signedCalls/],
  ['a pattern of hosts', { service: 'es', resources: [API], hosts: ['*.example.com'] }, /signedCalls/],
  ['any account', { service: 'es', resources: ['arn:aws:es:eu-central-1:*:domain/x'] }, /signedCalls/],
  ['everything', { service: 'es', resources: ['*'] }, /signedCalls/],
  [
    'more than a session takes',
    {
      service: 'es',
      resources: Array.from(
        { length: 30 },
        (_, index) => `arn:aws:es:eu-central-1:111122223333:domain/${'d'.repeat(60)}${index}/*`,
      ),
    },
    /as the policy of a session they have [\d,]+ characters, at most 2,048/,
  ],
])('%s fails the synthesis', (_, call, message) => {
  expect(() => createStack({ signedCalls: [call] })).toThrow(message);
});
