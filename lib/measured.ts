import { type Metric as CloudWatchMetric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { Metric, type MetricName } from '../lambdas/core/contracts/metrics';
import { DEFAULT_POOL, LANES } from '../lambdas/core/contracts/pools';
import type { QueueName } from './capacity-props';
import { checkWord } from './check-value';
import type { ExecutionQueues } from './constructs/execution-queues';
import { stageMetric, visibleMessages } from './constructs/metrics';

/** The metrics of a deployment. */
export abstract class Measured extends Construct {
  /** @internal */
  protected abstract get executionQueues(): ExecutionQueues;

  /**
   * A metric of this deployment, by the minute. Without a statistic it is the p99 of milliseconds, the
   * maximum of seconds, and the sum of all else. Throws an Error for a name that functions do not write.
   */
  metric(name: MetricName, options: MetricOptions = {}): CloudWatchMetric {
    checkWord(this, 'name', name, Object.values(Metric));
    return stageMetric(this, name, { statistic: statisticOf(name) }).with(options);
  }

  /** Milliseconds from due time to start, over all executions: the p99 of each minute. */
  metricLateness(options: MetricOptions = {}): CloudWatchMetric {
    return this.metric(Metric.latenessMs, { label: 'lateness', ...options });
  }

  /** Executions that succeeded, in each minute. */
  metricSuccesses(options: MetricOptions = {}): CloudWatchMetric {
    return this.metric(Metric.succeeded, { label: 'successes', ...options });
  }

  /** Executions that failed after their last attempt, in each minute. */
  metricFailures(options: MetricOptions = {}): CloudWatchMetric {
    return this.metric(Metric.failed, { label: 'failures', ...options });
  }

  /** Seconds that planned occurrences are behind: the maximum of each minute. Usually 0. */
  metricCursorLag(options: MetricOptions = {}): CloudWatchMetric {
    return this.metric(Metric.cursorLagSec, { label: 'cursor lag', ...options });
  }

  /**
   * Executions that wait in a queue of a pool: the maximum of each minute, as SQS counts. Throws an Error for
   * another word, and for a pool that the deployment does not have.
   */
  metricBacklog(
    queue: QueueName,
    pool: string = DEFAULT_POOL,
    options: MetricOptions = {},
  ): CloudWatchMetric {
    const { executionQueues } = this;
    const queues = executionQueues.byPool;
    checkWord(this, 'queue', queue, LANES);
    checkWord(this, 'pool', pool, Object.keys(queues));
    return visibleMessages(executionQueues.queueOf(pool, queue).queue, `backlog of ${queue}`).with(options);
  }
}

/** How a metric is read, by the unit that its name ends with. */
function statisticOf(name: MetricName): string {
  if (name.endsWith('Ms')) return Stats.percentile(99);
  return name.endsWith('Sec') ? Stats.MAXIMUM : Stats.SUM;
}
