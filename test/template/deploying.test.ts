import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Template } from 'aws-cdk-lib/assertions';

import { MAXIMAL } from './maximal';
import { listOf } from './statements';
import { createStackOf, type Resource } from './synth';

const ROOT = join(__dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
const policy = JSON.parse(readFileSync(join(ROOT, 'docs/policies/cfn-exec.json'), 'utf8')) as {
  Statement: { Action: string | string[]; Resource: string }[];
};

/** Services of CloudFormation whose actions have another prefix than their name in lower case. */
const PREFIXES: Readonly<Record<string, string>> = { ApiGatewayV2: 'apigateway', Cognito: 'cognito-idp' };
const prefixOf = (type: string): string => {
  if (type.startsWith('Custom::')) return 'lambda'; // CloudFormation invokes the provider
  const service = type.split('::')[1]!;
  return PREFIXES[service] ?? service.toLowerCase();
};

const { app, stack } = createStackOf(MAXIMAL);
const template = Template.fromStack(stack).toJSON() as {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
};
const types = [...new Set(Object.values(template.Resources).map(({ Type }) => Type))];

test('the policy for CloudFormation has each service of the stack, and no other', () => {
  const needed = new Set(types.filter((type) => !type.startsWith('AWS::IAM::')).map(prefixOf));
  // A table of provisioned capacity registers its scaling, without a resource for it.
  needed.add('application-autoscaling');
  const [services] = policy.Statement;
  expect(listOf(services!.Action)).toEqual([...needed].sort().map((prefix) => `${prefix}:*`));
});

test('of IAM it has the roles of the stack alone', () => {
  expect(types.filter((type) => type.startsWith('AWS::IAM::')).sort()).toEqual([
    'AWS::IAM::Policy',
    'AWS::IAM::Role',
  ]);
  const ofIam = policy.Statement.filter(({ Action }) =>
    listOf(Action).some((action) => action.startsWith('iam:')),
  );
  expect(ofIam.map(({ Resource }) => Resource)).toEqual([
    'arn:*:iam::*:role/Quarterjack-*',
    'arn:*:iam::*:role/aws-service-role/*',
  ]);
  expect(JSON.stringify(policy)).not.toContain('arn:aws'); // other partitions have other ARNs
  // A name of its own would not begin with that of the stack.
  expect(Object.values(template.Resources).filter(({ Properties }) => Properties?.RoleName)).toEqual([]);
});

test('the role of CI may assume every role that the CDK names', () => {
  const pattern = /"Resource": "arn:aws:iam::ACCOUNT:role\/(.+)-ACCOUNT-REGION"/.exec(page)![1]!;
  const manifest = readFileSync(join(app.synth().directory, 'manifest.json'), 'utf8');
  const assets = readFileSync(join(app.synth().directory, `${stack.stackName}.assets.json`), 'utf8');
  const roles = [...(manifest + assets).matchAll(/role\/(cdk-[\w-]+)-\$\{AWS::AccountId\}/g)].map(
    ([, role]) => role!,
  );
  expect([...new Set(roles)].sort()).toEqual([
    'cdk-hnb659fds-cfn-exec-role',
    'cdk-hnb659fds-deploy-role',
    'cdk-hnb659fds-file-publishing-role',
    'cdk-hnb659fds-lookup-role',
  ]);
  const matches = new RegExp(`^${pattern.replace('*', '[\\w-]+')}$`);
  expect(roles.filter((role) => !matches.test(role))).toEqual([]);
});

test('an output names the alarms that roll a bad version back', () => {
  const arns = JSON.stringify(template.Outputs.RollbackAlarmArns!.Value);
  const alarms = [...arns.matchAll(/"(Alarms[A-Za-z]+?)[0-9A-F]{8}"/g)].map(([, name]) => name);
  expect(alarms.slice(0, 1)).toEqual(['AlarmsFunctionErrors']);
  expect(alarms).toContain('AlarmsApiFaults');
});
