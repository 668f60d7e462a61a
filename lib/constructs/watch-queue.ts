import { Arn, ArnFormat, Duration, Lazy } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import {
  ERRAND_SERVICES,
  type ErrandType,
  type EventDetail,
} from '../../lambdas/core/contracts/errand-services';
import type { AlarmSpecs } from './alarm-spec';
import { PERIOD, stageMetric, visibleMessages } from './metrics';
import { refusePlainRequests, WorkQueue } from './work-queue';

export const WATCHER_TIMEOUT = Duration.seconds(30);

const LATE_MINUTES = 5;

/** A pattern of a rule has at most 2,048 characters. */
const MOST_NAMES = 20;

/** A pattern with the names of what is started, as far as a rule can tell them. */
function withNames(detail: EventDetail, nameIn: string, arns: readonly string[]): EventDetail {
  const names = [...new Set(arns)].map(
    (arn) => Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME).resourceName ?? '',
  );
  const beginnings = names.map((name) => name.split('*', 1)[0]!);
  if (beginnings.includes('') || names.length > MOST_NAMES) return detail;
  return {
    ...detail,
    [nameIn]: names.map((name, at) => (name.includes('*') ? { prefix: beginnings[at] } : name)),
  };
}

/**
 * The queue of the watcher, which learns how errands end. The default bus passes their events to it, and the
 * sweeper its questions.
 */
export class WatchQueue extends WorkQueue {
  private readonly rules = new Map<ErrandType, CfnRule>();
  /** ARNs of what errands of a kind are started from. */
  private readonly started = new Map<ErrandType, string[]>();

  constructor(scope: Construct, id: string) {
    // While the watcher is down, ends are late, and not lost.
    super(scope, id, { consumerTimeout: WATCHER_TIMEOUT, retention: Duration.days(4), name: 'watch' });
    const passing = new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: ['*'], // in the policy of a queue, `*` is the queue itself
      conditions: { ArnEquals: { 'aws:SourceArn': Lazy.any({ produce: () => this.ruleArns() }) } },
    });
    refusePlainRequests(this, [this], passing);
  }

  /** Lets the events of a kind of errands in, of what is started from these ARNs. */
  receive(type: ErrandType, arns: readonly string[]): void {
    const started = this.started.get(type) ?? [];
    this.started.set(type, started);
    started.push(...arns);
    if (this.rules.has(type)) return;
    const { plural, events } = ERRAND_SERVICES[type];
    const { detail, nameIn } = events;
    const rule = new CfnRule(this, `Rule-${type}`, {
      description: `Ends of ${plural} that Quarterjack has started`,
      eventPattern: {
        source: [events.source],
        'detail-type': [events.detailType],
        detail:
          nameIn === undefined ? detail : Lazy.any({ produce: () => withNames(detail, nameIn, started) }),
      },
      targets: [{ id: 'Watcher', arn: this.queue.queueArn }],
    });
    this.rules.set(type, rule);
  }

  private ruleArns(): string | string[] {
    const arns = [...this.rules.values()].map(({ attrArn }) => attrArn);
    return arns.length === 1 ? arns[0]! : arns;
  }

  /** Ends that are learnt late, or never. */
  alarms(): AlarmSpecs {
    return {
      DeadLettersWatcher: {
        section: 'dead-letters-watcher',
        summary: 'Ends of errands could not be handled; the next question about each execution finds them.',
        metric: visibleMessages(this.deadLetters, 'watcher'),
        breaching: { above: 0 },
        datapoints: [1, 1],
        missingData: 'not-breaching',
      },
      WatchLag: {
        section: 'watch-lag',
        summary: `Ends of errands have waited for more than ${LATE_MINUTES} minutes: their jobs end late.`,
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
        summary: 'An execution has ended without the end of the errand that it waited for.',
        metric: stageMetric(this, Metric.lostSight),
        breaching: { above: 0 },
        datapoints: [1, 1],
        missingData: 'not-breaching',
      },
    };
  }
}
