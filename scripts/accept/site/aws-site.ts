import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateListMetrics } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';

import { DEPLOYMENT_DIMENSION, METRICS_NAMESPACE } from '../../../lambdas/core/contracts/metrics';
import { UsageError } from '../../command';
import { createReceiverStack } from '../receiver/aws-receiver';
import { errorLinesIn } from './log-lines';
import type { AwsClients, AwsSite, EndEvent } from './site';
import { sharedOf } from './shared';
import { AWS_SIZES } from './sizes';
import { outputsOf, resourcesOf, stackOf } from './stacks';
import { templateOf } from './template';

const CHECKOUT_DIR = join(__dirname, '../../..');
/** The longest attempt of a call of the API, which is one invocation. */
const INVOKE_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export const awsClients = (): AwsClients => ({
  dynamo: new DynamoDBClient(),
  sqs: new SQSClient(),
  lambda: new LambdaClient({ maxAttempts: 1, requestHandler: { requestTimeout: INVOKE_TIMEOUT_MS } }),
  scheduler: new SchedulerClient(),
  cloudFormation: new CloudFormationClient(),
  cloudWatch: new CloudWatchClient(),
  logs: new CloudWatchLogsClient(),
  cognito: new CognitoIdentityProviderClient(),
  sts: new STSClient(),
});

interface Given {
  clients: AwsClients;
  /** The stage. Its stack is `Quarterjack-<stage>`. */
  stage: string;
  tokens: Pick<AwsSite, 'token' | 'idToken'>;
  /** Before a first deployment there is nothing to ask but the account. */
  isDeployed: boolean;
  /** Megabytes, as `--memory` lists them. */
  memorySizes?: readonly number[];
}

/** A deployment in the account and region of the environment. */
export async function awsSite({
  clients,
  stage,
  tokens,
  isDeployed,
  memorySizes = [],
}: Given): Promise<AwsSite & { end(): Promise<string[]> }> {
  const stackName = `Quarterjack-${stage}`;
  if (isDeployed && !(await stackOf(clients.cloudFormation, stackName)))
    throw new UsageError(`--stage is ${stage}; there is no stack ${stackName} in this account and region`);
  const outputs: Record<string, string> = isDeployed
    ? await outputsOf(clients.cloudFormation, stackName)
    : {};
  const { name, env } = isDeployed ? await apiOf(clients.lambda, stackName) : { name: '', env: {} };
  const shared = sharedOf(name, clients.lambda);
  const stack = () =>
    shared.once('receiver stack', async () => {
      const given = { name: `${stackName}-Accept`, eventBus: outputs.EventBusName! };
      const made = await createReceiverStack(clients, given);
      shared.atEnd(() => made.remove());
      return made;
    });
  const events: EndEvent[] = [];
  return {
    ...{ kind: 'aws', stage, memorySizes, stackName, env, url: outputs.ApiUrl ?? '' },
    ...{ ...shared, ...tokens, clients, sizes: AWS_SIZES },
    receiver: async () => (await stack()).receiver,
    scratchQueue: async () => (await stack()).scratchQueue,
    async endEvents() {
      events.push(...(await (await stack()).newEvents()));
      return events;
    },
    metricNames: () => listedMetrics(clients, stackName),
    errorLines: () => errorsSince(clients, stackName, shared.startMs),
    template: () => templateOf(stackName),
    async exec(command, args, { cwd = CHECKOUT_DIR, env: more = {} } = {}) {
      const options = { cwd, env: { ...process.env, ...more }, maxBuffer: MAX_OUTPUT_BYTES };
      return (await promisify(execFile)(command, [...args], options)).stdout;
    },
  };
}

/** The API's function. It alone of the stack's functions has this variable. */
async function apiOf(client: LambdaClient, stackName: string) {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {}))
    for (const { FunctionName = '', Environment } of Functions)
      if (FunctionName.startsWith(`${stackName}-`) && 'TICK_SCHEDULE' in (Environment?.Variables ?? {}))
        return { name: FunctionName, env: Environment!.Variables! };
  throw new Error(`no function of stack ${stackName} is its API`);
}

async function listedMetrics({ cloudWatch }: AwsClients, stackName: string): Promise<Set<string>> {
  const names = new Set<string>();
  const query = {
    Namespace: METRICS_NAMESPACE,
    Dimensions: [{ Name: DEPLOYMENT_DIMENSION, Value: stackName }],
  };
  for await (const { Metrics = [] } of paginateListMetrics({ client: cloudWatch }, query))
    for (const { MetricName } of Metrics) if (MetricName) names.add(MetricName);
  return names;
}

async function errorsSince(
  { cloudFormation, logs }: AwsClients,
  stackName: string,
  startTime: number,
): Promise<string[]> {
  const messages: string[] = [];
  for (const logGroupName of await resourcesOf(cloudFormation, stackName, 'AWS::Logs::LogGroup')) {
    const query = { logGroupName, startTime, filterPattern: '{ $.level = "ERROR" }' };
    for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, query))
      messages.push(...events.map(({ message = '' }) => message));
  }
  return errorLinesIn(messages, startTime);
}
