import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { PingEnv } from '../../lambdas/core/contracts/env';
import { bind, type Binding } from './binding';
import { apiFunctionName } from './deployment-name';
import type { JobTables } from './job-tables';
import type { LifecycleEvents } from './lifecycle-events';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';
import type { SigningSecret } from './signing-secret';
import type { settingsOf } from './stage-settings';

interface PingFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly signingSecret: SigningSecret;
  readonly events: LifecycleEvents;
  readonly monitors: Binding<'MONITORS_URL'>;
}

/**
 * The function for pings of monitors. It has no authorizer before it, so it may do little: it reads jobs, and
 * writes executions, their logs and entries. It sends no work, and changes no job. The API makes new
 * monitors, by the key that a stranger has sent.
 */
export const addPingFunction = (
  scope: Construct,
  { defaults, tables, signingSecret, events, monitors }: PingFunctionProps,
  { dispatch }: ReturnType<typeof settingsOf>,
): PipelineFunction =>
  new PipelineFunction(scope, 'Ping', {
    ...defaults,
    stage: 'ping',
    functionName: apiFunctionName(scope, 'ping'),
    description: 'Takes the pings of jobs that run elsewhere',
    timeout: Duration.seconds(10),
    memoryMb: 256,
    env: PingEnv,
    uses: bind(
      tables.jobs.calls('GetItem', 'Query'),
      tables.executions.calls('GetItem', 'Query', 'PutItem', 'UpdateItem'),
      tables.schedule.calls('GetItem', 'Query', 'PutItem'),
      signingSecret.reading(),
      dispatch,
      events.publishing(),
      monitors,
    ),
  });
