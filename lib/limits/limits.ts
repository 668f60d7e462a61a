import type { AllowedActions } from '../../lambdas/core/contracts/allowed-actions';
import { longActionSessionsOf } from '../config/allowed-actions';
import type { Resources, TemplateResource } from './longest';
import { longestOf } from './longest';

// Limits of AWS that a configuration can reach, and that no other check sees before CloudFormation fails.
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html

/** All variables of a function. Lambda measures them as JSON. */
const ENVIRONMENT_BYTES = 4_096;
/** All inline policies of a role; white space does not count. */
const INLINE_CHARACTERS = 10_240;
const MANAGED_CHARACTERS = 6_144;
const MANAGED_A_ROLE = 10;
/** All statements of the policy that says who may invoke a function. */
const FUNCTION_POLICY_BYTES = 20_480;
const STACK_RESOURCES = 500;
const ALARM_METRICS = 10;
const ROLLBACK_ALARMS = 10;
/** Settings of a client of Cognito. */
const CLIENT_URLS = 100;

/** Which setting to change for what takes the most room in an environment. */
const SETTING_OF: Readonly<Record<string, string>> = {
  ADDED_TARGET_ARNS:
    'the calls of add…Target: allow more of their targets by allowedTargetArns, with * in the name',
  ADDED_ACTIONS: 'the calls of allowAction: list their actions in allowedActions',
  MACHINE_CLIENT_IDS: 'machineClients',
  AUDIENCE: 'audience and machineClients',
  SIGN_IN: 'signIn',
  CALLBACK_URL: 'domain',
  MONITORS_URL: 'domain',
  CONSOLE_URL: 'domain',
  JWKS_URI: 'jwksUri',
  ISSUER: 'issuer',
};
const OTHER_SETTING = 'the name of the stack and the id of the construct';

export interface Measured {
  readonly stackName: string;
  /** All resources of the stack. */
  readonly resources: Resources;
  /** Those that the deployment made. */
  readonly own: ReadonlySet<string>;
}

/** What of a deployment exceeds a limit of AWS, with the setting to change. Empty: it can be deployed. */
export function exceededLimits(stack: Measured): string[] {
  const own = [...stack.resources].filter(([id]) => stack.own.has(id));
  const ofType = (type: string) => own.filter(([, { Type }]) => Type === type);
  return [
    ...ofType('AWS::Lambda::Function').flatMap(([id, one]) => environmentFault(id, one, stack)),
    ...ofType('AWS::IAM::Role').flatMap(([id, role]) => roleFaults(id, role, stack)),
    ...ofType('AWS::IAM::ManagedPolicy').flatMap(([id, one]) => managedFault(id, one, stack)),
    ...ofType('AWS::Lambda::Function').flatMap(([id]) => functionPolicyFault(id, stack)),
    ...ofType('AWS::CloudWatch::Alarm').flatMap(([id, one]) => alarmFault(id, one)),
    ...ofType('AWS::CodeDeploy::DeploymentGroup').flatMap(([id, one]) => shiftFault(id, one)),
    ...ofType('AWS::Cognito::UserPoolClient').flatMap(([id, one]) => clientFault(id, one)),
    ...resourcesFault(stack, own.length),
  ];
}

const above = (actual: number, allowed: number, text: (numbers: string) => string): string[] =>
  actual <= allowed ? [] : [text(`${actual.toLocaleString('en')}, at most ${allowed.toLocaleString('en')}`)];

/** A text in the number of its bytes, in JSON as Lambda and IAM get it. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
/** The longest form of a policy, without white space. */
const policySize = (document: unknown, stack: Measured): number =>
  JSON.stringify(longestOf(document, stack)).replaceAll(/\s/g, '').length;

function environmentFault(id: string, { Properties }: TemplateResource, stack: Measured): string[] {
  const { Variables = {} } = (Properties?.Environment ?? {}) as { Variables?: Record<string, unknown> };
  const longest = longestOf(Variables, stack) as Record<string, string>;
  const added = JSON.parse(longest.ADDED_ACTIONS ?? '{}') as AllowedActions;
  const sessions = longActionSessionsOf(added).map((fault) => `${id}: ADDED_ACTIONS: ${fault}`);
  const bytes = above(bytesOf(longest), ENVIRONMENT_BYTES, (numbers) => {
    const [[name, value] = ['', '']] = Object.entries(longest).sort((a, b) => bytesOf(b[1]) - bytesOf(a[1]));
    const setting = SETTING_OF[name] ?? OTHER_SETTING;
    return `${id}: bytes of its environment: ${numbers}. ${name} has ${bytesOf(value)} of them. Change ${setting}`;
  });
  return [...sessions, ...bytes];
}

interface Attached {
  readonly Roles?: readonly unknown[];
  readonly PolicyDocument: unknown;
}

const policiesOf = (roleId: string, type: string, { resources }: Measured): Attached[] =>
  [...resources.values()]
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => Properties as unknown as Attached)
    .filter(({ Roles = [] }) => Roles.some((role) => (role as { Ref?: string }).Ref === roleId));

const TARGET_SETTINGS =
  'Name targets by patterns in allowedTargetArns, or call them under the role that assumeRole names';

function roleFaults(id: string, { Properties }: TemplateResource, stack: Measured): string[] {
  const own = (Properties?.Policies ?? []) as unknown as Attached[];
  const inline = [...own, ...policiesOf(id, 'AWS::IAM::Policy', stack)];
  const size = inline.reduce((sum, { PolicyDocument }) => sum + policySize(PolicyDocument, stack), 0);
  const managed = policiesOf(id, 'AWS::IAM::ManagedPolicy', stack).length;
  return [
    ...above(
      size,
      INLINE_CHARACTERS,
      (numbers) => `${id}: characters of its inline policies: ${numbers}. ${TARGET_SETTINGS}`,
    ),
    ...above(managed, MANAGED_A_ROLE, (numbers) => `${id}: managed policies: ${numbers}. ${TARGET_SETTINGS}`),
  ];
}

function managedFault(id: string, { Properties }: TemplateResource, stack: Measured): string[] {
  const size = policySize(Properties?.PolicyDocument, stack);
  return above(
    size,
    MANAGED_CHARACTERS,
    (numbers) => `${id}: characters of this managed policy: ${numbers}. ${TARGET_SETTINGS}`,
  );
}

function functionPolicyFault(functionId: string, stack: Measured): string[] {
  const permissions = [...stack.resources.values()]
    .filter(({ Type }) => Type === 'AWS::Lambda::Permission')
    .filter(({ Properties }) => JSON.stringify(Properties?.FunctionName).includes(`"${functionId}"`));
  const size = permissions.reduce((sum, { Properties }) => sum + bytesOf(longestOf(Properties, stack)), 0);
  return above(
    size,
    FUNCTION_POLICY_BYTES,
    (numbers) => `${functionId}: bytes of the policy of its invokers: ${numbers}`,
  );
}

function alarmFault(id: string, { Properties }: TemplateResource): string[] {
  const metrics = (Properties?.Metrics ?? []) as { MetricStat?: unknown }[];
  const count = metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
  return above(count, ALARM_METRICS, (numbers) => `${id}: metrics of this alarm: ${numbers}. Change alarms`);
}

function shiftFault(id: string, { Properties }: TemplateResource): string[] {
  const { Alarms = [] } = (Properties?.AlarmConfiguration ?? {}) as { Alarms?: unknown[] };
  return above(
    Alarms.length,
    ROLLBACK_ALARMS,
    (numbers) => `${id}: alarms that end a deployment: ${numbers}. Change pools or executorShift`,
  );
}

function clientFault(id: string, { Properties }: TemplateResource): string[] {
  const { CallbackURLs = [] } = (Properties ?? {}) as { CallbackURLs?: unknown[] };
  return above(
    CallbackURLs.length,
    CLIENT_URLS,
    (numbers) => `${id}: callback URLs: ${numbers}. Change callbackUrls`,
  );
}

const resourcesFault = ({ resources }: Measured, own: number): string[] =>
  above(
    resources.size,
    STACK_RESOURCES,
    (numbers) =>
      `the stack has too many resources: ${numbers}, and ${own} of them are those of Quarterjack. Change pools, ` +
      'machineClients, alarms or executorShift, or give it a stack of its own',
  );
