import type { ErrandType } from '../contracts/errand-services';
import { type AllowedArns, EVERY_PROJECT, ownEntry, type TargetRoles } from '../contracts/target-resources';
import { matchesGlob, parseArn } from './arn';

/** Which AWS resources may be targets of this deployment. */
export interface AwsPolicy {
  region: string;
  accountId: string;
  /** Names of the stack's own resources begin with its name. */
  stackName: string;
  /** Empty: AWS resources cannot be targets. */
  allowedArns: AllowedArns;
  /** Whether queues may have the URL of an SQS endpoint on this machine. */
  loopback: boolean;
  /** The kinds of errands that are watched. Without it, none. */
  errands?: readonly ErrandType[];
  /** Whether jobs may say commands and sizes of errands. Without it, none may. */
  allowOverrides?: boolean;
  /** Roles that targets are called under, by project. Without it, none. */
  roles?: TargetRoles;
}

/**
 * Whether a project may have a resource as a target. A project has its own ARNs, and those of all projects.
 */
export const allowsArn = (allowed: AllowedArns, project: string, arn: string): boolean =>
  [...(ownEntry(allowed, project) ?? []), ...(allowed[EVERY_PROJECT] ?? [])].some((pattern) =>
    matchesGlob(arn, pattern),
  );

/** Region and account of a deployment, from the ARN of one of its resources. Throws for any other text. */
export function regionAndAccountOf(arn: string): Pick<AwsPolicy, 'region' | 'accountId'> {
  const parts = parseArn(arn);
  if (!parts) throw new Error(`not the ARN of a resource: ${arn}`);
  return { region: parts.region, accountId: parts.accountId };
}
