const REGION = '[a-z]{2}(?:-[a-z]+)+-\\d';
const ARN = new RegExp(`^arn:(aws|aws-cn|aws-us-gov):([a-z]+):(${REGION}):(\\d{12}):(.+)$`);
const QUEUE_NAME = '(?=.{1,80}$)[A-Za-z0-9_-]+(?:\\.fifo)?';
const QUEUE_URL = new RegExp(
  `^https://sqs\\.(${REGION})\\.(amazonaws\\.com(?:\\.cn)?)/(\\d{12})/(${QUEUE_NAME})$`,
);
const LOOPBACK_QUEUE_URL = new RegExp(`^http://127\\.0\\.0\\.1:\\d{1,5}/(\\d{12})/(${QUEUE_NAME})$`);

/** The parts of an ARN behind its partition. */
interface ArnParts {
  service: string;
  region: string;
  accountId: string;
  resource: string;
}

/**
 * The parts of a regional ARN. Undefined if the text is no such ARN, or if the partition does not have the
 * region.
 */
export function parseArn(arn: string): ArnParts | undefined {
  const [, partition, service = '', region = '', accountId = '', resource = ''] = ARN.exec(arn) ?? [];
  return partition === partitionOf(region) ? { service, region, accountId, resource } : undefined;
}

const FUNCTION = /^function:([A-Za-z0-9_-]{1,64})(?::([A-Za-z0-9_$-]{1,128}))?$/;

interface FunctionArn extends ArnParts {
  name: string;
  /** The version or alias; undefined: the function itself. */
  qualifier: string | undefined;
}

/** The parts of the ARN of a function, or of a version or alias of one; undefined for any other text. */
export function parseFunctionArn(arn: string): FunctionArn | undefined {
  const parts = parseArn(arn);
  if (parts?.service !== 'lambda') return undefined;
  const [, name, qualifier] = FUNCTION.exec(parts.resource) ?? [];
  return name === undefined ? undefined : { ...parts, name, qualifier };
}

/** The ARN of a function, from its own or from that of a version or alias. */
export const unqualified = (functionArn: string): string => functionArn.split(':', 7).join(':');

/** The ARN of these parts, in the partition of their region. */
export const arnOf = ({ service, region, accountId, resource }: ArnParts): string =>
  `arn:${partitionOf(region)}:${service}:${region}:${accountId}:${resource}`;

/** The ARN of an execution of a state machine. */
export const executionArnOf = (stateMachineArn: string, name: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;

/**
 * What the URL of a queue names. Undefined if the text is no URL of SQS, or has the domain of another
 * partition.
 */
export function parseQueueUrl(url: string): ArnParts | undefined {
  const [, region, domain, accountId, resource] = QUEUE_URL.exec(url) ?? [];
  if (region === undefined || accountId === undefined || resource === undefined) return undefined;
  return domain === domainOf(region) ? { service: 'sqs', region, accountId, resource } : undefined;
}

/** What the URL of a queue on this machine names. Such a URL does not name a region. */
export function parseLoopbackQueueUrl(url: string, region: string): ArnParts | undefined {
  const [, accountId, resource] = LOOPBACK_QUEUE_URL.exec(url) ?? [];
  return accountId === undefined || resource === undefined
    ? undefined
    : { service: 'sqs', region, accountId, resource };
}

/** The partition of a region: `aws`, `aws-cn` or `aws-us-gov`. */
export function partitionOf(region: string): 'aws' | 'aws-cn' | 'aws-us-gov' {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

const domainOf = (region: string): string =>
  partitionOf(region) === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';

/**
 * Matches as IAM does for ARNs: `*` matches any text, every other character only itself. Never backtracks.
 */
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
