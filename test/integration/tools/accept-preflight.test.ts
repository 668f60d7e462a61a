import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  DescribeUserPoolDomainCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ListFunctionsCommand,
} from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';

import type { CheckOnAws } from '../../../scripts/accept/check';
import { preflight } from '../../../scripts/accept/preflight/preflight';
import { awsClients } from '../../../scripts/accept/site/aws-site';
import { aStack, noStack } from '../../support/accept/aws-answers';
import { anAwsSite } from '../../support/accept/aws-site';

const cloudFormation = mockClient(CloudFormationClient);
const cognito = mockClient(CognitoIdentityProviderClient);
const lambda = mockClient(LambdaClient);
const sts = mockClient(STSClient);

let clients: ReturnType<typeof awsClients>;
beforeAll(() => {
  process.env.AWS_REGION = 'eu-central-1';
  clients = awsClients();
});
beforeEach(() => {
  for (const mock of [cloudFormation, cognito, lambda, sts]) mock.reset();
});

function check(name: string, overrides: Parameters<typeof anAwsSite>[0] = {}) {
  const found = preflight.checks.find((one): one is CheckOnAws => one.name === name && one.on === 'aws');
  return found!.run(anAwsSite({ clients, ...overrides }));
}

describe('preflight', () => {
  const domain = { 'Fn::Join': ['', ['quarterjack-dev-', { Ref: 'AWS::AccountId' }]] };
  const TEMPLATE = {
    Resources: {
      Domain: { Type: 'AWS::Cognito::UserPoolDomain', Properties: { Domain: domain } },
      Api: { Type: 'AWS::Lambda::Function', Properties: { ReservedConcurrentExecutions: 50 } },
    },
  };
  const template = () => TEMPLATE;
  beforeEach(() => {
    sts
      .on(GetCallerIdentityCommand)
      .resolves({ Account: '111122223333', Arn: 'arn:aws:iam::111122223333:user/a' });
  });

  test('names account and region', async () => {
    const { holds, detail } = await check('preflight/identity');
    expect([holds, detail]).toEqual([
      true,
      'account 111122223333, region eu-central-1, as arn:aws:iam::111122223333:user/a',
    ]);
  });

  test.each([
    ['21', true],
    ['5', false],
  ])('a bootstrap of version %s: %s', async (BootstrapVersion, holds) => {
    cloudFormation.on(DescribeStacksCommand).resolves(aStack('CREATE_COMPLETE', { BootstrapVersion }));
    expect(await check('preflight/bootstrap')).toMatchObject({
      holds,
      detail: `version ${BootstrapVersion}`,
    });
  });

  test('an account without a bootstrap is told the command', async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(noStack);
    expect(await check('preflight/bootstrap')).toMatchObject({
      holds: false,
      detail: expect.stringContaining('cdk bootstrap'),
    });
  });

  test.each([
    [1_000, true],
    [10, false],
  ])('a quota of %i', async (ConcurrentExecutions, holds) => {
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions } });
    lambda.on(ListFunctionsCommand).resolves({ Functions: [] });
    expect(await check('preflight/concurrency', { template })).toMatchObject({
      holds,
      figures: { needed: 150 },
    });
  });

  test.each([
    ['200 of another stack leave too little', 1_000, 800, 0, false, 200],
    ['what this stack reserves already is its own', 350, 150, 200, true, 0],
    ['both', 350, 149, 200, true, 1],
  ])('%s', async (_what, quota, unreserved, own, holds, elsewhere) => {
    const needed = { ...TEMPLATE.Resources.Api, Properties: { ReservedConcurrentExecutions: quota - 200 } };
    lambda.on(GetAccountSettingsCommand).resolves({
      AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
    });
    lambda.on(ListFunctionsCommand).resolves({
      Functions: [{ FunctionName: 'Quarterjack-dev-Api' }, { FunctionName: 'Quarterjack-prod-Api' }],
    });
    lambda
      .on(GetFunctionConcurrencyCommand, { FunctionName: 'Quarterjack-dev-Api' })
      .resolves({ ReservedConcurrentExecutions: own });
    const template = () => ({ Resources: { Api: holds ? TEMPLATE.Resources.Api : needed } });
    expect(await check('preflight/concurrency', { template })).toMatchObject({
      holds,
      figures: { elsewhere },
    });
  });

  test('memory above what a new account gives is a warning', async () => {
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 1_000 } });
    lambda.on(ListFunctionsCommand).resolves({ Functions: [] });
    const Properties = { MemorySize: 4_096 };
    const template = () => ({ Resources: { Executor: { Type: 'AWS::Lambda::Function', Properties } } });
    expect(await check('preflight/concurrency', { template })).toMatchObject({
      holds: true,
      detail: expect.stringContaining('4096 MB; a new account gives 3008 MB') as string,
    });
  });

  test('the prefix is free, the stack’s own, or that of another pool', async () => {
    cognito.on(DescribeUserPoolDomainCommand).resolves({ DomainDescription: {} });
    expect(await check('preflight/cognito-prefix', { template })).toEqual({
      holds: true,
      detail: 'quarterjack-dev-111122223333 is free',
    });
    cognito.on(DescribeUserPoolDomainCommand).resolves({ DomainDescription: { UserPoolId: 'eu_1' } });
    cloudFormation.on(DescribeStacksCommand).resolves(aStack('CREATE_COMPLETE', { UserPoolId: 'eu_1' }));
    expect((await check('preflight/cognito-prefix', { template })).holds).toBe(true);
    cloudFormation.on(DescribeStacksCommand).rejects(noStack);
    expect((await check('preflight/cognito-prefix', { template })).holds).toBe(false);
  });

  test('a stack that a failed deployment has left blocks the next', async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(noStack);
    expect(await check('preflight/stack')).toEqual({ holds: true, detail: 'not deployed yet' });
    cloudFormation.on(DescribeStacksCommand).resolves(aStack('ROLLBACK_COMPLETE'));
    expect(await check('preflight/stack')).toMatchObject({ holds: false });
  });
});
