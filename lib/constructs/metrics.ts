import { Duration, Stack } from 'aws-cdk-lib';
import { Metric as CloudWatchMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

import {
  DEPLOYMENT_DIMENSION,
  type MetricName,
  METRICS_NAMESPACE,
  QUEUE_DIMENSIONS,
} from '../../lambdas/core/contracts/metrics';
import type { Priority } from '../../lambdas/core/contracts/pools';
import type { PipelineFunction } from './pipeline-function';

/** One minute, of every metric here: the finest that CloudWatch keeps of them. */
export const PERIOD = Duration.minutes(1);

export interface MetricOptions {
  readonly label?: string;
  /** @default Sum */
  readonly statistic?: string;
  readonly color?: string;
}

/** What the stages of this stack emit. */
export const stageMetric = (scope: Construct, metricName: MetricName, options: MetricOptions = {}) =>
  queueMetric(scope, metricName, undefined, options);

/** The same, of one queue; emitted only where the stage is configured so. */
export function queueMetric(
  scope: Construct,
  metricName: MetricName,
  queue: { readonly pool: string; readonly priority: Priority } | undefined,
  { label = metricName, statistic = Stats.SUM, color }: MetricOptions = {},
): CloudWatchMetric {
  const dimensionsMap: Record<string, string> = { [DEPLOYMENT_DIMENSION]: Stack.of(scope).stackName };
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

/** What AWS publishes of a queue: messages that are there to be received. */
export const visibleMessages = (queue: Queue, label: string): CloudWatchMetric =>
  queue.metricApproximateNumberOfMessagesVisible({ label, period: PERIOD, statistic: Stats.MAXIMUM });

/** What AWS publishes of a function. */
export const functionMetric = (
  { lambda }: PipelineFunction,
  name: 'Errors' | 'Throttles' | 'Invocations',
  label: string,
): CloudWatchMetric => lambda.metric(name, { label, period: PERIOD, statistic: Stats.SUM });
