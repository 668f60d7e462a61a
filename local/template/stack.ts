import type { Policies } from '../iam/policies';
import type { TableProperties } from './types/dynamodb';
import type { SecretGenerator } from './types/secrets-manager';

/** The stack as the local run sees it: plain values, no CloudFormation. */
export interface LocalStack {
  stackName: string;
  tables: TableSpec[];
  queues: QueueSpec[];
  functions: FunctionSpec[];
  mappings: MappingSpec[];
  schedules: ScheduleSpec[];
  secrets: SecretSpec[];
  dashboards: DashboardSpec[];
  eventBuses: EventBusSpec[];
  httpApi: HttpApiSpec;
  policies: Policies;
}

export interface Named {
  logicalId: string;
  name: string;
  arn: string;
}

export interface TableSpec extends Named {
  properties: TableProperties;
}

export interface QueueSpec extends Named {
  url: string;
  /** SQS's own attributes, as texts. */
  attributes: Record<string, string>;
}

export interface FunctionSpec extends Named {
  roleArn: string;
  /** Folder that holds the bundle. */
  codeDirectory: string;
  /** `index.handler` */
  handler: string;
  timeoutSec: number;
  memoryMb: number;
  environment: Record<string, string>;
  reservedConcurrency: number | undefined;
  /** What becomes of an asynchronous event that keeps failing. */
  asyncInvoke: AsyncInvokeSpec;
}

export interface AsyncInvokeSpec {
  maxRetries: number;
  maxAgeSec: number;
  /** Queue that gets the event in the end, with why it failed around it (`destination`) or bare (`deadLetter`). */
  destinationArn: string | undefined;
  deadLetterArn: string | undefined;
}

export interface MappingSpec {
  logicalId: string;
  queueArn: string;
  functionArn: string;
  batchSize: number;
  reportsItemFailures: boolean;
  maxConcurrency: number;
}

export interface ScheduleSpec extends Named {
  enabled: boolean;
  /** As the service's own API spells and gives it. */
  definition: Record<string, unknown>;
  expression: string;
  timezone: string;
  /** Group that it belongs to. */
  groupArn: string;
  /** Role that it invokes its function under. */
  roleArn: string;
  functionArn: string;
  /** JSON text. */
  input: string;
}

export interface SecretSpec extends Named {
  /** A value that the template holds, or how to make one. */
  value: string | undefined;
  generate: SecretGenerator | undefined;
}

export type EventBusSpec = Named;

export interface DashboardSpec extends Named {
  /** JSON text, as CloudWatch takes it. */
  body: string;
}

export interface HttpApiSpec {
  id: string;
  /** `$default`, or the first segment of every path. */
  stage: string;
  routes: RouteSpec[];
}

export interface RouteSpec {
  /** `GET /v1/jobs/{jobId}`, `ANY /x/{proxy+}` or `$default`. */
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
  /** Absent: anyone may call. */
  authorizer: { issuer: string; audience: string[] } | undefined;
  /** The token must have one of them, unless there are none. */
  scopes: string[];
}
