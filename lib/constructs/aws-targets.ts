import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import { TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';
import type { Binding } from './binding';

const serviceOf = (arn: string): string => arn.split(':')[2] ?? '';

/**
 * The ARNs that targets may have, and the permission to deliver to exactly these. Without ARNs it permits
 * nothing.
 */
export function awsTargets(arns: readonly string[]): Binding<'TARGET_ARNS'> {
  const statements = Object.values(TARGET_RESOURCES).flatMap(({ service, action }) => {
    const resources = arns.filter((arn) => serviceOf(arn) === service);
    return resources.length === 0 ? [] : [new PolicyStatement({ actions: [action], resources })];
  });
  return { env: { TARGET_ARNS: arns.join(',') }, statements };
}
