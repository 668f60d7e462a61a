import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { WorkerEnv } from '../../lambdas/core/contracts/env';
import { SHARED_CLAIM_CONCURRENCY } from '../../lambdas/core/contracts/work-keys';
import { bind, settings } from './binding';
import { apiFunctionName } from './deployment-name';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';
import type { ExecutionQueues } from './execution-queues';
import type { JobTables } from './job-tables';
import type { LifecycleEvents } from './lifecycle-events';
import type { SigningSecret } from './signing-secret';
import type { settingsOf } from './stage-settings';

interface WorkerFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly executionQueues: ExecutionQueues;
  readonly signingSecret: SigningSecret;
  readonly events: LifecycleEvents;
}

/**
 * The function for claims of workers. They may wait for seconds, so they take no concurrency from the API.
 */
export function addWorkerFunction(
  scope: Construct,
  { defaults, tables, executionQueues, signingSecret, events }: WorkerFunctionProps,
  { dispatch }: ReturnType<typeof settingsOf>,
): PipelineFunction {
  const reserved = defaults.reservedConcurrency?.worker;
  return new PipelineFunction(scope, 'Worker', {
    ...defaults,
    stage: 'worker',
    functionName: apiFunctionName(scope, 'worker'),
    description: 'Hands out the work of work queues, and waits for some',
    timeout: Duration.seconds(29), // API Gateway answers 504 after 30 s
    memoryMb: 256,
    env: WorkerEnv,
    uses: bind(
      tables.jobs.calls('GetItem', 'BatchGetItem', 'Query', 'UpdateItem'),
      tables.schedule.calls('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
      tables.executions.calls('GetItem', 'Query', 'PutItem', 'UpdateItem'),
      executionQueues.calls('SendMessage'),
      signingSecret.reading(),
      dispatch,
      settings({ CLAIM_CONCURRENCY: reserved ?? SHARED_CLAIM_CONCURRENCY }),
      events.publishing(),
    ),
  });
}
