import { Arn, ArnFormat } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import { WatcherEnv } from '../../lambdas/core/contracts/env';
import { ERRAND_PREFIX, TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';
import type { StageConfig } from '../config/stage-config';
import { allowedOf, assuming, directArnsOf, serviceOf, type TargetConfig } from './aws-targets';
import { acknowledgePatterns, bind, type Binding, settings } from './binding';
import type { ExecutionQueues } from './execution-queues';
import type { JobTables } from './job-tables';
import type { LifecycleEvents } from './lifecycle-events';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';
import type { SigningSecret } from './signing-secret';
import type { settingsOf } from './stage-settings';
import { WATCHER_TIMEOUT, type WatchQueue } from './watch-queue';
import { receivingFrom } from './work-queue';

const isStateMachine = (arn: string): boolean => serviceOf(arn) === TARGET_RESOURCES.stepfunctions.service;

/** Whether the configuration lets jobs start state machines. A deployment has a watcher then. */
export const allowsStateMachines = (config: StageConfig): boolean =>
  Object.values(allowedOf(config)).flat().some(isStateMachine);

interface WatcherProps {
  readonly config: StageConfig;
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly executionQueues: ExecutionQueues;
  readonly signingSecret: SigningSecret;
  readonly console: Binding<'CONSOLE_URL'>;
  readonly events: LifecycleEvents;
}

/**
 * The function that learns how executions of state machines end, and stops them. It may start none: the
 * role that starts does not stop, and the reverse.
 */
export function addWatcherFunction(
  scope: Construct,
  watchQueue: WatchQueue,
  { config, defaults, tables, executionQueues, signingSecret, console, events }: WatcherProps,
  { dispatch }: Pick<ReturnType<typeof settingsOf>, 'dispatch'>,
): PipelineFunction {
  const { SIGNING_SECRET_ARN } = signingSecret.reading().env;
  const watcher = new PipelineFunction(scope, 'Watcher', {
    ...defaults,
    stage: 'watcher',
    description: 'Learns how executions of state machines end, and settles those that wait for them',
    timeout: WATCHER_TIMEOUT,
    memoryMb: 256,
    env: WatcherEnv,
    uses: bind(
      tables.schedule.calls('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
      tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
      tables.jobs.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
      executionQueues.calls('SendMessage'),
      receivingFrom([watchQueue.queue.queueArn]),
      // Its ARN alone: it tells in which region and account the deployment is.
      settings({ SIGNING_SECRET_ARN }),
      watching(config),
      dispatch,
      console,
      events.publishing(),
    ),
  });
  watcher.consume(watchQueue.queue, { batchSize: 10, maxConcurrency: 2 });
  return watcher;
}

function watching(config: TargetConfig): Binding<never> {
  const resources = directArnsOf(config).filter(isStateMachine).map(executionsOf);
  return {
    env: {},
    statements: [...(resources.length === 0 ? [] : [watchingOf(resources)]), ...assuming(config)],
  };
}

const watchingOf = (resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions: ['states:DescribeExecution', 'states:StopExecution'], resources });

/** Lets the watcher watch a state machine that the stack's program allows. */
export function permitWatching(watcher: PipelineFunction, stateMachineArn: string): void {
  const statement = watchingOf([executionsOf(stateMachineArn)]);
  watcher.permit(statement);
  acknowledgePatterns(watcher.lambda.role!, [statement]);
}

/** The executions of a state machine that a deployment of Quarterjack may have started. */
function executionsOf(stateMachineArn: string): string {
  const parts = Arn.split(stateMachineArn, ArnFormat.COLON_RESOURCE_NAME);
  const resourceName = `${parts.resourceName}:${ERRAND_PREFIX}*`;
  return Arn.format({ ...parts, resource: 'execution', resourceName });
}
