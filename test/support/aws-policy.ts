import { join } from 'node:path';

import type { AllowedAction } from '../../lambdas/core/contracts/allowed-actions';
import { SIGNED_SERVICES } from '../../lambdas/core/contracts/target-resources';
import { readActions } from '../../lambdas/core/delivery/actions/read-actions';
import type { AwsPolicy } from '../../lambdas/core/delivery/aws-policy';

const ALLOWED_ACTIONS: readonly AllowedAction[] = [
  {
    action: 'kinesis:PutRecord',
    resources: ['arn:aws:kinesis:eu-central-1:111122223333:stream/target-*'],
  },
  {
    action: 'emrserverless:StartJobRun',
    resources: ['arn:aws:emr-serverless:eu-central-1:111122223333:/applications/*'],
    passRoles: ['arn:aws:iam::111122223333:role/target-etl'],
  },
];

/** A deployment that allows AWS resources whose names begin with `target-`, and watches errands. */
export const AWS_POLICY: AwsPolicy = {
  region: 'eu-central-1',
  accountId: '111122223333',
  stackName: 'Quarterjack-dev',
  allowedArns: {
    '*': [
      'arn:aws:lambda:eu-central-1:111122223333:function:target-*',
      'arn:aws:sqs:eu-central-1:111122223333:target-*',
      'arn:aws:sns:eu-central-1:111122223333:target-*',
      'arn:aws:events:eu-central-1:111122223333:event-bus/target-*',
      'arn:aws:states:eu-central-1:111122223333:stateMachine:target-*',
      'arn:aws:ecs:eu-central-1:111122223333:task-definition/target-*',
      'arn:aws:ecs:eu-central-1:111122223333:cluster/target-*',
      'arn:aws:batch:eu-central-1:111122223333:job-definition/target-*',
      'arn:aws:batch:eu-central-1:111122223333:job-queue/target-*',
      'arn:aws:glue:eu-central-1:111122223333:job/target-*',
      'arn:aws:codebuild:eu-central-1:111122223333:project/target-*',
    ],
  },
  signed: {
    '*': SIGNED_SERVICES.map((service) => ({ service, resources: ['*'], hosts: ['example.com'] })),
  },
  actions: {
    allowed: { '*': ALLOWED_ACTIONS },
    of: readActions(join(__dirname, '../../actions')),
  },
  loopback: false,
  errands: ['stepfunctions', 'durable'],
  allowOverrides: true,
};
