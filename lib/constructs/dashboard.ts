import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { PRIORITIES } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../stage-config';
import { functionMetric, queueMetric, stageMetric, visibleMessages } from './metrics';
import type { Watched } from './watched';

export interface DashboardProps extends Watched {
  readonly config: StageConfig;
}

const WIDTH = 8; // three to a row
const HEIGHT = 6;

/**
 * One page in the order of a job's way: registered, due, dispatched, waiting, executed, late, repaired, given up. At
 * most 50 metrics: a dashboard of so many is free.
 */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new CloudWatchDashboard(this, 'Dashboard');
    dashboard.addWidgets(...this.registration(props));
    dashboard.addWidgets(...this.execution(props));
    dashboard.addWidgets(...this.repair(props));
    for (const pool of props.config.metricsByPriority ? Object.keys(props.config.pools) : [])
      dashboard.addWidgets(...this.byPriority(pool));
  }

  private registration({ httpApi, config }: DashboardProps): GraphWidget[] {
    return [
      graph('Registered', 'jobs a minute', [
        stageMetric(this, Metric.registered, { label: 'jobs made' }),
        httpApi.metricClientError({ label: 'refused (4xx)', statistic: Stats.SUM }),
        httpApi.metricServerError({ label: 'failed (5xx)', statistic: Stats.SUM }),
      ]),
      graph('Due and dispatched', 'occurrences a minute', [
        stageMetric(this, Metric.due, { label: 'due' }),
        stageMetric(this, Metric.dispatched, { label: 'dispatched' }),
        stageMetric(this, Metric.misfired, { label: 'misfired' }),
        stageMetric(this, Metric.setAside, { label: 'set aside' }),
      ]),
      graph('Cursor lag', `seconds, worst of ${config.shardCount} shards`, [
        stageMetric(this, Metric.cursorLagSec, { label: 'scan', statistic: Stats.MAXIMUM }),
        stageMetric(this, Metric.sweepLagSec, { label: 'sweep', statistic: Stats.MAXIMUM }),
      ]),
    ];
  }

  private execution({ executionQueues, requestQueues }: DashboardProps): GraphWidget[] {
    const waiting = Object.entries(executionQueues.byPool).flatMap(([pool, queues]) =>
      Object.entries(queues).map(([priority, { queue }]) => visibleMessages(queue, `${pool} ${priority}`)),
    );
    return [
      graph('Backlog', 'messages waiting', [
        ...waiting,
        visibleMessages(requestQueues.scan.queue, 'scan requests'),
        visibleMessages(requestQueues.sweep.queue, 'sweep requests'),
      ]),
      graph('Executions', 'a minute', [
        stageMetric(this, Metric.claimed, { label: 'claimed' }),
        stageMetric(this, Metric.succeeded, { label: 'succeeded' }),
        stageMetric(this, Metric.failed, { label: 'failed' }),
        stageMetric(this, Metric.retried, { label: 'retried' }),
        stageMetric(this, Metric.skipped, { label: 'skipped' }),
      ]),
      graph('Lateness', 'milliseconds, start after due', [
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
      graph('Repairs', 'a minute', [
        stageMetric(this, Metric.takenOver, { label: 'taken over' }),
        stageMetric(this, Metric.resent, { label: 'sent again' }),
        stageMetric(this, Metric.leaseLost, { label: 'leases lost' }),
        stageMetric(this, Metric.claimLost, { label: 'claims lost' }),
        stageMetric(this, Metric.didNotRun, { label: 'did not run' }),
      ]),
      graph('Dead letters', 'messages', [
        ...dead,
        visibleMessages(requestQueues.scan.deadLetters, 'scan requests'),
        visibleMessages(requestQueues.sweep.deadLetters, 'sweep requests'),
      ]),
      graph(
        'Function errors',
        'a minute',
        Object.entries(functions).map(([stage, one]) => functionMetric(one, 'Errors', stage)),
      ),
    ];
  }

  private byPriority(pool: string): GraphWidget[] {
    const each = (name: Parameters<typeof stageMetric>[1], statistic?: string): IMetric[] =>
      PRIORITIES.map((priority) =>
        queueMetric(this, name, { pool, priority }, { label: priority, statistic }),
      );
    return [
      graph(`Claimed, pool ${pool}`, 'a minute, by priority', each(Metric.claimed)),
      graph(`Failed, pool ${pool}`, 'a minute, by priority', each(Metric.failed)),
      graph(`Lateness p99, pool ${pool}`, 'milliseconds, by priority', each(Metric.latenessMs, Stats.p(99))),
    ];
  }
}

const graph = (title: string, unit: string, left: readonly IMetric[]): GraphWidget =>
  new GraphWidget({
    title,
    width: WIDTH,
    height: HEIGHT,
    left: [...left],
    leftYAxis: { min: 0, label: unit, showUnits: false },
    liveData: true,
  });
