import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import type { Binding } from './binding';

/** The IAM action that a delivery needs, by the service in the target's ARN. */
const ACTIONS: Readonly<Record<string, string>> = {
  lambda: 'lambda:InvokeFunction',
  sqs: 'sqs:SendMessage',
  sns: 'sns:Publish',
  events: 'events:PutEvents',
  states: 'states:StartExecution',
};

const serviceOf = (arn: string): string => arn.split(':')[2] ?? '';

/**
 * Binds the allowed target ARNs and permission to deliver to exactly these. Without ARNs it permits nothing.
 */
export function awsTargets(arns: readonly string[]): Binding<'TARGET_ARNS'> {
  const statements = Object.entries(ACTIONS).flatMap(([service, action]) => {
    const resources = arns.filter((arn) => serviceOf(arn) === service);
    return resources.length === 0 ? [] : [new PolicyStatement({ actions: [action], resources })];
  });
  return { env: { TARGET_ARNS: arns.join(',') }, statements };
}
