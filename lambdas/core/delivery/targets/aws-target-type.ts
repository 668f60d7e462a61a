import type { TargetResource } from '../../contracts/target-resources';
import type { AwsTarget } from '../../domain/target';
import { parseArn } from '../arn';
import { allowsArn, type AwsPolicy } from '../aws-policy';
import type { TargetRules, TargetType } from './target-type';

/** A resource that a target names. */
interface AwsResource {
  arn: string;
  /** Without the version or alias of a function; that of a task definition may end with its revision. */
  name: string;
  region: string;
}

type AwsRules = Pick<TargetRules, 'awsTargets' | 'project'>;
type AwsCheck = { ok: true; resource: AwsResource } | { ok: false; message: string; field?: string };

/** A target type whose targets are resources of one AWS service. */
export interface AwsTargetType<T extends AwsTarget> extends TargetType<T> {
  check(target: T, rules: AwsRules): AwsCheck;
}

interface Definition<T extends AwsTarget> extends Pick<TargetType<T>, 'payloadFault'> {
  readonly field: keyof T & string;
  /** What the field has to be; completes "… is not". */
  readonly expected: string;
  /** The resource that a target names; undefined if it names none of this type. */
  resourceOf(target: T, policy: AwsPolicy): AwsResource | undefined;
  /** Where the resource is to work. It has to be allowed too. */
  readonly runsIn?: Named<T>;
  /** What else is wrong with a target that is allowed. It reads on behind the field's name. */
  faultOf?(target: T, rules: AwsRules): { message: string; field?: string } | undefined;
}

type Named<T extends AwsTarget> = Pick<Definition<T>, 'field' | 'expected' | 'resourceOf'>;

/**
 * A target type whose targets have to be among the ARNs that the deployment allows. Resources of the
 * deployment's own stack are rejected whatever it allows.
 */
export const awsTargetType = <T extends AwsTarget>({
  expected,
  resourceOf,
  runsIn,
  faultOf,
  ...type
}: Definition<T>): AwsTargetType<T> => ({
  ...type,
  check(target, rules) {
    const check = checkNamed(target, { field: type.field, expected, resourceOf }, rules);
    const fault = check.ok ? faultOf?.(target, rules) : undefined;
    if (fault) return { ok: false, ...fault };
    if (!check.ok || !runsIn) return check;
    const cluster = checkNamed(target, runsIn, rules);
    if (!cluster.ok) return { ...cluster, field: runsIn.field };
    const isNear = HOME.exec(check.resource.arn)?.[0] === HOME.exec(cluster.resource.arn)?.[0];
    if (isNear) return check;
    const message = `${cluster.resource.arn} is in another region or account than ${check.resource.arn}`;
    return { ...rejected(message), field: runsIn.field };
  },
});

/** Partition, service, region and account of an ARN. */
const HOME = /^(?:[^:]*:){5}/;

function checkNamed<T extends AwsTarget>(
  target: T,
  { field, expected, resourceOf }: Named<T>,
  { awsTargets: policy, project }: Pick<TargetRules, 'awsTargets' | 'project'>,
): AwsCheck {
  const value = JSON.stringify(target[field]);
  const resource = resourceOf(target, policy);
  if (!resource) return rejected(`${value} is not ${expected}`);
  if (resource.name.startsWith(`${policy.stackName}-`))
    return rejected(`${value} is a resource of Quarterjack itself`);
  if (allowsArn(policy.allowedArns, project, resource.arn)) return { ok: true, resource };
  return rejected(
    `${resource.arn} is not among the ARNs that this deployment allows as targets: its operator can add that ` +
      'entry to allowedTargetArns',
  );
}

const rejected = (message: string) => ({ ok: false, message }) as const;

/** The resource that an ARN names; undefined if it is of another kind, or its name is not as `name` asks. */
export function resourceOfArn(
  arn: string,
  { service, prefix }: Omit<TargetResource, 'action'>,
  name: RegExp,
): AwsResource | undefined {
  const parts = parseArn(arn);
  if (parts?.service !== service || !parts.resource.startsWith(prefix)) return undefined;
  const text = parts.resource.slice(prefix.length);
  return name.test(text) ? { arn, name: text, region: parts.region } : undefined;
}
