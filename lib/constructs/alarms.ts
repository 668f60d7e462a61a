import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { functionMetric, PERIOD, stageMetric, visibleMessages } from './metrics';
import { pascalCase } from './pascal-case';
import type { Watched } from './monitored-resources';

export interface AlarmsProps extends Watched {
  readonly topic: Topic;
  /** Where the runbook is read, without `#section`. */
  readonly runbookUrl: string;
}

interface AlarmSpec {
  /** Section of the runbook. */
  readonly section: string;
  /** What is wrong, in one sentence. */
  readonly says: string;
  readonly metric: IMetric;
  /** Breaching is to be above `above`, or below `below`. */
  readonly breaching: { above: number } | { below: number };
  /** `[datapoints, periods]`: that many breaching ones out of the last so many. */
  readonly within: readonly [datapoints: number, periods: number];
  /** What a period without data means: nothing happened, or nothing works. */
  readonly silence: 'fine' | 'breaching';
}

/** Late by the promise is a p99 of more than a second. */
const LATE_MS = 1_000;
const LAGGING_SEC = 120;
const CANARY_LATE_MS = 5_000;

/**
 * What an operator is woken for. Each alarm's text names its section of the runbook. Those on what always happens (a
 * tick, an audit, the canary) take silence for a fault: nothing that is broken has to be able to say so.
 */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    for (const [name, spec] of Object.entries({ ...pipelineAlarms(this, props), ...platformAlarms(props) }))
      this.add(name, spec, props);
  }

  private add(name: string, spec: AlarmSpec, { topic, runbookUrl }: AlarmsProps): void {
    const [datapointsToAlarm, evaluationPeriods] = spec.within;
    const isFloor = 'below' in spec.breaching;
    const alarm = new Alarm(this, name, {
      alarmDescription: `${spec.says} Runbook: ${runbookUrl}#${spec.section}`,
      metric: spec.metric,
      threshold: 'below' in spec.breaching ? spec.breaching.below : spec.breaching.above,
      comparisonOperator: isFloor
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData:
        spec.silence === 'breaching' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}

/** On the way of a job. */
function pipelineAlarms(
  scope: Construct,
  { functions, requestQueues }: AlarmsProps,
): Record<string, AlarmSpec> {
  return {
    Canary: {
      section: 'canary',
      says: `The canary's jobs are not delivered, or more than ${CANARY_LATE_MS / 1_000} s after their due time.`,
      metric: stageMetric(scope, Metric.canaryDeliveryMs, { statistic: Stats.MAXIMUM }).with({
        period: Duration.minutes(5),
      }),
      breaching: { above: CANARY_LATE_MS },
      within: [3, 3],
      silence: 'breaching',
    },
    DidNotRun: {
      section: 'did-not-run',
      says: 'The auditor found an active job that nobody would have run again, and repaired it.',
      metric: stageMetric(scope, Metric.didNotRun),
      breaching: { above: 0 },
      within: [1, 1],
      silence: 'fine',
    },
    TickSilent: {
      section: 'tick-silent',
      says: 'No scan has been asked for in five minutes: nothing new is dispatched.',
      // Not the invocations of the tick: the schedule of the sweeps goes on where that of the scans has ended.
      metric: requestQueues.scan.queue.metricNumberOfMessagesSent({
        label: 'scans',
        period: PERIOD,
        statistic: Stats.SUM,
      }),
      breaching: { below: 1 },
      within: [5, 5],
      silence: 'breaching',
    },
    AuditorSilent: {
      section: 'auditor-silent',
      says: 'The auditor has not run for half an hour: what got lost would stay lost.',
      metric: functionMetric(functions.auditor!, 'Invocations', 'auditor').with({
        period: Duration.minutes(10),
      }),
      breaching: { below: 1 },
      within: [3, 3],
      silence: 'breaching',
    },
    CursorLag: {
      section: 'cursor-lag',
      says: `A shard's scan is more than ${LAGGING_SEC} s behind: its jobs run late.`,
      metric: stageMetric(scope, Metric.cursorLagSec, { statistic: Stats.MAXIMUM }),
      breaching: { above: LAGGING_SEC },
      within: [3, 3],
      silence: 'breaching',
    },
    SweepLag: {
      section: 'sweep-lag',
      says: `A shard's sweep is more than ${LAGGING_SEC} s behind: lost work is found late.`,
      metric: stageMetric(scope, Metric.sweepLagSec, { statistic: Stats.MAXIMUM }),
      breaching: { above: LAGGING_SEC },
      within: [3, 3],
      silence: 'breaching',
    },
    Lateness: {
      section: 'lateness',
      says: `One execution in a hundred starts more than ${LATE_MS} ms after its due time.`,
      metric: stageMetric(scope, Metric.latenessMs, { statistic: Stats.p(99) }),
      breaching: { above: LATE_MS },
      within: [5, 5],
      silence: 'fine',
    },
    SetAside: {
      section: 'set-aside',
      says: 'An entry could not be handled and was set aside.',
      metric: stageMetric(scope, Metric.quarantined),
      breaching: { above: 0 },
      within: [1, 1],
      silence: 'fine',
    },
  };
}

/** On what the stages run on. */
function platformAlarms(watched: AlarmsProps): Record<string, AlarmSpec> {
  const { functions, executionQueues, requestQueues, httpApi } = watched;
  const ofAll = (name: 'Errors' | 'Throttles') =>
    sum(Object.entries(functions).map(([stage, one]) => functionMetric(one, name, stage)));
  const deadLetters = Object.fromEntries(
    Object.entries(executionQueues.byPool).map(([pool, queues]) => [
      `DeadLetters${pascalCase(pool)}`,
      {
        section: 'dead-letters',
        says: `Executions of pool ${pool} were given up by their queue; the sweeper sends them again.`,
        metric: sum(Object.values(queues).map((queue) => visibleMessages(queue.deadLetters, queue.node.id))),
        breaching: { above: 0 },
        within: [1, 1],
        silence: 'fine',
      } satisfies AlarmSpec,
    ]),
  );
  return {
    ...deadLetters,
    DeadRequests: {
      section: 'dead-requests',
      says: 'Scans or sweeps keep failing: their requests were given up by the queue.',
      metric: sum([
        visibleMessages(requestQueues.scan.deadLetters, 'scan'),
        visibleMessages(requestQueues.sweep.deadLetters, 'sweep'),
      ]),
      breaching: { above: 0 },
      within: [1, 1],
      silence: 'fine',
    },
    FunctionErrors: {
      section: 'function-errors',
      says: 'Functions crash, time out or cannot start.',
      metric: ofAll('Errors'),
      breaching: { above: 0 },
      within: [3, 5],
      silence: 'fine',
    },
    Throttles: {
      section: 'throttles',
      says: 'Lambda refuses invocations: the concurrency of the account is used up.',
      metric: ofAll('Throttles'),
      breaching: { above: 0 },
      within: [3, 5],
      silence: 'fine',
    },
    ApiFaults: {
      section: 'api-faults',
      says: 'The API answers with 5xx.',
      metric: httpApi.metricServerError({ period: PERIOD, statistic: Stats.SUM }),
      breaching: { above: 0 },
      within: [3, 5],
      silence: 'fine',
    },
  };
}

/** CloudWatch takes no more in an alarm, and says so only when it is made. */
const MOST_METRICS = 10;

function sum(metrics: readonly IMetric[]): MathExpression {
  if (metrics.length > MOST_METRICS)
    throw new Error(`an alarm on ${metrics.length} metrics; CloudWatch takes ${MOST_METRICS}`);
  const named = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: `SUM([${named.map(([name]) => name).join(', ')}])`,
    usingMetrics: Object.fromEntries(named),
    period: PERIOD,
  });
}
