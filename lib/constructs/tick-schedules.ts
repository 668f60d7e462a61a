import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

import type { TickEvent } from '../../lambdas/core/contracts/messages';
import type { PipelineFunction } from './pipeline-function';

/** Known before the schedule is there, because the API is made first and turns it on and off. */
export const tickScheduleName = (scope: Construct): string => `${Stack.of(scope).stackName}-Scan`;

export interface TickSchedulesProps {
  /** May turn the tick on and off. */
  readonly api: PipelineFunction;
  readonly tick: PipelineFunction;
  readonly auditor: PipelineFunction;
  readonly canary: PipelineFunction;
}

/** What makes time pass. Every run is repeated by the next, so none is worth more than a minute of retries. */
export class TickSchedules extends Construct {
  constructor(scope: Construct, id: string, { api, tick, auditor, canary }: TickSchedulesProps) {
    super(scope, id);
    const scan: TickEvent = { kind: 'scan' };
    const sweep: TickEvent = { kind: 'sweep' };
    const { schedule, role } = this.invoke('Scan', tick, 'rate(1 minute)', scan, tickScheduleName(this));
    this.letSwitch(api, schedule, role);
    this.invoke('Sweep', tick, 'rate(1 minute)', sweep);
    // The auditor has a schedule of its own: it must run where the tick does not.
    this.invoke('Audit', auditor, 'rate(10 minutes)', {});
    this.invoke('Canary', canary, 'rate(5 minutes)', {});
  }

  /** An update replaces the whole schedule, its role included: who may do one must be allowed to hand that role over. */
  private letSwitch({ lambda }: PipelineFunction, { ref }: CfnSchedule, role: Role): void {
    const arn = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `default/${ref}`,
    });
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['scheduler:GetSchedule', 'scheduler:UpdateSchedule'],
        resources: [arn],
      }),
    );
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    );
  }

  private invoke(id: string, target: PipelineFunction, expression: string, input: object, name?: string) {
    const room = new Construct(this, id);
    const stack = Stack.of(this);
    const group = stack.formatArn({
      service: 'scheduler',
      resource: 'schedule-group',
      resourceName: 'default',
    });
    const role = new Role(room, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account, 'aws:SourceArn': group } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.lambda.functionArn] }),
    );
    const schedule = new CfnSchedule(room, 'Schedule', {
      name,
      scheduleExpression: expression,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target.lambda.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify(input),
        retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 3 },
      },
    });
    schedule.node.addDependency(role); // its policy too, or the first runs would be refused
    return { schedule, role };
  }
}
