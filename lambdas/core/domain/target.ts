import type { SignedService } from '../contracts/target-resources';
import type { NotificationOnlyTarget } from './notification-targets';
import { parseUrl } from './parse-url';

/**
 * A target that may respond at once and report later with a token. Durations as the user wrote them: they are
 * echoed.
 */
interface Reporting {
  /** Absent: its response is the result. */
  mode?: 'async';
  /** Its response is the result, and while it works it may say how far it is, by a token of its own. */
  observe?: true;
  /** After it has accepted: the longest time without a heartbeat. Default: the job's `timeout`. */
  heartbeatTimeout?: string;
}

/** How a target knows that a call is allowed. Each value is one reference, `{{ secrets.NAME }}`. */
export type TargetAuth =
  | { type: 'bearer'; token: string }
  | { type: 'basic'; username: string; password: string }
  | { type: 'header'; name: string; value: string }
  | OAuth2
  | AwsSignature;

/** The request is signed for a service of AWS, under a role that may call it. It needs no secret. */
export interface AwsSignature {
  type: 'aws';
  service: SignedService;
  region: string;
}

/** A token is fetched by the client credentials grant (RFC 6749) and sent as a bearer token. */
export interface OAuth2 {
  type: 'oauth2';
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string;
  audience?: string;
  /** How the client proves itself to the token endpoint: in a header, or in the form. */
  clientAuth: 'basic' | 'post';
}

/**
 * What a client proves itself with in the TLS handshake, and whom it trusts. Each value is one reference to a
 * secret of kind `pem`. `certificate` and `key` stand together.
 */
export interface ClientTls {
  certificate?: string;
  key?: string;
  /** Certificates that take the place of the public roots. */
  ca?: string;
}

/** HTTP call to make for each execution. */
export interface HttpTarget extends Reporting {
  type: 'http';
  /** May have references to secrets as query values, or be one reference as a whole. */
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Values may have references to secrets. */
  headers: Record<string, string>;
  auth?: TargetAuth;
  /** Absent: no certificate is sent, and the public roots are trusted. */
  tls?: ClientTls;
  /** Bound on the HTTP exchange, e.g. `30s`. */
  timeout: string;
  /**
   * Each delivery is an event of CloudEvents 1.0. True: in binary mode, its attributes are headers.
   * `structured` is for notifications alone: the body has them.
   */
  cloudEvents?: true | 'structured';
  /** A longer response of a success also goes into the log. Absent: only that of a failed execution. */
  keepResponse?: boolean;
}

export interface LambdaTarget extends Reporting {
  type: 'lambda';
  functionArn: string;
  /** The attempt ends when the durable execution ends that the call starts. */
  durable?: true;
  /** Types of errors after which a durable execution is not retried. */
  fatalErrors?: string[];
}

export interface SqsTarget {
  type: 'sqs';
  queueUrl: string;
}

export interface SnsTarget {
  type: 'sns';
  topicArn: string;
}

export interface EventBridgeTarget {
  type: 'eventbridge';
  /** Name of a bus in the deployment's own account and region, or an ARN. */
  eventBusName: string;
  source: string;
  detailType: string;
}

export interface StepFunctionsTarget {
  type: 'stepfunctions';
  stateMachineArn: string;
  /** The attempt ends when the execution of the state machine ends. Absent: once it has started. */
  wait?: true;
  /** Errors after which an execution that is waited for is not retried. */
  fatalErrors?: string[];
}

/** A task of ECS, which the attempt waits for: it ends as the task ends. */
export interface EcsTarget {
  type: 'ecs';
  /** With a revision, or that of a family: then its latest one. */
  taskDefinitionArn: string;
  clusterArn: string;
  /** The container that gets the variables, and whose exit code counts. Absent: none gets any. */
  container?: string;
  /** Variables of that container. Their values may have templates. */
  environment?: Record<string, string>;
  /** Exit codes after which a task is not retried. */
  fatalExitCodes?: number[];
  /** In place of that of the container. Its texts may have templates. */
  command?: string[];
  /** In place of that of the container: units, of which a processor has 1,024, and MiB. */
  cpu?: number;
  memory?: number;
}

/** A job of Batch, which the attempt waits for. Texts may have templates. */
export interface BatchTarget {
  type: 'batch';
  /** With a revision, or that of all of them: then its latest one. */
  jobDefinitionArn: string;
  jobQueueArn: string;
  environment?: Record<string, string>;
  /** What `Ref::name` becomes in the command of the definition. */
  parameters?: Record<string, string>;
  /** Exit codes after which a job is not retried. */
  fatalExitCodes?: number[];
  command?: string[];
  /** Processors, and MiB. */
  vcpus?: number;
  memory?: number;
}

/** A run of a Glue job, which the attempt waits for. */
export interface GlueTarget {
  type: 'glue';
  glueJobArn: string;
  /** Arguments of the script by their names, which begin with `--`. Their values may have templates. */
  arguments?: Record<string, string>;
}

/** A build of a CodeBuild project, which the attempt waits for. */
export interface CodeBuildTarget {
  type: 'codebuild';
  projectArn: string;
  /** Variables of the build. Their values may have templates. */
  environment?: Record<string, string>;
}

/** One call of an action of AWS. It is not waited for: what the service answers is the result. */
export interface ActionTarget {
  type: 'aws';
  /** The service and the operation: `kinesis:PutRecord`. */
  action: string;
  /** What the operation takes. Its texts may have templates. */
  input: Record<string, unknown>;
  /** Absent: that of the deployment. */
  region?: string;
}

/** A target that works as an errand. */
export type ErrandTarget =
  | (StepFunctionsTarget & { wait: true })
  | (LambdaTarget & { durable: true })
  | EcsTarget
  | BatchTarget
  | GlueTarget
  | CodeBuildTarget;

/**
 * No call: a worker of the project claims the execution from a work queue and reports. Durations as the user
 * wrote them.
 */
export interface WorkerTarget {
  type: 'worker';
  queue: string;
  /** The lease is lost this long after the last sign of life. */
  heartbeatTimeout: string;
  /** How long it may wait for a worker. Absent: see `startWithinMs`. */
  startWithin?: string;
}

/**
 * No call: the job runs elsewhere and pings. Each occurrence waits for its ping. Durations as the user wrote
 * them.
 */
export interface MonitorTarget {
  type: 'monitor';
  /** How long after its due time an occurrence waits. */
  pingWithin: string;
  /** The methods of HTTP by which a ping counts. */
  methods: readonly PingMethod[];
}

/** HEAD never counts: programs send it to see whether a page is there. */
export type PingMethod = 'GET' | 'POST';

export type AwsTarget =
  | LambdaTarget
  | SqsTarget
  | SnsTarget
  | EventBridgeTarget
  | StepFunctionsTarget
  | EcsTarget
  | BatchTarget
  | GlueTarget
  | CodeBuildTarget;
export type Target =
  | HttpTarget
  | AwsTarget
  | ActionTarget
  | WorkerTarget
  | MonitorTarget
  | NotificationOnlyTarget;

/** Fields of targets that work as errands whose texts may have templates. */
const TEXT_FIELDS = ['environment', 'parameters', 'arguments', 'command'] as const;

/** A target with what `change` makes of each of those texts, and of its path in the target. */
export function withTexts<T extends Target>(target: T, change: (text: string, path: string) => string): T {
  const changed = TEXT_FIELDS.flatMap((field) => {
    const texts = (target as Partial<Record<typeof field, Record<string, string> | string[]>>)[field];
    if (texts === undefined) return [];
    const made = Object.entries(texts).map(([key, text]) => [key, change(text, `${field}.${key}`)] as const);
    return [[field, Array.isArray(texts) ? made.map(([, text]) => text) : Object.fromEntries(made)]];
  });
  return { ...target, ...Object.fromEntries(changed) };
}

/** Whether the target may report later, and how long it may then be silent. */
export const reportingOf = (target: Target): Reporting =>
  target.type === 'http' || target.type === 'lambda' ? target : {};

/** What the target calls: its URL, its ARN, or the name of its bus. */
export function addressOf(target: Target): string {
  switch (target.type) {
    case 'http':
      return target.url;
    case 'lambda':
      return target.functionArn;
    case 'sqs':
      return target.queueUrl;
    case 'sns':
      return target.topicArn;
    case 'eventbridge':
      return target.eventBusName;
    case 'stepfunctions':
      return target.stateMachineArn;
    case 'ecs':
      return target.taskDefinitionArn;
    case 'batch':
      return target.jobDefinitionArn;
    case 'glue':
      return target.glueJobArn;
    case 'codebuild':
      return target.projectArn;
    case 'aws':
      return target.action;
    case 'worker':
      return target.queue;
    case 'monitor':
      return target.pingWithin;
    case 'email':
      return target.to;
    case 'pagerduty':
      return target.region ?? 'us';
    case 'incident-io':
      return target.sourceId;
  }
}

/**
 * Host of an HTTP target, with its port if that is not the usual one. Undefined for other types, and for a
 * URL that is a secret as a whole.
 */
export const httpHostOf = (target: Target): string | undefined =>
  target.type === 'http' ? parseUrl(target.url)?.host : undefined;
