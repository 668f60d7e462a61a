import { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { DashboardProps } from './dashboard';
import { deadIn, graph, graphsByPriority, waitingIn } from './graphs';

/**
 * The pools other than `default`, a row each: what waits, and the dead letters. Four of them have 48 metrics:
 * a dashboard with up to 50 is free.
 */
export class PoolDashboard extends Construct {
  constructor(scope: Construct, id: string, { config, executionQueues }: DashboardProps) {
    super(scope, id);
    const dashboard = new Dashboard(this, 'Dashboard');
    for (const pool of Object.keys(config.pools).filter((name) => name !== DEFAULT_POOL)) {
      dashboard.addWidgets(
        graph(`Backlog, pool ${pool}`, 'messages waiting', waitingIn(executionQueues, pool)),
        graph(`Dead letters, pool ${pool}`, 'messages', deadIn(executionQueues, pool)),
      );
      if (config.metricsByPriority) dashboard.addWidgets(...graphsByPriority(this, pool));
    }
  }
}
