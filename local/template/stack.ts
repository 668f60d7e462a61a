import type { Policies } from '../iam/policies';
import type { Cors } from './types/api-gateway';
import type { TableProperties } from './types/dynamodb';
import type { EventPattern } from './types/events';
import type { SecretGenerator } from './types/secrets-manager';

/** The stack as plain values, without CloudFormation syntax. */
export interface LocalStack {
  stackName: string;
  tables: TableSpec[];
  queues: QueueSpec[];
  functions: FunctionSpec[];
  mappings: MappingSpec[];
  streamMappings: StreamMappingSpec[];
  schedules: ScheduleSpec[];
  secrets: SecretSpec[];
  dashboards: DashboardSpec[];
  eventBuses: EventBusSpec[];
  eventRules: EventRuleSpec[];
  httpApi: HttpApiSpec;
  policies: Policies;
}

interface Named {
  logicalId: string;
  name: string;
  arn: string;
}

export interface TableSpec extends Named {
  properties: TableProperties;
}

export interface QueueSpec extends Named {
  url: string;
  /** Attributes as in the SQS API, as strings. */
  attributes: Record<string, string>;
}

export interface FunctionSpec extends Named {
  roleArn: string;
  /** Folder with the bundle. */
  codeDirectory: string;
  /** File and export, such as `index.handler`. */
  handler: string;
  timeoutSec: number;
  memoryMb: number;
  environment: Record<string, string>;
  reservedConcurrency: number | undefined;
  /** Retries of asynchronous events. */
  asyncInvoke: AsyncInvokeSpec;
}

interface AsyncInvokeSpec {
  maxRetries: number;
  maxAgeSec: number;
  /** Queue that gets an event after its last retry, together with the error. */
  destinationArn: string | undefined;
  /** Queue that gets an event after its last retry, unchanged. */
  deadLetterArn: string | undefined;
}

export interface MappingSpec {
  logicalId: string;
  queueArn: string;
  functionArn: string;
  batchSize: number;
  reportsItemFailures: boolean;
  maxConcurrency: number;
  /** Provisioned pollers that are ready before a burst; undefined: the mapping has none. */
  minPollers?: number | undefined;
}

/** A function that reads the stream of a table. */
export interface StreamMappingSpec extends Pick<
  MappingSpec,
  'logicalId' | 'functionArn' | 'batchSize' | 'reportsItemFailures'
> {
  streamArn: string;
  /** How long records are gathered for a batch. */
  windowMs: number;
  /** Whether a batch that fails comes again in two parts. */
  bisects: boolean;
  /** How long a failed record comes again; undefined: as long as the stream has it. */
  maxAgeMs: number | undefined;
  /** Queue that gets the position of records that were given up. */
  failureArn: string | undefined;
  /** Texts that attributes of the new image may be. A record needs one for each. */
  wanted: { attribute: string; texts: readonly string[] }[];
}

export interface ScheduleSpec extends Named {
  enabled: boolean;
  /** The definition in the format of the EventBridge Scheduler API. */
  definition: Record<string, unknown>;
  expression: string;
  timezone: string;
  groupArn: string;
  /** Role under which the schedule invokes its function. */
  roleArn: string;
  functionArn: string;
  /** JSON. */
  input: string;
}

export interface SecretSpec extends Named {
  /** The value in the template; undefined if it is generated. */
  value: string | undefined;
  generate: SecretGenerator | undefined;
}

export type EventBusSpec = Named;

/** A rule of the account's default bus. */
export interface EventRuleSpec extends Named {
  enabled: boolean;
  pattern: EventPattern;
  queueArns: string[];
}

export interface DashboardSpec extends Named {
  /** JSON in CloudWatch's format. */
  body: string;
}

export interface HttpApiSpec {
  id: string;
  /** `$default`, or the first segment of every path. */
  stage: string;
  /** Which pages may call it; undefined: none. */
  cors?: Cors | undefined;
  routes: RouteSpec[];
}

export interface RouteSpec {
  /** `GET /v1/jobs/{jobId}`, `ANY /x/{proxy+}` or `$default`. */
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
  /** Undefined for a public route. */
  authorizer: AuthorizerSpec | undefined;
}

/** A function that authorizes requests, with payload format 2.0 and simple responses. */
export interface AuthorizerSpec {
  id: string;
  functionArn: string;
  /** Header, in lower case, without which a request is rejected. Results are cached by its value. */
  header: string;
  /** How long a result counts; 0: it is not cached. */
  ttlSec: number;
}
