import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';

export interface ExecutorShiftProps {
  readonly alias: Alias;
  readonly shift: Exclude<StageConfig['executorShift'], 'all-at-once'>;
  /** Another shift, whose application and role this one shares: a stack has at most 500 resources. */
  readonly beside?: ExecutorShift;
  /** Any of them, while versions share the work, gives all of it back to the old one. */
  readonly alarms: readonly Alarm[];
}

const CONFIGS = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const;

const MANAGED_POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/** CodeDeploy moves invocations of an executor function to its new version, a part at a time. */
export class ExecutorShift extends Construct {
  private readonly group: LambdaDeploymentGroup;

  constructor(scope: Construct, id: string, { alias, shift, beside, alarms }: ExecutorShiftProps) {
    super(scope, id);
    const group = new LambdaDeploymentGroup(this, 'Group', {
      ...(beside && { application: beside.group.application, role: beside.group.role }),
      alias,
      deploymentConfig: CONFIGS[shift],
      alarms: [...alarms],
    });
    this.group = group;
    if (beside) return;
    Validations.of(group.role.node.scope ?? this).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${MANAGED_POLICY}]`,
      reason: 'The policy that AWS keeps for CodeDeploy: it names what CodeDeploy needs for functions alone.',
    });
  }
}
