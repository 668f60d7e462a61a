import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { STSClient } from '@aws-sdk/client-sts';

import type { ApiCall, ApiResult } from '../../../lambdas/core/platform/api-function';
import type { Template } from '../../preflight/concurrency';
import type { Receiver } from '../receiver/receiver';
import type { Sizes } from './sizes';

/** The clients of services that the local run has too. */
export interface CommonClients {
  dynamo: DynamoDBClient;
  sqs: SQSClient;
  lambda: LambdaClient;
  scheduler: SchedulerClient;
}

export interface AwsClients extends CommonClients {
  cloudFormation: CloudFormationClient;
  cloudWatch: CloudWatchClient;
  logs: CloudWatchLogsClient;
  cognito: CognitoIdentityProviderClient;
  sts: STSClient;
}

/** An event of the end of an execution. */
export interface EndEvent {
  type: string;
  jobId: string;
}

/** A deployment, and what may be asked there. */
interface AnySite {
  /** Name of the stack, such as `Quarterjack-dev`. */
  stackName: string;
  /** Base URL of the HTTP API, without a slash at the end. */
  url: string;
  /** Environment of the API's function: it names all tables and queues. */
  env: Readonly<Record<string, string>>;
  sizes: Sizes;
  /** A token for the front door, with the scopes `jobs:read jobs:write`. */
  token: string | undefined;
  idToken: string | undefined;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** When the run began. */
  startMs: number;
  /** Names what this run makes: `accept-<run>-…`. */
  run: string;
  /** Calls the API through its function, without a token. Each `project` is a user of its own. */
  api(call: ApiCall, project?: number): Promise<ApiResult>;
  /** Starts the receiver at the first call. */
  receiver(): Promise<Receiver>;
  /** A queue for messages of the run alone. */
  scratchQueue(): Promise<string>;
  /** Events of the jobs of this run, so far. */
  endEvents(): Promise<EndEvent[]>;
  /** Names of the metrics that the deployment has recorded. */
  metricNames(): Promise<ReadonlySet<string>>;
  /** Lines of level ERROR that functions have written since the run began. */
  errorLines(): Promise<string[]>;
  /** What a check measured for the next ones. The first call makes it. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** Adds to what is undone at the end, in the reverse order. */
  atEnd(undo: () => Promise<void>): void;
}

export interface LocalSite extends AnySite {
  kind: 'local';
  clients: CommonClients;
}

export interface AwsSite extends AnySite {
  kind: 'aws';
  stage: string;
  /** Megabytes of executors that the checks of memory deploy, one after the other. */
  memorySizes: readonly number[];
  clients: AwsClients;
  /** The synthesized template of the stack. Throws if the stage was not synthesized. */
  template(): Template;
  /** Runs a program, by default in the checkout, and returns its output. Throws if its exit code is not 0. */
  exec(
    command: string,
    args: readonly string[],
    options?: { cwd?: string; env?: Record<string, string> },
  ): Promise<string>;
}

export type Site = LocalSite | AwsSite;
