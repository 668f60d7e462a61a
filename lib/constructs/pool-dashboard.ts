import { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { DashboardProps } from './dashboard';
import { deadIn, graph, graphsByPriority, waitingIn } from './graphs';

/** Three pools have 42 metrics: a dashboard with up to 50 is free, and so are three dashboards. */
const POOLS_A_DASHBOARD = 3;

/** The pools other than `default`, a row each: what waits, and the dead letters. */
export class PoolDashboard extends Construct {
  constructor(scope: Construct, id: string, { config, executionQueues }: DashboardProps) {
    super(scope, id);
    const others = Object.keys(config.pools).filter((name) => name !== DEFAULT_POOL);
    for (let first = 0; first < others.length; first += POOLS_A_DASHBOARD) {
      const dashboard = new Dashboard(this, first === 0 ? 'Dashboard' : `DashboardFrom${first + 1}`);
      for (const pool of others.slice(first, first + POOLS_A_DASHBOARD)) {
        dashboard.addWidgets(
          graph(`Backlog, pool ${pool}`, 'messages waiting', waitingIn(executionQueues, pool)),
          graph(`Dead letters, pool ${pool}`, 'messages', deadIn(executionQueues, pool)),
        );
        if (config.metricsByPriority) dashboard.addWidgets(...graphsByPriority(this, pool));
      }
    }
  }
}
