import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

import { Metric } from '../../lambdas/core/contracts/metrics';
import { CANARY_LANES } from '../../lambdas/core/contracts/pools';
import type { AlarmChoice, AlarmSpecs } from './alarm-spec';
import { functionMetric, PERIOD, stageMetric, sum, throttlesOf, visibleMessages } from './metrics';
import type { MonitoredResources } from './monitored-resources';
import { backlogAlarms, deadLetterAlarms } from './pool-alarms';

const CANARY_LATENESS_LIMIT_MS = 5_000;
const LAG_LIMIT_SEC = 120;
/** The promise to users: a p99 of at most one second. */
const LATENESS_LIMIT_MS = 1_000;

/** From outside: jobs of the canary are created through the API and delivered to it. */
export const canaryAlarms = (scope: Construct): AlarmSpecs => ({
  Canary: {
    section: 'canary',
    summary: `The canary's jobs, one for each lane but the overflow in turn, are not delivered, or more than ${CANARY_LATENESS_LIMIT_MS / 1_000} s after their due time.`,
    metric: stageMetric(scope, Metric.canaryDeliveryMs, { statistic: Stats.MAXIMUM }).with({
      period: Duration.minutes(5),
    }),
    breaching: { above: CANARY_LATENESS_LIMIT_MS },
    // Any two rounds have two jobs of each lane. In a shorter window, the first of them would be gone before
    // the next comes, and the alarm would end while the lane still stands.
    datapoints: [2, 2 * CANARY_LANES.length],
    missingData: 'breaching',
  },
});

/** The cause of scans that have stopped. In any case they show in `CursorLag`, whose data then ends. */
const tickAlarms = ({ requestQueues }: Pick<MonitoredResources, 'requestQueues'>): AlarmSpecs => ({
  TickSilent: {
    section: 'tick-silent',
    summary: 'No scan was requested for five minutes: no new jobs are dispatched.',
    // Not the invocations of the tick: those for sweeps continue after those for scans have stopped.
    metric: requestQueues.scan.queue.metricNumberOfMessagesSent({
      label: 'scans',
      period: PERIOD,
      statistic: Stats.SUM,
    }),
    breaching: { below: 1 },
    datapoints: [5, 5],
    missingData: 'breaching',
  },
});

/** Jobs that are not dispatched, or not repaired. */
export const pipelineAlarms = (
  scope: Construct,
  resources: MonitoredResources,
  choice: AlarmChoice,
): AlarmSpecs => ({
  ...(choice === 'all' && tickAlarms(resources)),
  Quarantined: {
    section: 'quarantined',
    summary: 'A schedule entry could not be handled and was quarantined.',
    metric: stageMetric(scope, Metric.quarantined),
    breaching: { above: 0 },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
  DidNotRun: {
    section: 'did-not-run',
    summary: 'The auditor found an active job that would not have run again, and repaired it.',
    metric: stageMetric(scope, Metric.didNotRun),
    breaching: { above: 0 },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
  AuditorSilent: {
    section: 'auditor-silent',
    summary: 'The auditor has not run, or has failed, for half an hour: lost work would stay lost.',
    // Each invocation that succeeds leaves a sample, mostly 0.
    metric: stageMetric(scope, Metric.didNotRun, { statistic: Stats.SAMPLE_COUNT }).with({
      period: Duration.minutes(10),
    }),
    breaching: { below: 1 },
    datapoints: [3, 3],
    missingData: 'breaching',
  },
});

/** Share of the tasks for which rechecks may have found something lost. */
const REPAIRED_SHARE = 0.01;
const REPAIRED_PERIOD = Duration.minutes(15);

/** Runs of workflows that go on only because they are rechecked. */
export const workflowAlarms = (scope: Construct): AlarmSpecs => ({
  RunsRepaired: {
    section: 'runs-repaired',
    summary: `For more than ${REPAIRED_SHARE * 100} % of the tasks, a recheck found a lost message or a lost mark: their runs are late.`,
    metric: new MathExpression({
      // Without a task that started, each repair counts.
      expression: 'FILL(repaired, 0) / IF(FILL(started, 0) > 0, FILL(started, 0), 1)',
      usingMetrics: {
        repaired: stageMetric(scope, Metric.runsRepaired).with({ period: REPAIRED_PERIOD }),
        started: stageMetric(scope, Metric.tasksStarted).with({ period: REPAIRED_PERIOD }),
      },
      period: REPAIRED_PERIOD,
    }),
    breaching: { above: REPAIRED_SHARE },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
});

/** Jobs that run, but late. */
export const lagAlarms = (
  scope: Construct,
  resources: MonitoredResources,
  choice: AlarmChoice,
): AlarmSpecs => ({
  ...backlogAlarms(resources, choice),
  CursorLag: {
    section: 'cursor-lag',
    summary: `The scan of a shard is more than ${LAG_LIMIT_SEC} s behind, or no scan has run: jobs run late.`,
    metric: stageMetric(scope, Metric.cursorLagSec, { statistic: Stats.MAXIMUM }),
    breaching: { above: LAG_LIMIT_SEC },
    datapoints: [3, 3],
    missingData: 'breaching',
  },
  SweepLag: {
    section: 'sweep-lag',
    summary: `The sweep of a shard is more than ${LAG_LIMIT_SEC} s behind: lost work is found late.`,
    metric: stageMetric(scope, Metric.sweepLagSec, { statistic: Stats.MAXIMUM }),
    breaching: { above: LAG_LIMIT_SEC },
    datapoints: [3, 3],
    missingData: 'breaching',
  },
  Lateness: {
    section: 'lateness',
    summary: `One execution in a hundred starts more than ${LATENESS_LIMIT_MS} ms after its due time.`,
    metric: stageMetric(scope, Metric.latenessMs, { statistic: Stats.p(99) }),
    breaching: { above: LATENESS_LIMIT_MS },
    datapoints: [5, 5],
    missingData: 'not-breaching',
  },
});

/**
 * Functions whose errors no other alarm shows. Errors of the tick, the scanner and the sweeper show as lags,
 * and those of the auditor as its silence. Those of the API, the worker's function, that of pings and the
 * authorizer show as 5xx. The canary has an alarm of its own.
 */
const WITHOUT_OTHER_ALARM = ['executor', 'longExecutor'];

/** An alarm adds up ten metrics at most. Faults of pings show as 5xx, and their throttles as 503. */
const inSums = (functions: MonitoredResources['functions']): string[] =>
  Object.keys(functions).filter((stage) => stage !== 'ping');

/** Faults of queues, functions and the HTTP API. */
export function platformAlarms(resources: MonitoredResources, choice: AlarmChoice): AlarmSpecs {
  const { functions, httpApi } = resources;
  const ofFunctions = (name: 'Errors' | 'Throttles', among = inSums(functions)) =>
    sum(among.map((stage) => functionMetric(functions[stage]!, name, stage)));
  return {
    ...deadLetterAlarms(resources),
    ...(choice === 'all' && deadRequestAlarms(resources)),
    FunctionErrors: {
      section: 'function-errors',
      summary: 'Functions crash, time out or fail to start.',
      metric: ofFunctions('Errors', choice === 'all' ? undefined : WITHOUT_OTHER_ALARM),
      breaching: { above: 0 },
      datapoints: [3, 5],
      missingData: 'not-breaching',
    },
    ApiFaults: {
      section: 'api-faults',
      summary: 'The API returns 5xx responses.',
      metric: httpApi.metricServerError({ period: PERIOD, statistic: Stats.SUM }),
      breaching: { above: 0 },
      datapoints: [3, 5],
      missingData: 'not-breaching',
    },
    ...(choice === 'all' && throttleAlarms(ofFunctions('Throttles'))),
    ...tableAlarms(resources),
  };
}

/** A request that is dead is a scan or a sweep that did not happen: it shows as a lag too. */
const deadRequestAlarms = ({ requestQueues }: MonitoredResources): AlarmSpecs => ({
  DeadRequests: {
    section: 'dead-requests',
    summary: 'Scans or sweeps keep failing: their requests were moved to the dead-letter queues.',
    metric: sum([
      visibleMessages(requestQueues.scan.deadLetters, 'scan'),
      visibleMessages(requestQueues.sweep.deadLetters, 'sweep'),
    ]),
    breaching: { above: 0 },
    datapoints: [1, 1],
    missingData: 'not-breaching',
  },
});

const throttleAlarms = (throttles: IMetric): AlarmSpecs => ({
  Throttles: {
    section: 'throttles',
    summary: 'Lambda throttles invocations: the concurrency of the account is used up.',
    metric: throttles,
    breaching: { above: 0 },
    datapoints: [3, 5],
    missingData: 'not-breaching',
  },
});

/** Each throttled request is tried again, so single ones only delay. */
const THROTTLED_A_MINUTE = 100;

const tableAlarms = ({ provisionedTables }: MonitoredResources): AlarmSpecs =>
  provisionedTables.length === 0
    ? {}
    : {
        TableThrottles: {
          section: 'table-throttles',
          summary:
            'Tables throttle requests: their capacity is used up, and autoscaling lags or is at its bound.',
          metric: sum(provisionedTables.flatMap(throttlesOf)),
          breaching: { above: THROTTLED_A_MINUTE },
          datapoints: [3, 5],
          missingData: 'not-breaching',
        },
      };
