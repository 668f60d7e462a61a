import { parseArn } from './arn';

/** Which AWS resources may be targets of this deployment. */
export interface AwsPolicy {
  region: string;
  accountId: string;
  /** Names of the stack's own resources begin with its name. */
  stackName: string;
  /** ARNs, in which `*` matches any text. Empty: AWS resources cannot be targets. */
  allowedArns: readonly string[];
  /** Whether queues may have the URL of an SQS endpoint on this machine. */
  loopback: boolean;
}

/** Region and account of a deployment, from the ARN of one of its resources. Throws for any other text. */
export function regionAndAccountOf(arn: string): Pick<AwsPolicy, 'region' | 'accountId'> {
  const parts = parseArn(arn);
  if (!parts) throw new Error(`not the ARN of a resource: ${arn}`);
  return { region: parts.region, accountId: parts.accountId };
}
