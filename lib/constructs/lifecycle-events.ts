import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';
import { deploymentOf } from './deployment-name';

export interface LifecycleEventsProps {
  readonly choice: StageConfig['lifecycleEvents'];
}

/** Event bus for the ends of executions. Operators add rules to it for their own alerts. */
export class LifecycleEvents extends Construct {
  readonly bus: EventBus;
  private readonly choice: StageConfig['lifecycleEvents'];

  constructor(scope: Construct, id: string, { choice }: LifecycleEventsProps) {
    super(scope, id);
    this.choice = choice;
    this.bus = new EventBus(this, 'Bus', {
      // Begins with the name of the deployment: the target policy rejects all such names.
      eventBusName: `${deploymentOf(this)}-Lifecycle`,
      description: 'Lifecycle events of Quarterjack executions',
    });
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
