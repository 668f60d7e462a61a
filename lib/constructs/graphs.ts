import { GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { PRIORITIES } from '../../lambdas/core/contracts/pools';
import type { ExecutionQueues } from './execution-queues';
import { queueMetric, type stageMetric, visibleMessages } from './metrics';

/** Widths of graphs, in columns. A CloudWatch dashboard has 24. */
const THREE_TO_A_ROW = 8;
const FOUR_TO_A_ROW = 6;
const HEIGHT = 6;

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
export const graph = graphOf(THREE_TO_A_ROW);
export const narrow = graphOf(FOUR_TO_A_ROW);

/** Messages that wait in each queue of a pool. */
export const waitingIn = ({ byPool }: ExecutionQueues, pool: string): IMetric[] =>
  Object.entries(byPool[pool]!).map(([lane, { queue }]) => visibleMessages(queue, `${pool} ${lane}`));

/** Dead letters of each queue of a pool. */
export const deadIn = ({ byPool }: ExecutionQueues, pool: string): IMetric[] =>
  Object.entries(byPool[pool]!).map(([lane, { deadLetters }]) =>
    visibleMessages(deadLetters, `${pool} ${lane}`),
  );

/** What the executors of a pool record by priority, if the configuration has `metricsByPriority`. */
export function graphsByPriority(scope: Construct, pool: string): GraphWidget[] {
  const each = (name: Parameters<typeof stageMetric>[1], statistic?: string): IMetric[] =>
    PRIORITIES.map((priority) =>
      queueMetric(scope, name, { pool, priority }, { label: priority, statistic }),
    );
  return [
    graph(`Claimed, pool ${pool}`, 'count, by priority', each(Metric.claimed)),
    graph(`Failed, pool ${pool}`, 'count, by priority', each(Metric.failed)),
    graph(`Lateness p99, pool ${pool}`, 'milliseconds, by priority', each(Metric.latenessMs, Stats.p(99))),
  ];
}
