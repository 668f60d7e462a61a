import type { AwsTarget } from '../domain/target';

/** Which AWS resources may be targets of this deployment. */
export interface AwsPolicy {
  region: string;
  accountId: string;
  /** Names of the stack's own resources begin with its name. */
  stackName: string;
  /** ARNs, of which `*` stands for any text; none: AWS resources cannot be targets. */
  allowedArns: readonly string[];
  /** Queues may have the URL of an endpoint on this machine. */
  loopback: boolean;
}

export type AwsCheck = { ok: true } | { ok: false; message: string };

const REGION = '[a-z]{2}(?:-[a-z]+)+-\\d';
const ARN = new RegExp(`^arn:(aws|aws-cn|aws-us-gov):([a-z]+):(${REGION}):(\\d{12}):(.+)$`);
const QUEUE_NAME = '(?=.{1,80}$)[A-Za-z0-9_-]+(?:\\.fifo)?';
const QUEUE_URL = new RegExp(
  `^https://sqs\\.(${REGION})\\.(amazonaws\\.com(?:\\.cn)?)/(\\d{12})/(${QUEUE_NAME})$`,
);
const LOOPBACK_QUEUE_URL = new RegExp(`^http://127\\.0\\.0\\.1:\\d{1,5}/(\\d{12})/(${QUEUE_NAME})$`);

/** Of what a field names, without versions, aliases and wildcards. */
const RESOURCES: Record<Exclude<AwsTarget['type'], 'sqs'>, { service: string; resource: RegExp }> = {
  lambda: { service: 'lambda', resource: /^function:([A-Za-z0-9_-]{1,64})$/ },
  sns: { service: 'sns', resource: /^(?=.{1,256}$)([A-Za-z0-9_-]+(?:\.fifo)?)$/ },
  eventbridge: { service: 'events', resource: /^event-bus\/(?!(?:.*\/)?\.{0,2}(?:\/|$))([\w.\-/]{1,256})$/ },
  stepfunctions: { service: 'states', resource: /^stateMachine:([\w-]{1,80})$/ },
};

/** Whether a job may have this target here; asked when it is made, and again at each delivery. */
export function checkAwsTarget(target: AwsTarget, policy: AwsPolicy): AwsCheck {
  const { value } = namedBy(target);
  const named = resourceOf(target, policy);
  if (!named) return rejected(`${JSON.stringify(value)} is not ${EXPECTED[target.type]}`);
  if (named.name.startsWith(`${policy.stackName}-`))
    return rejected(`${JSON.stringify(value)} is a resource of Quarterjack itself`);
  if (policy.allowedArns.some((pattern) => matchesGlob(named.arn, pattern))) return { ok: true };
  return rejected(`${named.arn} is not among the ARNs that this deployment allows as targets`);
}

const rejected = (message: string): AwsCheck => ({ ok: false, message });

const EXPECTED: Record<AwsTarget['type'], string> = {
  lambda: 'the ARN of a function, without version or alias',
  sqs: 'the URL of a queue',
  sns: 'the ARN of a topic',
  eventbridge: 'the name or ARN of an event bus',
  stepfunctions: 'the ARN of a state machine',
};

/** The field by which a target names its resource. */
export function namedBy(target: AwsTarget): { field: string; value: string } {
  switch (target.type) {
    case 'lambda':
      return { field: 'functionArn', value: target.functionArn };
    case 'sqs':
      return { field: 'queueUrl', value: target.queueUrl };
    case 'sns':
      return { field: 'topicArn', value: target.topicArn };
    case 'eventbridge':
      return { field: 'eventBusName', value: target.eventBusName };
    case 'stepfunctions':
      return { field: 'stateMachineArn', value: target.stateMachineArn };
  }
}

export interface AwsResource {
  arn: string;
  name: string;
  region: string;
}

/** The resource that a target names; undefined where it names none of its kind. */
export function resourceOf(target: AwsTarget, policy: AwsPolicy): AwsResource | undefined {
  if (target.type === 'sqs') return queueOf(target.queueUrl, policy);
  const { value } = namedBy(target);
  const isBareBus = target.type === 'eventbridge' && !value.startsWith('arn:');
  const { region: own, accountId } = policy;
  const arn = isBareBus ? `arn:${partitionOf(own)}:events:${own}:${accountId}:event-bus/${value}` : value;
  const read = readArn(arn);
  const expected = RESOURCES[target.type];
  const name = read?.service === expected.service ? expected.resource.exec(read.resource)?.[1] : undefined;
  return read && name !== undefined ? { arn, name, region: read.region } : undefined;
}

/** Undefined for what is no ARN of a resource in a region, or of one that its partition does not have. */
function readArn(
  arn: string,
): { service: string; region: string; accountId: string; resource: string } | undefined {
  const [, partition, service = '', region = '', accountId = '', resource = ''] = ARN.exec(arn) ?? [];
  return partition === partitionOf(region) ? { service, region, accountId, resource } : undefined;
}

function queueOf(url: string, policy: AwsPolicy): AwsResource | undefined {
  const local = policy.loopback ? LOOPBACK_QUEUE_URL.exec(url) : null;
  const [region, domain, accountId, name] = local
    ? [policy.region, undefined, local[1]!, local[2]!]
    : (QUEUE_URL.exec(url)?.slice(1) ?? []);
  if (region === undefined || accountId === undefined || name === undefined) return undefined;
  if (domain !== undefined && domain !== domainOf(region)) return undefined;
  return { arn: `arn:${partitionOf(region)}:sqs:${region}:${accountId}:${name}`, name, region };
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

const domainOf = (region: string): string =>
  partitionOf(region) === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';

/** As IAM matches ARNs: `*` stands for any text, everything else for itself. */
export function matchesGlob(text: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  const endAt = text.length - tail.length;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > endAt) return false;
    at = found + part.length;
  }
  return true;
}

/** Region and account of a deployment, from the ARN of something that is its own. */
export function regionAndAccountOf(arn: string): Pick<AwsPolicy, 'region' | 'accountId'> {
  const read = readArn(arn);
  if (!read) throw new Error(`not the ARN of a resource: ${arn}`);
  return { region: read.region, accountId: read.accountId };
}
