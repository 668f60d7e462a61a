import type { TargetResource } from '../../contracts/target-resources';
import type { AwsTarget } from '../../domain/target';
import { parseArn } from '../arn';
import { allowsArn, type AwsPolicy } from '../aws-policy';
import type { TargetRules, TargetType } from './target-type';

/** A resource that a target names. */
interface AwsResource {
  arn: string;
  /** Without the version or alias of a function. */
  name: string;
  region: string;
}

type AwsCheck = { ok: true; resource: AwsResource } | { ok: false; message: string };

/** A target type whose targets are resources of one AWS service. */
export interface AwsTargetType<T extends AwsTarget> extends TargetType<T> {
  check(target: T, rules: Pick<TargetRules, 'awsTargets' | 'project'>): AwsCheck;
}

interface Definition<T extends AwsTarget> extends Pick<TargetType<T>, 'payloadFault'> {
  readonly field: keyof T & string;
  /** What the field has to be; completes "… is not". */
  readonly expected: string;
  /** The resource that a target names; undefined if it names none of this type. */
  resourceOf(target: T, policy: AwsPolicy): AwsResource | undefined;
}

/**
 * A target type whose targets have to be among the ARNs that the deployment allows. Resources of the
 * deployment's own stack are rejected whatever it allows.
 */
export const awsTargetType = <T extends AwsTarget>({
  expected,
  resourceOf,
  ...type
}: Definition<T>): AwsTargetType<T> => ({
  ...type,
  check(target, { awsTargets: policy, project }) {
    const value = JSON.stringify(target[type.field]);
    const resource = resourceOf(target, policy);
    if (!resource) return rejected(`${value} is not ${expected}`);
    if (resource.name.startsWith(`${policy.stackName}-`))
      return rejected(`${value} is a resource of Quarterjack itself`);
    if (allowsArn(policy.allowedArns, project, resource.arn)) return { ok: true, resource };
    return rejected(
      `${resource.arn} is not among the ARNs that this deployment allows as targets: its operator can add that ` +
        'entry to allowedTargetArns',
    );
  },
});

const rejected = (message: string): AwsCheck => ({ ok: false, message });

/** The resource that an ARN names; undefined if it is of another kind, or its name is not as `name` asks. */
export function resourceOfArn(
  arn: string,
  { service, prefix }: TargetResource,
  name: RegExp,
): AwsResource | undefined {
  const parts = parseArn(arn);
  if (parts?.service !== service || !parts.resource.startsWith(prefix)) return undefined;
  const text = parts.resource.slice(prefix.length);
  return name.test(text) ? { arn, name: text, region: parts.region } : undefined;
}
