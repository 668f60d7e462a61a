import { Stack } from 'aws-cdk-lib';
import { Color, Dashboard as CloudWatchDashboard, type GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import { deploymentOf } from './deployment-name';
import { deadIn, graph, graphsByPriority, narrow, waitingIn } from './graphs';
import { functionMetric, PERIOD, stageMetric, visibleMessages } from './metrics';
import type { MonitoredResources } from './monitored-resources';

/**
 * The name of a deployment's dashboard. The function of the API and the dashboard both have it as text, since
 * the dashboard refers to that function. Names of dashboards count in all regions of an account.
 */
export const dashboardName = (scope: Construct): string => `${deploymentOf(scope)}-${Stack.of(scope).region}`;

export interface DashboardProps extends MonitoredResources {
  readonly config: StageConfig;
}

/**
 * One page in pipeline order: registered, due, dispatched, waiting, executed, late, repaired, dead letters,
 * workflows. Pools other than the default one have a page of their own. It has at most 50 metrics, since a
 * dashboard with up to 50 is free.
 */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new CloudWatchDashboard(this, 'Dashboard', { dashboardName: dashboardName(this) });
    dashboard.addWidgets(...this.registration(props));
    dashboard.addWidgets(...this.execution(props));
    dashboard.addWidgets(...this.repair(props));
    dashboard.addWidgets(...this.workflows());
    if (props.config.metricsByPriority) dashboard.addWidgets(...graphsByPriority(this, DEFAULT_POOL));
  }

  private registration({ httpApi, config }: DashboardProps): GraphWidget[] {
    return [
      graph('Registered', 'requests', [
        stageMetric(this, Metric.registered, { label: 'jobs created' }),
        httpApi.metricClientError({ label: 'client errors (4xx)', statistic: Stats.SUM, period: PERIOD }),
        httpApi.metricServerError({
          label: 'server errors (5xx)',
          statistic: Stats.SUM,
          period: PERIOD,
          color: Color.RED,
        }),
      ]),
      graph('Due and dispatched', 'occurrences', [
        stageMetric(this, Metric.due, { label: 'due' }),
        stageMetric(this, Metric.dispatched, { label: 'dispatched' }),
        stageMetric(this, Metric.misfired, { label: 'misfired' }),
        stageMetric(this, Metric.quarantined, { label: 'quarantined', color: Color.RED }),
      ]),
      graph('Cursor lag', `seconds, worst of ${config.shardCount} shards`, [
        stageMetric(this, Metric.cursorLagSec, { label: 'scan', statistic: Stats.MAXIMUM }),
        stageMetric(this, Metric.sweepLagSec, { label: 'sweep', statistic: Stats.MAXIMUM }),
      ]),
    ];
  }

  private execution({ executionQueues, requestQueues }: DashboardProps): GraphWidget[] {
    const waiting = [
      ...waitingIn(executionQueues, DEFAULT_POOL),
      visibleMessages(requestQueues.scan.queue, 'scan requests'),
    ];
    return [
      graph('Backlog', 'messages waiting', waiting),
      graph('Executions', 'count', [
        stageMetric(this, Metric.claimed, { label: 'claimed' }),
        stageMetric(this, Metric.succeeded, { label: 'succeeded', color: Color.GREEN }),
        stageMetric(this, Metric.failed, { label: 'failed', color: Color.RED }),
        stageMetric(this, Metric.retried, { label: 'retried', color: Color.ORANGE }),
        stageMetric(this, Metric.skipped, { label: 'skipped' }),
      ]),
      graph('Lateness', 'milliseconds from due time to start', [
        stageMetric(this, Metric.latenessMs, { label: 'p99', statistic: Stats.p(99) }),
      ]),
    ];
  }

  private repair({ functions, executionQueues }: DashboardProps): GraphWidget[] {
    return [
      narrow('Repairs', 'count', [
        stageMetric(this, Metric.takenOver, { label: 'taken over' }),
        stageMetric(this, Metric.resent, { label: 'resent' }),
        stageMetric(this, Metric.leaseLost, { label: 'leases lost' }),
        stageMetric(this, Metric.eventsLost, { label: 'events lost' }),
        stageMetric(this, Metric.didNotRun, { label: 'did not run', color: Color.RED }),
      ]),
      // Those of the request queues have an alarm alone: they would exceed the 50 metrics.
      narrow('Dead letters', 'messages', deadIn(executionQueues, DEFAULT_POOL)),
      narrow('Canary', 'milliseconds', [
        stageMetric(this, Metric.canaryRegistrationMs, { label: 'registration', statistic: Stats.MAXIMUM }),
        stageMetric(this, Metric.canaryDeliveryMs, { label: 'delivery after due', statistic: Stats.MAXIMUM }),
      ]),
      // They would exceed 50 metrics: those of the canary show as gaps in its graph, those of pings as 5xx.
      narrow(
        'Function errors',
        'count',
        Object.entries(functions)
          .filter(([name]) => name !== 'canary' && name !== 'ping')
          .map(([name, one]) => functionMetric(one, 'Errors', name)),
      ),
    ];
  }

  private workflows(): GraphWidget[] {
    return [
      graph('Workflows: tasks', 'count', [
        stageMetric(this, Metric.tasksStarted, { label: 'started' }),
        stageMetric(this, Metric.tasksFailed, { label: 'failed', color: Color.RED }),
      ]),
      graph('Workflows: from ready to claimed', 'milliseconds', [
        stageMetric(this, Metric.taskLatenessMs, { label: 'p99', statistic: Stats.p(99) }),
      ]),
      graph('Workflows: repairs', 'count', [
        stageMetric(this, Metric.runsRepaired, { label: 'lost marks and messages', color: Color.ORANGE }),
      ]),
    ];
  }
}
