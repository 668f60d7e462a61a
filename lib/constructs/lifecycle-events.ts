import { CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { StageConfig } from '../stage-config';
import type { Binding } from './binding';

export interface LifecycleEventsProps {
  readonly choice: StageConfig['lifecycleEvents'];
}

/** The bus that tells what executions come to: rules on it are how alerts of one's own are plugged in. */
export class LifecycleEvents extends Construct {
  private readonly bus: EventBus;
  private readonly choice: StageConfig['lifecycleEvents'];

  constructor(scope: Construct, id: string, { choice }: LifecycleEventsProps) {
    super(scope, id);
    this.choice = choice;
    this.bus = new EventBus(this, 'Bus', {
      // As names that CloudFormation makes up begin, so that targets are refused it as they are all that is the stack's.
      eventBusName: `${Stack.of(this).stackName}-Lifecycle`,
      description: 'What executions of Quarterjack come to',
    });
    new CfnOutput(Stack.of(this), 'EventBusName', { value: this.bus.eventBusName });
  }

  /** The bus's name and what to tell it, and leave to do so; no leave where there is nothing to tell. */
  telling(): Binding<'EVENT_BUS' | 'LIFECYCLE_EVENTS'> {
    const statement = new PolicyStatement({
      actions: ['events:PutEvents'],
      resources: [this.bus.eventBusArn],
    });
    return {
      env: { EVENT_BUS: this.bus.eventBusName, LIFECYCLE_EVENTS: this.choice },
      statements: this.choice === 'off' ? [] : [statement],
    };
  }
}
