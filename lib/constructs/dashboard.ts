import {
  Color,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { PRIORITIES } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import { functionMetric, PERIOD, queueMetric, stageMetric, visibleMessages } from './metrics';
import type { MonitoredResources } from './monitored-resources';

export interface DashboardProps extends MonitoredResources {
  readonly config: StageConfig;
}

/** Widths of graphs, in columns. A CloudWatch dashboard has 24. */
const THREE_TO_A_ROW = 8;
const FOUR_TO_A_ROW = 6;
const HEIGHT = 6;

/**
 * One page in pipeline order: registered, due, dispatched, waiting, executed, late, repaired, dead letters,
 * workflows.
 * It has at most 50 metrics, since a dashboard with up to 50 is free.
 */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new CloudWatchDashboard(this, 'Dashboard');
    dashboard.addWidgets(...this.registration(props));
    dashboard.addWidgets(...this.execution(props));
    dashboard.addWidgets(...this.repair(props));
    dashboard.addWidgets(...this.workflows());
    for (const pool of props.config.metricsByPriority ? Object.keys(props.config.pools) : [])
      dashboard.addWidgets(...this.byPriority(pool));
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

  private execution({ executionQueues }: DashboardProps): GraphWidget[] {
    const waiting = Object.entries(executionQueues.byPool).flatMap(([pool, queues]) =>
      Object.entries(queues).map(([priority, { queue }]) => visibleMessages(queue, `${pool} ${priority}`)),
    );
    return [
      graph('Backlog', 'messages waiting', [...waiting]),
      graph('Executions', 'count', [
        stageMetric(this, Metric.claimed, { label: 'claimed' }),
        stageMetric(this, Metric.succeeded, { label: 'succeeded', color: Color.GREEN }),
        stageMetric(this, Metric.failed, { label: 'failed', color: Color.RED }),
        stageMetric(this, Metric.retried, { label: 'retried', color: Color.ORANGE }),
        stageMetric(this, Metric.skipped, { label: 'skipped' }),
      ]),
      graph('Lateness', 'milliseconds from due time to start', [
        stageMetric(this, Metric.latenessMs, { label: 'p50', statistic: Stats.p(50) }),
        stageMetric(this, Metric.latenessMs, { label: 'p99', statistic: Stats.p(99) }),
      ]),
    ];
  }

  private repair({ functions, executionQueues, requestQueues }: DashboardProps): GraphWidget[] {
    const dead = Object.entries(executionQueues.byPool).flatMap(([pool, queues]) =>
      Object.entries(queues).map(([priority, { deadLetters }]) =>
        visibleMessages(deadLetters, `${pool} ${priority}`),
      ),
    );
    return [
      narrow('Repairs', 'count', [
        stageMetric(this, Metric.takenOver, { label: 'taken over' }),
        stageMetric(this, Metric.resent, { label: 'resent' }),
        stageMetric(this, Metric.leaseLost, { label: 'leases lost' }),
        stageMetric(this, Metric.eventsLost, { label: 'events lost' }),
        stageMetric(this, Metric.didNotRun, { label: 'did not run', color: Color.RED }),
      ]),
      narrow('Dead letters', 'messages', [
        ...dead,
        visibleMessages(requestQueues.scan.deadLetters, 'scan requests'),
        visibleMessages(requestQueues.sweep.deadLetters, 'sweep requests'),
      ]),
      narrow('Canary', 'milliseconds', [
        stageMetric(this, Metric.canaryRegistrationMs, { label: 'registration', statistic: Stats.MAXIMUM }),
        stageMetric(this, Metric.canaryDeliveryMs, { label: 'delivery after due', statistic: Stats.MAXIMUM }),
      ]),
      narrow(
        'Function errors',
        'count',
        Object.entries(functions).map(([stage, one]) => functionMetric(one, 'Errors', stage)),
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

  private byPriority(pool: string): GraphWidget[] {
    const each = (name: Parameters<typeof stageMetric>[1], statistic?: string): IMetric[] =>
      PRIORITIES.map((priority) =>
        queueMetric(this, name, { pool, priority }, { label: priority, statistic }),
      );
    return [
      graph(`Claimed, pool ${pool}`, 'count, by priority', each(Metric.claimed)),
      graph(`Failed, pool ${pool}`, 'count, by priority', each(Metric.failed)),
      graph(`Lateness p99, pool ${pool}`, 'milliseconds, by priority', each(Metric.latenessMs, Stats.p(99))),
    ];
  }
}

const graphOf =
  (width: number) =>
  (title: string, unit: string, left: readonly IMetric[]): GraphWidget =>
    new GraphWidget({
      title,
      width,
      height: HEIGHT,
      left: [...left],
      leftYAxis: { min: 0, label: unit, showUnits: false },
      liveData: true,
    });
const graph = graphOf(THREE_TO_A_ROW);
const narrow = graphOf(FOUR_TO_A_ROW);
