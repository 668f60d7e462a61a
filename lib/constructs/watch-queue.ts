import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { ERRAND_PREFIX } from '../../lambdas/core/contracts/target-resources';
import type { AlarmSpecs } from './alarm-spec';
import { PERIOD, stageMetric, visibleMessages } from './metrics';
import { refusePlainRequests, WorkQueue } from './work-queue';

export const WATCHER_TIMEOUT = Duration.seconds(30);

const LATE_MINUTES = 5;

/**
 * The queue of the watcher, which learns how executions of state machines end. The default bus passes their
 * events to it, and the sweeper its questions.
 */
export class WatchQueue extends WorkQueue {
  constructor(scope: Construct, id: string) {
    // While the watcher is down, ends are late, and not lost.
    super(scope, id, { consumerTimeout: WATCHER_TIMEOUT, retention: Duration.days(4), name: 'watch' });
    const { attrArn: ruleArn } = new CfnRule(this, 'Rule', {
      description: 'Ends of executions of state machines that Quarterjack has started',
      eventPattern: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: {
          name: [{ prefix: ERRAND_PREFIX }],
          status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [{ id: 'Watcher', arn: this.queue.queueArn }],
    });
    const passing = new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: ['*'], // in the policy of a queue, `*` is the queue itself
      conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
    });
    refusePlainRequests(this, [this], passing);
  }

  /** Ends that are learnt late, or never. */
  alarms(): AlarmSpecs {
    return {
      DeadLettersWatcher: {
        section: 'dead-letters-watcher',
        summary:
          'Ends of state machines could not be handled; the next question about each execution finds them.',
        metric: visibleMessages(this.deadLetters, 'watcher'),
        breaching: { above: 0 },
        datapoints: [1, 1],
        missingData: 'not-breaching',
      },
      WatchLag: {
        section: 'watch-lag',
        summary: `Ends of state machines have waited for more than ${LATE_MINUTES} minutes: their jobs end late.`,
        metric: this.queue.metricApproximateAgeOfOldestMessage({
          label: 'oldest',
          period: PERIOD,
          statistic: Stats.MAXIMUM,
        }),
        breaching: { above: LATE_MINUTES * 60 },
        datapoints: [3, 3],
        missingData: 'not-breaching',
      },
      LostSight: {
        section: 'lost-sight',
        summary: 'An execution has ended without the end of the state machine that it waited for.',
        metric: stageMetric(this, Metric.lostSight),
        breaching: { above: 0 },
        datapoints: [1, 1],
        missingData: 'not-breaching',
      },
    };
  }
}
