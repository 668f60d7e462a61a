import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric as CloudWatchMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

import {
  DEPLOYMENT_DIMENSION,
  type MetricName,
  METRICS_NAMESPACE,
  QUEUE_DIMENSIONS,
} from '../../lambdas/core/contracts/metrics';
import type { Priority } from '../../lambdas/core/contracts/pools';
import { deploymentOf } from './deployment-name';
import type { IndexedTable } from './job-tables';
import type { PipelineFunction } from './pipeline-function';

/** Period of every metric here: the finest resolution that CloudWatch stores for them. */
export const PERIOD = Duration.minutes(1);

interface MetricOptions {
  readonly label?: string;
  /** @default Sum */
  readonly statistic?: string;
  readonly color?: string;
}

/** A metric that the stages of this stack emit, over all queues. */
export const stageMetric = (scope: Construct, metricName: MetricName, options: MetricOptions = {}) =>
  queueMetric(scope, metricName, undefined, options);

/** A metric of one execution queue. Emitted only if the stage configuration has `metricsByPriority`. */
export function queueMetric(
  scope: Construct,
  metricName: MetricName,
  queue: { readonly pool: string; readonly priority: Priority } | undefined,
  { label = metricName, statistic = Stats.SUM, color }: MetricOptions = {},
): CloudWatchMetric {
  const dimensionsMap: Record<string, string> = { [DEPLOYMENT_DIMENSION]: deploymentOf(scope) };
  if (queue) {
    dimensionsMap[QUEUE_DIMENSIONS.pool] = queue.pool;
    dimensionsMap[QUEUE_DIMENSIONS.priority] = queue.priority;
  }
  return new CloudWatchMetric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap,
    statistic,
    label,
    color,
    period: PERIOD,
  });
}

/** AWS metric of a queue: messages that can be received. */
export const visibleMessages = (queue: Queue, label: string): CloudWatchMetric =>
  queue.metricApproximateNumberOfMessagesVisible({ label, period: PERIOD, statistic: Stats.MAXIMUM });

/** AWS metric of a function. */
export const functionMetric = (
  { lambda }: PipelineFunction,
  name: 'Errors' | 'Throttles' | 'Invocations',
  label: string,
): CloudWatchMetric => lambda.metric(name, { label, period: PERIOD, statistic: Stats.SUM });

/** Throttled reads and writes of a table, and of its index: those of the table do not count it. */
export const throttlesOf = (table: IndexedTable): IMetric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => {
    const { indexName } = table;
    const options = { period: PERIOD, statistic: Stats.SUM };
    const ofTable = table.metric(name, options);
    if (indexName === undefined) return [ofTable];
    const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName: indexName };
    return [ofTable, table.metric(name, { ...options, dimensionsMap })];
  });

/** Limit of CloudWatch for one alarm. It reports a violation only at deployment. */
const MAX_METRICS_PER_ALARM = 10;

export const sum = (metrics: readonly IMetric[]): MathExpression => combined('SUM', metrics);

export function combined(operation: 'SUM' | 'MAX', metrics: readonly IMetric[]): MathExpression {
  if (metrics.length > MAX_METRICS_PER_ALARM)
    throw new Error(`an alarm on ${metrics.length} metrics; CloudWatch allows ${MAX_METRICS_PER_ALARM}`);
  const named = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: `${operation}([${named.map(([name]) => name).join(', ')}])`,
    usingMetrics: Object.fromEntries(named),
    period: PERIOD,
  });
}
