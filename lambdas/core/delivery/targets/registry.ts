import { roleOf, RUNS_IN, TARGET_RESOURCES } from '../../contracts/target-resources';
import type {
  EmailTarget,
  IncidentIoTarget,
  IncidentTarget,
  PagerDutyTarget,
} from '../../domain/notification-targets';
import type {
  ActionTarget,
  AwsTarget,
  BatchTarget,
  CodeBuildTarget,
  EcsTarget,
  EventBridgeTarget,
  GlueTarget,
  HttpTarget,
  LambdaTarget,
  MonitorTarget,
  SnsTarget,
  SqsTarget,
  StepFunctionsTarget,
  Target,
  WorkerTarget,
} from '../../domain/target';
import { httpTargetOf } from '../../domain/incident';
import { urlWithoutSecrets } from '../../domain/target-secrets';
import { checkAction } from '../actions/check-action';
import { checkUrl, hostOf } from '../address-policy';
import { arnOf, parseFunctionArn, parseLoopbackQueueUrl, parseQueueUrl } from '../arn';
import { type AwsPolicy, signedCallsFor } from '../aws-policy';
import { awsTargetType, type AwsTargetType, resourceOfArn } from './aws-target-type';
import type { TargetRules, TargetType } from './target-type';

/**
 * Checks the URL alone. The addresses that its name has are checked when they are resolved:
 * `checked-lookup.ts`.
 */
const http: TargetType<HttpTarget> = {
  field: 'url',
  check(target, { targetPolicy, allowedTargetHosts, awsTargets, project }) {
    const check = checkUrl(urlWithoutSecrets(target), targetPolicy, allowedTargetHosts);
    if (!check.ok || target.auth?.type !== 'aws') return check;
    const signing = signedCallsFor(target.auth, hostOf(check.url), awsTargets, project);
    return 'fault' in signing ? { ok: false, message: signing.fault, field: 'auth' } : check;
  },
};

const lambda = awsTargetType<LambdaTarget>({
  field: 'functionArn',
  expected: 'the ARN of a function, or of a version or alias of one',
  resourceOf({ functionArn: arn }) {
    const { name, region } = parseFunctionArn(arn) ?? {};
    return name === undefined || region === undefined ? undefined : { arn, name, region };
  },
  /** Lambda starts a durable execution by a version or alias, and tells no other account how it goes. */
  faultOf({ functionArn, durable }, { awsTargets: { errands = [], roles = {}, accountId }, project }) {
    if (!durable) return undefined;
    const { qualifier, accountId: ofFunction } = parseFunctionArn(functionArn)!;
    const text = JSON.stringify(functionArn);
    if (qualifier === undefined)
      return { message: `${text} names no version or alias: a durable function is called by one` };
    if (!errands.includes('durable'))
      return {
        message: `${text} cannot be durable here: the operator of this deployment can set errands.durable`,
      };
    if (ofFunction === accountId || roleOf(roles, project)) return undefined;
    return {
      message: `${text} is in another account: how it ends can only be seen under a role of that account (assumeRole)`,
    };
  },
});

const sqs = awsTargetType<SqsTarget>({
  field: 'queueUrl',
  expected: 'the URL of a queue',
  resourceOf({ queueUrl }, { loopback, region }) {
    const local = loopback ? parseLoopbackQueueUrl(queueUrl, region) : undefined;
    const queue = local ?? parseQueueUrl(queueUrl);
    return queue && { arn: arnOf(queue), name: queue.resource, region: queue.region };
  },
});

const TOPIC_NAME = /^(?=.{1,256}$)[A-Za-z0-9_-]+(?:\.fifo)?$/;

const sns = awsTargetType<SnsTarget>({
  field: 'topicArn',
  expected: 'the ARN of a topic',
  resourceOf: ({ topicArn }) => resourceOfArn(topicArn, TARGET_RESOURCES.sns, TOPIC_NAME),
});

const BUS = TARGET_RESOURCES.eventbridge;
/** Buses of partners have slashes in their names; no part of a name may be empty, `.` or `..`. */
const BUS_NAME = /^(?!(?:.*\/)?\.{0,2}(?:\/|$))[\w.\-/]{1,256}$/;

const eventBridge = awsTargetType<EventBridgeTarget>({
  field: 'eventBusName',
  expected: 'the name or ARN of an event bus',
  resourceOf: ({ eventBusName }, policy) => resourceOfArn(busArnOf(eventBusName, policy), BUS, BUS_NAME),
  payloadFault: (payload) =>
    typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? undefined
      : 'must be an object: it becomes the detail of an event',
});

/** A bare name is that of a bus in the deployment's own account and region. */
const busArnOf = (nameOrArn: string, { region, accountId }: AwsPolicy): string =>
  nameOrArn.startsWith('arn:')
    ? nameOrArn
    : arnOf({ service: BUS.service, region, accountId, resource: BUS.prefix + nameOrArn });

const STATE_MACHINE_NAME = /^[\w-]{1,80}$/;

const stepFunctions = awsTargetType<StepFunctionsTarget>({
  field: 'stateMachineArn',
  expected: 'the ARN of a state machine',
  resourceOf: ({ stateMachineArn }) =>
    resourceOfArn(stateMachineArn, TARGET_RESOURCES.stepfunctions, STATE_MACHINE_NAME),
});

const FAMILY = /^[\w-]{1,255}(?::\d{1,10})?$/;
const CLUSTER = /^[\w-]{1,255}$/;

const ecs = awsTargetType<EcsTarget>({
  field: 'taskDefinitionArn',
  expected: 'the ARN of a task definition, or of a family of them',
  resourceOf: ({ taskDefinitionArn }) => resourceOfArn(taskDefinitionArn, TARGET_RESOURCES.ecs, FAMILY),
  runsIn: {
    field: 'clusterArn',
    expected: 'the ARN of a cluster',
    resourceOf: ({ clusterArn }) => resourceOfArn(clusterArn, RUNS_IN.ecs, CLUSTER),
  },
  faultOf: faultOfOverrides,
});

const JOB_DEFINITION = /^[\w-]{1,128}(?::\d{1,10})?$/;
const JOB_QUEUE = /^[\w-]{1,128}$/;

const batch = awsTargetType<BatchTarget>({
  field: 'jobDefinitionArn',
  expected: 'the ARN of a job definition of Batch',
  resourceOf: ({ jobDefinitionArn }) =>
    resourceOfArn(jobDefinitionArn, TARGET_RESOURCES.batch, JOB_DEFINITION),
  runsIn: {
    field: 'jobQueueArn',
    expected: 'the ARN of a job queue of Batch',
    resourceOf: ({ jobQueueArn }) => resourceOfArn(jobQueueArn, RUNS_IN.batch, JOB_QUEUE),
  },
  faultOf: faultOfOverrides,
});

/** A command or a size is for the operator to allow: the code of a definition may be trusted as it is. */
function faultOfOverrides(
  target: EcsTarget | BatchTarget,
  { awsTargets: { allowOverrides = false } }: Pick<TargetRules, 'awsTargets'>,
): { field: string; message: string } | undefined {
  const field = (['command', 'cpu', 'vcpus', 'memory'] as const).find((one) => one in target);
  return allowOverrides || field === undefined
    ? undefined
    : {
        field,
        message: 'is not allowed here: its operator can set errands.allowOverrides',
      };
}

const glue = awsTargetType<GlueTarget>({
  field: 'glueJobArn',
  expected: 'the ARN of a Glue job',
  resourceOf: ({ glueJobArn }) => resourceOfArn(glueJobArn, TARGET_RESOURCES.glue, /^[\w.-]{1,255}$/),
});

const codebuild = awsTargetType<CodeBuildTarget>({
  field: 'projectArn',
  expected: 'the ARN of a CodeBuild project',
  resourceOf: ({ projectArn }) => resourceOfArn(projectArn, TARGET_RESOURCES.codebuild, /^[\w-]{2,255}$/),
});

/** One call of an action, which the deployment allows by its name. */
const aws: TargetType<ActionTarget> = {
  field: 'action',
  check(target, { awsTargets, project, hasTemplates }) {
    const checked = checkAction(target, { awsTargets, project }, { isRendered: !hasTemplates });
    return checked.ok ? { ok: true } : checked;
  },
};

/** The schema has checked the address, and the owner of the address confirms it. */
const email: TargetType<EmailTarget> = { field: 'to', check: () => ({ ok: true }) };

/** Called as an HTTP target is. */
const incident = <T extends IncidentTarget>(field: string): TargetType<T> => ({
  field,
  check: (target, rules) => {
    const checked = http.check(httpTargetOf(target), rules);
    return checked.ok ? checked : { ...checked, field };
  },
});

/** The schema has checked the name, and nothing is called. */
const worker: TargetType<WorkerTarget> = { field: 'queue', check: () => ({ ok: true }) };

/** The schema has checked it, and nothing is called. */
const monitor: TargetType<MonitorTarget> = { field: 'pingWithin', check: () => ({ ok: true }) };

type TypeOf<T extends { type: string }> = [T] extends [AwsTarget] ? AwsTargetType<T> : TargetType<T>;

/** One entry for each type of a union of targets. */
export type TargetTypes<Union extends { type: string } = Target> = {
  readonly [Type in Union['type']]: TypeOf<Extract<Union, { type: Type }>>;
};

/** Every target type. A type of the union `Target` that is missing here does not compile. */
export const TARGET_TYPES: TargetTypes = {
  http,
  lambda,
  sqs,
  sns,
  eventbridge: eventBridge,
  stepfunctions: stepFunctions,
  ecs,
  batch,
  glue,
  codebuild,
  aws,
  email,
  pagerduty: incident<PagerDutyTarget>('region'),
  'incident-io': incident<IncidentIoTarget>('sourceId'),
  worker,
  monitor,
};

/** The type of a target. */
export const targetTypeOf = <T extends Target>(target: T): TypeOf<T> =>
  // TypeScript does not know that a target fits the entry under its own `type`.
  TARGET_TYPES[target.type] as unknown as TypeOf<T>;
