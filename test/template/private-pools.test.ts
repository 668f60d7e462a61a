import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';

import { Quarterjack } from '../../lib/quarterjack';
import { endpointsOf } from '../../lib/constructs/private-pools';
import { loadStageConfig } from '../../lib/config/load-stage-config';
import { listOf, type Statement } from './statements';
import { createStack, ofType, QUICK, removeSynthesized, resourcesIn, settingsIn, stubBundles } from './synth';

const { pools: configured } = createStack().config;
const VPC = {
  subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  securityGroupIds: ['sg-0123456789abcdef0'],
};
const inner = { vpc: VPC, privateCidrs: ['10.1.0.0/16'] };
const pools = { default: configured.default, inner, outer: {} };
const context = { pools, allowedPrivateHosts: { shop: ['app.internal'], '*': ['*.corp.example'] } };

const made = createStack(context);
const resources = resourcesIn(made);
afterAll(removeSynthesized);

const functionsOf = (start: RegExp) =>
  ofType(resources, 'AWS::Lambda::Function')
    .filter(([id]) => start.test(id))
    .map(([, { Properties }]) => Properties);
const actionsOf = (id: string): string[] =>
  (resources.get(id)!.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => listOf(Action)),
  );
const roleOf = ({ Role }: Record<string, { 'Fn::GetAtt': [string] }>) => Role!['Fn::GetAtt'][0];

describe('a pool in a VPC', () => {
  const own = functionsOf(/^Stages(Long)?ExecutorInner/);
  const others = functionsOf(/^Stages(Long)?Executor(?!Inner)/);

  test('has its executors there, and no other function is there', () => {
    expect(own.map(({ VpcConfig }) => VpcConfig)).toEqual([
      { SubnetIds: VPC.subnetIds, SecurityGroupIds: VPC.securityGroupIds },
      { SubnetIds: VPC.subnetIds, SecurityGroupIds: VPC.securityGroupIds },
    ]);
    const inside = ofType(resources, 'AWS::Lambda::Function').filter(([, one]) => one.Properties.VpcConfig);
    expect(inside).toHaveLength(2);
    expect(own.map(({ Environment }) => Environment.Variables.VPC_POOL)).toEqual(['inner', 'inner']);
    expect(new Set(others.map(({ Environment }) => Environment.Variables.VPC_POOL))).toEqual(new Set(['']));
  });

  test('has a role of its own, which may do what that of the others may, and make interfaces', () => {
    const [role, ...more] = [...new Set(own.map(roleOf))];
    const [standard, ...rest] = [...new Set(others.map(roleOf))];
    expect([more, rest]).toEqual([[], []]);
    const ec2 = actionsOf(role!).filter((action) => action.startsWith('ec2:'));
    expect(ec2.toSorted()).toEqual([
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
    ]);
    const withoutThose = actionsOf(role!).filter((action) => !ec2.includes(action));
    expect(withoutThose.toSorted()).toEqual(actionsOf(standard!).toSorted());
  });

  test('is in the settings, with the hosts of each project', () => {
    expect(settingsIn(made.app.outdir, resources)).toMatchObject({
      PRIVATE_NETWORKS: { inner: ['10.1.0.0/16'] },
      PRIVATE_HOSTS: { shop: ['app.internal'], '*': ['*.corp.example'] },
    });
  });

  test('is told its price at synthesis', () => {
    const all = made.stack.node.findAll().flatMap((one) => one.node.metadata.map(({ data }) => String(data)));
    expect(all.find((text) => text.startsWith('pool inner'))).toMatch(
      /interface endpoints for sqs, secretsmanager, events in 2 zones cost \$43\.80 a month/,
    );
  });
});

test('the endpoints are those of the services that executors call', () => {
  const config = loadStageConfig(createStack({ ...context, lifecycleEvents: 'off' }).app.node);
  expect(endpointsOf(config)).toEqual(['sqs', 'secretsmanager']);
  const arn = (service: string, name: string) => `arn:aws:${service}:eu-central-1:111122223333:${name}`;
  expect(
    endpointsOf({
      ...config,
      allowedTargetArns: [arn('lambda', 'function:f'), arn('sqs', 'q'), arn('sns', 't')],
      assumeRole: { roleArn: 'arn:aws:iam::111122223333:role/r', externalId: 'x-{project}' },
    }),
  ).toEqual(['sqs', 'secretsmanager', 'sts', 'lambda', 'sns']);
});

test.each<[string, object, RegExp]>([
  [
    'a network without a VPC',
    { pools: { ...pools, inner: { privateCidrs: ['10.0.0.0/8'] } } },
    /pools\.inner\.vpc/,
  ],
  [
    'a network that is not private',
    { pools: { ...pools, inner: { ...inner, privateCidrs: ['100.64.0.0/10'] } } },
    /privateCidrs\.0 = "100\.64\.0\.0\/10": expected a network in 10\.0\.0\.0\/8/,
  ],
  ...[
    '169.254.0.0/16',
    '0.0.0.0/0',
    '10.0.0.1/8',
    '127.0.0.0/8',
    '10.0.0.0/4',
    '::/0',
    '10.0.0.0',
    'x/8',
  ].map((cidr): [string, object, RegExp] => [
    cidr,
    { pools: { ...pools, inner: { ...inner, privateCidrs: [cidr] } } },
    /expected a network in/,
  ]),
  [
    'a subnet by its name',
    { pools: { ...pools, inner: { ...inner, vpc: { ...VPC, subnetIds: ['private-a'] } } } },
    /expected the id of a subnet/,
  ],
  ['private hosts without such a pool', { pools: { default: configured.default } }, /allowedPrivateHosts/],
  ['this machine', { allowedPrivateHosts: ['localhost'] }, /allowedPrivateHosts/],
  ['a port', { allowedPrivateHosts: ['app.internal:80'] }, /allowedPrivateHosts/],
  [
    'the API itself',
    {
      allowedPrivateHosts: ['*.example.com'],
      domain: {
        name: 'jobs.example.com',
        certificateArn:
          'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
      },
    },
    /expected no entry for the API itself, jobs\.example\.com/,
  ],
])('%s fails the synthesis', (_, given, message) => {
  expect(() => createStack({ ...context, ...given })).toThrow(message);
});

test.each(['172.16.0.0/12', '192.168.7.0/24', 'fd12::/16', 'fc00::/7', '10.0.0.0/8'])(
  '%s is private',
  (cidr) => {
    expect(() =>
      createStack({ ...context, pools: { ...pools, inner: { ...inner, privateCidrs: [cidr] } } }),
    ).not.toThrow();
  },
);

test('what the program adds as a target is for the roles of all executors', () => {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop', { env: { region: 'eu-central-1', account: '111122223333' } });
  const jobs = new Quarterjack(stack, 'Jobs', {
    bundlesDir: stubBundles(),
    pools: { default: configured.default, inner },
  });
  jobs.addQueueTarget(new Queue(stack, 'Orders'));
  const policies = ofType(resourcesIn({ app, stack }), 'AWS::IAM::Policy');
  const roles = policies.flatMap(([, { Properties }]) => Properties.Roles as { Ref: string }[]);
  const ofExecutors = roles
    .map(({ Ref }) => Ref.replace(/[0-9A-F]{8}$/, ''))
    .filter((id) => /Executor/.test(id));
  expect(ofExecutors).toEqual(['JobsStagesExecutorRole', 'JobsStagesExecutorInnerRole']);
});
