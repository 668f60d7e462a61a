import { Duration, Validations } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

import { ExecutorEnv } from '../../lambdas/core/contracts/env';
import { DEFAULT_POOL, LANES } from '../../lambdas/core/contracts/pools';
import type { StageConfig } from '../config/stage-config';
import { directArnsOf } from './aws-targets';
import { bind, type Binding, settings } from './binding';
import type { EmailTopic } from './email-topic';
import { type ExecutionQueues, pascalCase } from './execution-queues';
import type { JobTables } from './job-tables';
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
}

export type Executors = Readonly<Record<typeof DEFAULT_POOL | (string & {}), PipelineFunction>>;

/**
 * One executor function for each pool. Its queues alone invoke it, so pools take no capacity from each other.
 * All have the role of the default pool's executor: the policies of targets name one role.
 */
export function addExecutors(
  scope: Construct,
  props: ExecutorFunctionsProps,
  common: ReturnType<typeof settingsOf>,
): Executors {
  const { config, executionQueues } = props;
  const uses = usesOf(props, common);
  const standard = addExecutor(scope, props, uses, { pool: DEFAULT_POOL });
  for (const arn of directArnsOf(config).filter((one) => one.includes('*')))
    Validations.of(standard).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${arn}]`,
      reason: 'The configuration allows targets by these names; region, account and service are fixed.',
    });
  const executors: Executors = { [DEFAULT_POOL]: standard, ...othersOf(scope, props, uses, standard) };
  for (const [pool, executor] of Object.entries(executors)) {
    const { batchSize, maxConcurrency, provisionedPollers } = config.pools[pool]!;
    for (const lane of LANES)
      executor.consume(executionQueues.byPool[pool]![lane].queue, {
        batchSize,
        ...(provisionedPollers[lane]
          ? { pollers: provisionedPollers[lane] }
          : { maxConcurrency: maxConcurrency[lane] }),
      });
  }
  return executors;
}

type Uses = ReturnType<typeof usesOf>;

const othersOf = (
  scope: Construct,
  props: ExecutorFunctionsProps,
  uses: Uses,
  standard: PipelineFunction,
): Record<string, PipelineFunction> =>
  Object.fromEntries(
    Object.keys(props.config.pools)
      .filter((pool) => pool !== DEFAULT_POOL)
      .map((pool) => [pool, addExecutor(scope, props, uses, { pool, like: standard })]),
  );

function addExecutor(
  scope: Construct,
  { config, defaults }: ExecutorFunctionsProps,
  uses: Uses,
  { pool, like }: { pool: string; like?: PipelineFunction },
): PipelineFunction {
  const { timeoutSec, memoryMb } = config.pools[pool]!;
  return new PipelineFunction(scope, like ? `Executor${pascalCase(pool)}` : 'Executor', {
    ...defaults,
    // A reservation is that of the default pool.
    ...(like && { reservedConcurrency: {} }),
    stage: 'executor',
    description: `Claims an execution, calls its target and records the outcome${like ? `; pool ${pool}` : ''}`,
    timeout: Duration.seconds(timeoutSec),
    memoryMb,
    env: ExecutorEnv,
    uses,
    role: like?.lambda.role,
    // It sends the next attempt to its own queue. Lambda would take that for a runaway loop, and drop the
    // message after about 16 rounds. Here the number of attempts and their age limit it.
    recursiveLoop: RecursiveLoop.ALLOW,
    hasAlias: config.executorShift !== 'all-at-once',
  });
}

function usesOf(props: ExecutorFunctionsProps, common: ReturnType<typeof settingsOf>) {
  const { config, tables, executionQueues, signingSecret, callback, emails, events } = props;
  const { targets, targetCalls, signing, dispatchWithQuotas } = common;
  return bind(
    tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
    tables.jobs.calls('GetItem', 'BatchGetItem', 'Query', 'UpdateItem'),
    tables.schedule.calls('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
    executionQueues.calls('SendMessage'),
    signingSecret.reading(),
    signing,
    targets,
    targetCalls,
    callback,
    emails.publishing(),
    dispatchWithQuotas,
    events.publishing(),
    settings({ METRICS_BY_PRIORITY: config.metricsByPriority ? 'on' : 'off' }),
  );
}
