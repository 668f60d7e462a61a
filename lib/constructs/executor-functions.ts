import { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

import { ExecutorEnv } from '../../lambdas/core/contracts/env';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import { type Calls, lanesOf } from '../config/pools';
import type { StageConfig } from '../config/stage-config';
import type { AddedTargets } from './added-targets';
import { bind, type Binding, settings } from './binding';
import type { EmailTopic } from './email-topic';
import { type ExecutionQueues, suffixOf } from './execution-queues';
import type { JobTables } from './job-tables';
import { makingInterfaces, sayPrices } from './private-pools';
import type { LifecycleEvents } from './lifecycle-events';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';
import type { SigningSecret } from './signing-secret';
import type { settingsOf } from './stage-settings';

export interface ExecutorFunctionsProps {
  readonly config: StageConfig;
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly executionQueues: ExecutionQueues;
  readonly signingSecret: SigningSecret;
  readonly callback: Binding<'CALLBACK_URL'>;
  readonly emails: EmailTopic;
  readonly events: LifecycleEvents;
  readonly added: AddedTargets;
}

/** The executor functions of a pool: `long` reads the lane for long calls, and `short` all others. */
export type PoolExecutors = Readonly<Record<Calls, PipelineFunction>>;
export type Executors = Readonly<Record<typeof DEFAULT_POOL | (string & {}), PoolExecutors>>;

/**
 * Two executor functions for each pool. Its queues alone invoke them, so pools take no capacity from each
 * other. Nor do long calls occupy the environments of short ones, which would then start cold. All have the
 * role of the default pool's executor: the policies of targets name one role. Those of another pool in a VPC
 * have a role of their own, since it may make network interfaces.
 */
export function addExecutors(
  scope: Construct,
  props: ExecutorFunctionsProps,
  common: ReturnType<typeof settingsOf>,
): Executors {
  const { config } = props;
  const uses = usesOf(props, common);
  sayPrices(scope, config);
  const standard = addExecutor(scope, props, uses, { pool: DEFAULT_POOL, calls: 'short' });
  const { role } = standard.lambda;
  const executorOf = (pool: string, calls: Calls): PipelineFunction =>
    pool === DEFAULT_POOL && calls === 'short'
      ? standard
      : addExecutor(scope, props, uses, { pool, calls, role });
  const pools = Object.entries(config.pools).map(([pool, { vpc }]): [string, PoolExecutors] => {
    const own =
      vpc && pool !== DEFAULT_POOL ? addExecutor(scope, props, uses, { pool, calls: 'short' }) : undefined;
    if (!own) return [pool, { short: executorOf(pool, 'short'), long: executorOf(pool, 'long') }];
    const long = addExecutor(scope, props, uses, { pool, calls: 'long', role: own.lambda.role });
    return [pool, { short: own, long }];
  });
  return Object.fromEntries(pools) as Executors;
}

type Uses = ReturnType<typeof usesOf>;

const NOTHING: Binding<never> = { env: {}, statements: [] };

/** What `reservedConcurrency` calls the executors of the pool `default`. Those of other pools have none. */
const RESERVATIONS = { short: 'executor', long: 'longExecutor' } as const;

/** `Executor` or `LongExecutor`, and the pool: no name of a pool makes one of the other. */
const idOf = (pool: string, calls: Calls): string =>
  `${calls === 'long' ? 'Long' : ''}Executor${suffixOf(pool)}`;

/** An executor function, with the lanes that it reads. */
function addExecutor(
  scope: Construct,
  { config, defaults, executionQueues }: ExecutorFunctionsProps,
  uses: Uses,
  { pool, calls, role }: { pool: string; calls: Calls; role?: IRole | undefined },
): PipelineFunction {
  const { timeoutSec, memoryMb, batchSize, maxConcurrency, provisionedPollers, vpc } = config.pools[pool]!;
  const reserved = pool === DEFAULT_POOL ? config.reservedConcurrency[RESERVATIONS[calls]] : undefined;
  const parts = [
    'Claims an execution, calls its target and records the outcome',
    ...(calls === 'long' ? ['long calls'] : []),
    ...(pool === DEFAULT_POOL ? [] : [`pool ${pool}`]),
  ];
  const executor = new PipelineFunction(scope, idOf(pool, calls), {
    ...defaults,
    reservedConcurrency: reserved === undefined ? {} : { executor: reserved },
    stage: 'executor',
    description: parts.join('; '),
    timeout: Duration.seconds(timeoutSec),
    memoryMb,
    env: ExecutorEnv,
    uses: bind(uses, settings({ VPC_POOL: vpc ? pool : '' }), vpc ? makingInterfaces(scope) : NOTHING),
    role,
    vpc,
    // It sends the next attempt to its own queue. Lambda would take that for a runaway loop, and drop the
    // message after about 16 rounds. Here the number of attempts and their age limit it.
    recursiveLoop: RecursiveLoop.ALLOW,
    hasAlias: config.executorShift !== 'all-at-once',
  });
  for (const lane of lanesOf(calls, config.laneQueues))
    executor.consume(executionQueues.byPool[pool]![lane]!.queue, {
      batchSize,
      ...(provisionedPollers[lane]
        ? { pollers: provisionedPollers[lane] }
        : { maxConcurrency: maxConcurrency[lane] }),
    });
  return executor;
}

function usesOf(props: ExecutorFunctionsProps, common: ReturnType<typeof settingsOf>) {
  const { config, tables, executionQueues, signingSecret, callback, emails, events, added } = props;
  const { targets, targetCalls, signing, dispatch } = common;
  return bind(
    tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
    tables.jobs.calls('GetItem', 'BatchGetItem', 'Query', 'UpdateItem'),
    tables.schedule.calls('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
    executionQueues.calls('SendMessage'),
    executionQueues.receiving(),
    signingSecret.reading(),
    signing,
    targets,
    targetCalls,
    callback,
    emails.publishing(),
    dispatch,
    events.publishing(),
    settings({
      METRICS_BY_PRIORITY: config.metricsByPriority ? 'on' : 'off',
      ADDED_ECS_CLUSTERS: added.clustersAsJson(),
      ACTIONS_ROLE_ARN: added.actionsRoleArn(),
    }),
  );
}
