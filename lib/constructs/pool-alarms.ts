import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import type { AlarmChoice, AlarmSpec, AlarmSpecs } from './alarm-spec';
import { pascalCase } from './execution-queues';
import type { PoolExecutors } from './executor-functions';
import { combined, functionMetric, sum, visibleMessages } from './metrics';
import type { MonitoredResources } from './monitored-resources';
import type { WorkQueue } from './work-queue';

/** Minutes without an empty queue after which a lane counts as standing still. */
const BACKLOG_MINUTES = 5;

/**
 * One alarm per pool, on its fullest lane. If all executors of a lane hang, nothing is claimed, so no other
 * metric tells of it. Messages that are delayed until their time are not visible, and do not count. The
 * canary measures the lanes of the default pool but the overflow: `essential` watches that one alone.
 */
export const backlogAlarms = (
  { executionQueues }: Pick<MonitoredResources, 'executionQueues'>,
  choice: AlarmChoice,
): AlarmSpecs =>
  Object.fromEntries(
    Object.entries(executionQueues.byPool).map(([pool, queues]): [string, AlarmSpec] => {
      const { overflow } = queues;
      const watchesAll = choice === 'all' || pool !== DEFAULT_POOL || !overflow;
      const waitingIn = ({ queue }: WorkQueue, lane: string): IMetric =>
        visibleMessages(queue, lane).with({ statistic: Stats.MINIMUM });
      return [
        `Backlog${pascalCase(pool)}`,
        {
          section: 'backlog',
          summary: `Due executions have waited in ${watchesAll ? 'a queue' : 'the overflow'} of pool ${pool} for ${BACKLOG_MINUTES} minutes.`,
          metric: watchesAll
            ? combined(
                'MAX',
                Object.entries(queues).map(([lane, queue]) => waitingIn(queue, lane)),
              )
            : waitingIn(overflow, 'overflow'),
          breaching: { above: 0 },
          datapoints: [BACKLOG_MINUTES, BACKLOG_MINUTES],
          missingData: 'not-breaching',
        },
      ];
    }),
  );

/** One alarm per pool, on the dead letters of all its queues. */
export const deadLetterAlarms = ({ executionQueues }: MonitoredResources): AlarmSpecs =>
  Object.fromEntries(
    Object.entries(executionQueues.byPool).map(([pool, queues]): [string, AlarmSpec] => [
      `DeadLetters${pascalCase(pool)}`,
      {
        section: 'dead-letters',
        summary: `Executions of pool ${pool} were moved to a dead-letter queue; the sweeper sends them again.`,
        metric: sum(Object.values(queues).map((queue) => visibleMessages(queue.deadLetters, queue.node.id))),
        breaching: { above: 0 },
        datapoints: [1, 1],
        missingData: 'not-breaching',
      },
    ]),
  );

/** Faults of the executors of each further pool. Those of the default pool are among all functions. */
export const executorAlarms = ({ executors }: MonitoredResources, choice: AlarmChoice): AlarmSpecs =>
  Object.fromEntries(
    Object.entries(executors)
      .filter(([pool]) => pool !== DEFAULT_POOL)
      .flatMap(([pool, both]): [string, AlarmSpec][] => [
        [
          `FunctionErrors${pascalCase(pool)}`,
          {
            section: 'function-errors',
            summary: `Executors of pool ${pool} crash, time out or fail to start.`,
            metric: ofBoth(both, 'Errors'),
            ...faults,
          },
        ],
        ...(choice === 'all' ? [throttlesAlarm(pool, both)] : []),
      ]),
  );

/** One alarm watches both functions of a pool. It is billed for each. */
const ofBoth = ({ short, long }: PoolExecutors, name: 'Errors' | 'Throttles'): IMetric =>
  sum([functionMetric(short, name, 'executor'), functionMetric(long, name, 'longExecutor')]);

const throttlesAlarm = (pool: string, both: PoolExecutors): [string, AlarmSpec] => [
  `Throttles${pascalCase(pool)}`,
  {
    section: 'throttles',
    summary: `Lambda throttles executors of pool ${pool}: the concurrency of the account is used up.`,
    metric: ofBoth(both, 'Throttles'),
    ...faults,
  },
];

const faults = { breaching: { above: 0 }, datapoints: [3, 5], missingData: 'not-breaching' } as const;
