import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

import type { TickEvent } from '../../lambdas/core/contracts/messages';
import type { PipelineFunction } from './pipeline-function';

export interface TickSchedulesProps {
  readonly tick: PipelineFunction;
  readonly auditor: PipelineFunction;
  readonly canary: PipelineFunction;
}

/** What makes time pass. Every run is repeated by the next, so none is worth more than a minute of retries. */
export class TickSchedules extends Construct {
  constructor(scope: Construct, id: string, { tick, auditor, canary }: TickSchedulesProps) {
    super(scope, id);
    const scan: TickEvent = { kind: 'scan' };
    const sweep: TickEvent = { kind: 'sweep' };
    this.invoke('Scan', tick, 'rate(1 minute)', scan);
    this.invoke('Sweep', tick, 'rate(1 minute)', sweep);
    // The auditor has a schedule of its own: it must run where the tick does not.
    this.invoke('Audit', auditor, 'rate(10 minutes)', {});
    this.invoke('Canary', canary, 'rate(5 minutes)', {});
  }

  private invoke(id: string, target: PipelineFunction, expression: string, input: object): void {
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
  }
}
