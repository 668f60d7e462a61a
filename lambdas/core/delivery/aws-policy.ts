import type { AllowedActions } from '../contracts/allowed-actions';
import type { ErrandType } from '../contracts/errand-services';
import {
  type AllowedArns,
  EVERY_PROJECT,
  isSignedHost,
  ownEntry,
  type SignedCall,
  type SignedCalls,
  signedCallsOf,
  type TargetRoles,
} from '../contracts/target-resources';
import type { AwsSignature } from '../domain/target';
import type { ActionsOf } from './actions/read-actions';
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
  /** What projects may call with a signature. Without it, nothing. */
  signed?: SignedCalls;
  /** What targets of type `aws` may call, and what each action takes. Without it, nothing. */
  actions?: { allowed: AllowedActions; of: ActionsOf };
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

/** What a project may call with such a signature at a host, or why it may not; reads on behind `auth`. */
export function signedCallsFor(
  auth: AwsSignature,
  host: string,
  { signed = {} }: Pick<AwsPolicy, 'signed'>,
  project: string,
): { calls: SignedCall[] } | { fault: string } {
  const { service, region } = auth;
  const calls = signedCallsOf(signed, project, service);
  if (calls.length === 0)
    return {
      fault: `must not sign for ${service}: the operator of this deployment can add it to signedCalls`,
    };
  return isSignedHost(host, auth, calls)
    ? { calls }
    : {
        fault: `must not sign for ${host}: it is no host of ${service} in ${region}, and not among signedCalls`,
      };
}

/** Region and account of a deployment, from the ARN of one of its resources. Throws for any other text. */
export function regionAndAccountOf(arn: string): Pick<AwsPolicy, 'region' | 'accountId'> {
  const parts = parseArn(arn);
  if (!parts) throw new Error(`not the ARN of a resource: ${arn}`);
  return { region: parts.region, accountId: parts.accountId };
}
