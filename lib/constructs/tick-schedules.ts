import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

import type { TickEvent } from '../../lambdas/core/contracts/messages';
import { deploymentOf } from './deployment-name';
import type { PipelineFunction } from './pipeline-function';

/** A fixed name, because the API turns the schedule on and off and is created before it. */
export const tickScheduleName = (scope: Construct): string => `${deploymentOf(scope)}-Scan`;

export interface TickSchedulesProps {
  /** Gets permission to turn the tick on and off. */
  readonly api: PipelineFunction;
  readonly tick: PipelineFunction;
  readonly auditor: PipelineFunction;
  /** Undefined: there is none. */
  readonly canary: PipelineFunction | undefined;
}

/**
 * Invokes tick, auditor and canary periodically. The next run makes up for a failed one, so retries end after
 * a minute.
 */
export class TickSchedules extends Construct {
  constructor(scope: Construct, id: string, { api, tick, auditor, canary }: TickSchedulesProps) {
    super(scope, id);
    const scan: TickEvent = { kind: 'scan' };
    const sweep: TickEvent = { kind: 'sweep' };
    const { schedule, role } = this.invoke('Scan', tick, 'rate(1 minute)', scan, tickScheduleName(this));
    this.permitSwitching(api, schedule, role);
    this.invoke('Sweep', tick, 'rate(1 minute)', sweep);
    // The auditor has its own schedule: it must run even if the tick does not.
    this.invoke('Audit', auditor, 'rate(10 minutes)', {});
    // A rate counts from the second of its creation, and Scheduler is precise to a minute. So two runs could
    // fall into one of the canary's slots, and none into the next.
    if (canary) this.invoke('Canary', canary, 'cron(0/5 * * * ? *)', {});
  }

  /**
   * An update replaces the whole schedule including its role, so it also needs permission to pass that role.
   */
  private permitSwitching(api: PipelineFunction, { ref }: CfnSchedule, role: Role): void {
    const arn = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `default/${ref}`,
    });
    api.permit(
      new PolicyStatement({
        actions: ['scheduler:GetSchedule', 'scheduler:UpdateSchedule'],
        resources: [arn],
      }),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    );
  }

  private invoke(id: string, target: PipelineFunction, expression: string, input: object, name?: string) {
    const scope = new Construct(this, id);
    const stack = Stack.of(this);
    const group = stack.formatArn({
      service: 'scheduler',
      resource: 'schedule-group',
      resourceName: 'default',
    });
    const invoking = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [target.lambda.functionArn],
    });
    const role = new Role(scope, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account, 'aws:SourceArn': group } },
      }),
      inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoking] }) },
    });
    const schedule = new CfnSchedule(scope, 'Schedule', {
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
    return { schedule, role };
  }
}
