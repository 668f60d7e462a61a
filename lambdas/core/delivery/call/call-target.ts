import type { IncidentTarget } from '../../domain/notification-targets';
import type { AwsTarget, Target } from '../../domain/target';
import { blockedCall, type TargetResult } from '../../domain/target-result';
import type { AwsPolicy } from '../aws-policy';
import type { Delivery } from '../delivery';
import { targetTypeOf } from '../targets/registry';
import type { ActionSettings } from './action/call-action';
import type { AssumedRole } from './assumed-roles';
import { type AwsCall, failureOf } from './aws-call';
import { type CallSecrets, callWithSecrets } from './call-with-secrets';
import type { EarlyConnections } from './early-connections';
import { asCloudEvent } from './event-headers';
import { forProject, type HttpSettings } from './http';
import type { IncidentCalls } from './incident';

/**
 * Calls a target once. Never throws because of what the target does. Settles soon after `signal` aborts, if
 * the client library does: the AWS SDK does not if an endpoint switches protocols (101). Hence the caller
 * races its own abort.
 */
export type CallTarget = (target: Target, delivery: Delivery, signal: AbortSignal) => Promise<TargetResult>;

interface CallSettings {
  http: HttpSettings;
  /** What was connected before its call; absent: nothing. */
  early?: EarlyConnections;
  secrets: CallSecrets;
  aws: AwsPolicy;
  /** ARN of the topic of the deployment's mails; absent: it has none. */
  emailTopicArn?: string;
  /** How actions of AWS are called. Absent: none is. */
  actions?: ActionSettings;
  /** What calls of services of incidents read. Absent: none is called. */
  incidents?: Pick<IncidentCalls, 'alerts' | 'deployment'>;
  /** The role to call a project's AWS targets under; undefined: the caller's own. */
  roleFor?: (project: string) => AssumedRole | undefined;
}

/**
 * Calls targets of any type. What the deployment allows is checked again at each call: it may have changed
 * since the job was saved.
 */
export const callerOf =
  (settings: CallSettings): CallTarget =>
  (target, delivery, signal) => {
    const call = CALLS[target.type] as Call<Target>; // each entry takes the targets of its own type
    return call(target, delivery, signal, settings);
  };

type Call<T extends Target> = (
  target: T,
  delivery: Delivery,
  signal: AbortSignal,
  settings: CallSettings,
) => Promise<TargetResult>;

/**
 * The code of an AWS type is loaded with the first target of that type, so a cold start loads no client of
 * it.
 */
const aws =
  <T extends AwsTarget>(load: () => Promise<AwsCall<T>>): Call<T> =>
  async (target, delivery, signal, { aws: awsTargets, roleFor }) => {
    const { project } = delivery;
    const check = targetTypeOf<AwsTarget>(target).check(target, { awsTargets, project });
    if (!check.ok) return blockedCall(check.message);
    const call = await load();
    try {
      return await call(target, delivery, {
        region: check.resource.region,
        role: roleFor?.(project),
        signal,
      });
    } catch (error) {
      return failureOf(error, signal);
    }
  };

const neverCalled = async (): Promise<TargetResult> => blockedCall('this target is started, and not called');

const incident: Call<IncidentTarget> = async (target, delivery, signal, { http, secrets, incidents }) => {
  if (!incidents) return blockedCall('no incidents are kept here');
  const { callIncident, withRoutingKey } = await import('./incident.ts');
  return callIncident(target, delivery, signal, {
    ...incidents,
    nowMs: http.nowMs,
    send: (one, body) =>
      callWithSecrets(one, body, signal, forProject(http, delivery.project), secrets, withRoutingKey),
  });
};

/** How each type is called. A type of the union `Target` that is missing here does not compile. */
const CALLS: { readonly [Type in Target['type']]: Call<Extract<Target, { type: Type }>> } = {
  http: (target, delivery, signal, { http, early, secrets }) => {
    const { project } = delivery;
    const settings = forProject(http, project);
    const takeEarly = early && ((url: URL) => early.take(project, url));
    const sent = asCloudEvent(target, delivery);
    return callWithSecrets(target, sent, signal, { ...settings, takeEarly }, secrets);
  },
  lambda: aws(async () => (await import('./lambda.ts')).callLambda),
  sqs: aws(async () => (await import('./sqs.ts')).callSqs),
  sns: aws(async () => (await import('./sns.ts')).callSns),
  eventbridge: aws(async () => (await import('./eventbridge.ts')).callEventBridge),
  pagerduty: incident,
  'incident-io': incident,
  email: async (target, delivery, signal, { emailTopicArn }) => {
    if (emailTopicArn === undefined) return blockedCall('there is no email topic');
    return (await import('./email.ts')).callEmail(target, delivery, emailTopicArn, signal);
  },
  // Executors offer it to workers instead. Only its job's change in the same instant can lead here.
  worker: async () => blockedCall('workers claim this target'),
  monitor: async () => blockedCall('the job is a monitor: it runs elsewhere, and pings'),
  stepfunctions: aws(async () => (await import('./step-functions.ts')).callStepFunctions),
  // Executors start it as an errand. Only its job's change in the same instant can lead here.
  ecs: neverCalled,
  batch: neverCalled,
  glue: neverCalled,
  codebuild: neverCalled,
  aws: async (target, delivery, signal, { actions, aws: policy, http }) => {
    if (!actions) return blockedCall('no action of AWS is called here');
    const { callAction } = await import('./action/call-action.ts');
    return callAction(target, delivery, signal, { ...actions, aws: policy, nowMs: http.nowMs });
  },
};
