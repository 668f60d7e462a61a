import { CfnOutput, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';

export interface LifecycleEventsProps {
  readonly choice: StageConfig['lifecycleEvents'];
}

/** Event bus for the ends of executions. Operators add rules to it for their own alerts. */
export class LifecycleEvents extends Construct {
  private readonly bus: EventBus;
  private readonly choice: StageConfig['lifecycleEvents'];

  constructor(scope: Construct, id: string, { choice }: LifecycleEventsProps) {
    super(scope, id);
    this.choice = choice;
    this.bus = new EventBus(this, 'Bus', {
      // Begins with the stack name, as generated names do: the target policy rejects all such names.
      eventBusName: `${Stack.of(this).stackName}-Lifecycle`,
      description: 'Lifecycle events of Quarterjack executions',
    });
    new CfnOutput(Stack.of(this), 'EventBusName', { value: this.bus.eventBusName });
  }

  /**
   * Binds the bus name, the configured choice of events, and permission to publish unless the choice is
   * `off`.
   */
  publishing(): Binding<'EVENT_BUS' | 'LIFECYCLE_EVENTS'> {
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
