import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

import type { Binding } from './binding';

/** What delivering to a resource of each service takes. */
const ACTIONS: Readonly<Record<string, string>> = {
  lambda: 'lambda:InvokeFunction',
  sqs: 'sqs:SendMessage',
  sns: 'sns:Publish',
  events: 'events:PutEvents',
  states: 'states:StartExecution',
};

const serviceOf = (arn: string): string => arn.split(':')[2] ?? '';

/** The ARNs that targets may have, and leave to deliver to exactly these; with none, leave for nothing. */
export function awsTargets(arns: readonly string[]): Binding<'TARGET_ARNS'> {
  const statements = Object.entries(ACTIONS).flatMap(([service, action]) => {
    const resources = arns.filter((arn) => serviceOf(arn) === service);
    return resources.length === 0 ? [] : [new PolicyStatement({ actions: [action], resources })];
  });
  return { env: { TARGET_ARNS: arns.join(',') }, statements };
}
