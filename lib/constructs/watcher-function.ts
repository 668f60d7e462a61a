import { Arn, ArnFormat } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import { WatcherEnv } from '../../lambdas/core/contracts/env';
import { ERRAND_SERVICES, ERRAND_TYPES, type ErrandType } from '../../lambdas/core/contracts/errand-services';
import { isResource, RUNS_IN, TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';
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

/** Whether what an entry allows may be started as an errand of a kind, or is where it is done. */
const MAY_START: Readonly<Record<ErrandType, (entry: string, config: TargetConfig) => boolean>> = {
  stepfunctions: (entry) => serviceOf(entry) === TARGET_RESOURCES.stepfunctions.service,
  ecs: (entry) => isResource(RUNS_IN.ecs, entry),
  batch: (entry) => isResource(RUNS_IN.batch, entry),
  glue: (entry) => isResource(TARGET_RESOURCES.glue, entry),
  codebuild: (entry) => isResource(TARGET_RESOURCES.codebuild, entry),
  durable: (entry, { errands }) => errands.durable && serviceOf(entry) === TARGET_RESOURCES.lambda.service,
};

/**
 * The kinds of errands that the configuration lets jobs start, with what allows each. A deployment with any
 * has a watcher.
 */
export function errandsOf(config: StageConfig): (readonly [type: ErrandType, entries: string[]])[] {
  const entries = Object.values(allowedOf(config)).flat();
  return ERRAND_TYPES.map(
    (type) => [type, entries.filter((entry) => MAY_START[type](entry, config))] as const,
  ).filter(([, allowing]) => allowing.length > 0);
}

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
 * The function that learns how errands end, and stops them. It may start none: the role that starts does not
 * stop, and the reverse.
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
    description: 'Learns how errands end, and settles the executions that wait for them',
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

function watching(config: StageConfig): Binding<never> {
  const entries = directArnsOf(config);
  const statements = ERRAND_TYPES.flatMap((type) =>
    watchingOf(
      type,
      entries.filter((entry) => MAY_START[type](entry, config)),
    ),
  );
  return { env: {}, statements: [...statements, ...assuming(config)] };
}

/** A statement for each set of actions, with the resources of all targets. */
function watchingOf(type: ErrandType, arns: readonly string[]): PolicyStatement[] {
  const needed = arns.map((arn) => ERRAND_SERVICES[type].watching(namedIn(arn, type)));
  return (needed[0] ?? []).map(({ actions }, index) => {
    const resources = [...new Set(needed.flatMap((one) => one[index]!.resources))];
    const clusters = needed.flatMap((one) => one[index]!.clusters ?? []);
    return new PolicyStatement({
      actions: [...actions],
      resources,
      ...(clusters.length > 0 && { conditions: { ArnLike: { 'ecs:cluster': clusters } } }),
    });
  });
}

/** Lets the watcher watch errands of what the stack's program allows. */
export function permitWatching(watcher: PipelineFunction, type: ErrandType, arn: string): void {
  for (const statement of watchingOf(type, [arn])) {
    watcher.permit(statement);
    acknowledgePatterns(watcher.lambda.role!, [statement]);
  }
}

/** Kinds with a colon before the name in an ARN. */
const COLONS: readonly ErrandType[] = ['stepfunctions', 'durable'];

/** The parts of an ARN, which may be known at deployment alone. */
function namedIn(arn: string, type: ErrandType) {
  const format = COLONS.includes(type) ? ArnFormat.COLON_RESOURCE_NAME : ArnFormat.SLASH_RESOURCE_NAME;
  const { resourceName = '', ...parts } = Arn.split(arn, format);
  return {
    name: resourceName.split(':')[0]!,
    arnOf: (resource: string) => Arn.format({ ...parts, resource, arnFormat: ArnFormat.NO_RESOURCE_NAME }),
  };
}
