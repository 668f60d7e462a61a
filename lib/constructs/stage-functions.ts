import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import {
  ApiEnv,
  AuditorEnv,
  CanaryEnv,
  ExecutorEnv,
  ScannerEnv,
  SweeperEnv,
  TickEnv,
} from '../../lambdas/core/contracts/env';
import { DEFAULT_POOL, LANES } from '../../lambdas/core/contracts/pools';
import { FAILURES_INDEX } from '../../lambdas/core/contracts/tables';
import { shardConcurrency, type StageConfig } from '../stage-config';
import { awsTargets } from './aws-targets';
import { bind, type Binding, settings } from './binding';
import type { ExecutionQueues } from './execution-queues';
import type { JobTables } from './job-tables';
import type { LifecycleEvents } from './lifecycle-events';
import { PipelineFunction, type FunctionDefaults } from './pipeline-function';
import type { RequestQueues } from './request-queues';
import type { SigningSecret } from './signing-secret';
import { tickScheduleName } from './tick-schedules';

export const SCANNER_TIMEOUT = Duration.minutes(1);
export const SWEEPER_TIMEOUT = Duration.minutes(1);

export interface StageFunctionsProps {
  readonly config: StageConfig;
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly executionQueues: ExecutionQueues;
  readonly requestQueues: RequestQueues;
  readonly signingSecret: SigningSecret;
  readonly callback: Binding<'CALLBACK_URL'>;
  /** Of the API. */
  readonly ownHost: string;
  readonly events: LifecycleEvents;
}

/** The stages in the order of a job's way, and who may do what: each role holds what is listed here, and no more. */
export class StageFunctions extends Construct {
  readonly api: PipelineFunction;
  readonly tick: PipelineFunction;
  readonly auditor: PipelineFunction;
  /** Every stage's function by the stage's name, in the order of a job's way. */
  readonly byStage: Record<string, PipelineFunction>;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: StageFunctionsProps,
  ) {
    super(scope, id);
    const { config, defaults, tables, executionQueues, requestQueues, signingSecret, callback, events } =
      props;
    const { allowedTargetHosts: hosts } = config;
    const quotas = settings({ QUOTAS: JSON.stringify(config.quotas) });
    const dispatching = settings({
      RETENTION_DAYS: config.retentionDays,
      HORIZON_SEC: config.horizonSec,
      USER_RATE_LIMITS: JSON.stringify({ [DEFAULT_POOL]: config.pools[DEFAULT_POOL].userSharePerSec }),
    });
    const shards = settings({ SHARD_COUNT: config.shardCount });
    const targets = settings({
      TARGET_POLICY: config.targetPolicy,
      // With the API's own host, which the canary calls; of users the API takes no job that leads to where it is called.
      TARGET_HOSTS: hosts ? [...hosts, props.ownHost].join(',') : '',
    });
    const deliveries = awsTargets(config.allowedTargetArns ?? []);
    const oneAShard = { batchSize: 1, maxConcurrency: shardConcurrency(config.shardCount) };

    this.api = new PipelineFunction(this, 'Api', {
      ...defaults,
      stage: 'api',
      description: 'Serves the HTTP API: checks, writes the entry, then the job',
      timeout: Duration.seconds(29), // API Gateway answers 504 after 30 s
      memoryMb: 512,
      env: ApiEnv,
      uses: bind(
        tables.jobs.calls('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
        tables.executions.calls('GetItem', 'Query', 'PutItem', 'UpdateItem'),
        tables.schedule.calls(
          'GetItem',
          'BatchGetItem',
          'Query',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'BatchWriteItem',
        ),
        tables.executions.queryingIndex(FAILURES_INDEX),
        executionQueues.calls('SendMessage'),
        signingSecret.reading(),
        shards,
        targets,
        settings({ TICK_SCHEDULE: tickScheduleName(this) }),
        settings(deliveries.env), // it judges them, the executor calls them
        quotas,
        dispatching,
        events.telling(),
      ),
    });

    this.tick = new PipelineFunction(this, 'Tick', {
      ...defaults,
      stage: 'tick',
      description: 'Asks for a scan, or sweeps, of every shard',
      timeout: Duration.seconds(30),
      memoryMb: 256,
      env: TickEnv,
      uses: bind(
        tables.schedule.calls('GetItem', 'BatchGetItem', 'UpdateItem'),
        requestQueues.scan.sending(),
        requestQueues.sweep.sending(),
        shards,
      ),
    });
    this.tick.dropAfterOneMinute();

    const scanner = new PipelineFunction(this, 'Scanner', {
      ...defaults,
      stage: 'scanner',
      description: 'Takes the entries of a shard up to the horizon and sends what they stand for',
      timeout: SCANNER_TIMEOUT,
      memoryMb: 512,
      env: ScannerEnv,
      uses: bind(
        tables.schedule.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'),
        tables.jobs.calls('BatchGetItem'),
        tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem'),
        executionQueues.calls('SendMessage'),
        dispatching,
        events.telling(),
      ),
    });
    scanner.consume(requestQueues.scan.queue, oneAShard);

    const pool = config.pools[DEFAULT_POOL];
    const executor = new PipelineFunction(this, 'Executor', {
      ...defaults,
      stage: 'executor',
      description: 'Claims an execution, calls its target and writes down what came of it',
      timeout: Duration.seconds(pool.timeoutSec),
      memoryMb: pool.memoryMb,
      env: ExecutorEnv,
      uses: bind(
        tables.executions.calls('GetItem', 'Query', 'PutItem', 'UpdateItem'),
        tables.jobs.calls('GetItem', 'BatchGetItem', 'UpdateItem'),
        tables.schedule.calls('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
        executionQueues.calls('SendMessage'),
        signingSecret.reading(),
        targets,
        deliveries,
        callback,
        dispatching,
        events.telling(),
        settings({ METRICS_BY_PRIORITY: config.metricsByPriority ? 'on' : 'off' }),
      ),
      // An executor sends the next attempt to the queue that feeds it. Lambda takes that for a runaway loop and drops
      // the message after about 16 rounds; here attempts and age bound it.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    for (const arn of (config.allowedTargetArns ?? []).filter((one) => one.includes('*')))
      Validations.of(executor).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${arn}]`,
        reason: 'The configuration allows users these names as targets; region, account and kind are fixed.',
      });
    for (const lane of LANES)
      executor.consume(executionQueues.byPool[DEFAULT_POOL][lane].queue, {
        batchSize: 10,
        maxConcurrency: pool.maxConcurrency[lane],
      });

    const sweeper = new PipelineFunction(this, 'Sweeper', {
      ...defaults,
      stage: 'sweeper',
      description: 'Looks at every entry a second time and repairs what got lost',
      timeout: SWEEPER_TIMEOUT,
      memoryMb: 512,
      env: SweeperEnv,
      uses: bind(
        tables.schedule.calls(
          'GetItem',
          'BatchGetItem',
          'Query',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'BatchWriteItem',
        ),
        tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
        tables.jobs.calls('GetItem', 'BatchGetItem', 'UpdateItem'),
        executionQueues.calls('GetQueueAttributes', 'SendMessage'),
        dispatching,
        events.telling(),
      ),
    });
    sweeper.consume(requestQueues.sweep.queue, oneAShard);

    this.auditor = new PipelineFunction(this, 'Auditor', {
      ...defaults,
      stage: 'auditor',
      description:
        'Looks for active jobs without a future entry and occurrences without a record; counts for quotas',
      timeout: Duration.minutes(5),
      memoryMb: 512,
      env: AuditorEnv,
      uses: bind(
        tables.jobs.calls('GetItem', 'Scan', 'UpdateItem'),
        tables.schedule.calls('GetItem', 'Query', 'PutItem', 'BatchWriteItem'),
        tables.executions.calls('GetItem', 'Query', 'PutItem'),
        executionQueues.calls('GetQueueAttributes', 'SendMessage'),
        quotas,
        dispatching,
        events.telling(),
      ),
    });
    this.auditor.dropAfterOneMinute();

    // For resources elsewhere whose policies have to let it in.
    new CfnOutput(Stack.of(this), 'ExecutorRoleArn', { value: executor.lambda.role!.roleArn });
    this.byStage = { api: this.api, tick: this.tick, scanner, executor, sweeper, auditor: this.auditor };
  }

  /** Measures the others from outside, hence after the API that it calls. */
  addCanary(apiUrl: string): PipelineFunction {
    const canary = new PipelineFunction(this, 'Canary', {
      ...this.props.defaults,
      stage: 'canary',
      description: 'Registers a job every few minutes and measures when it was delivered',
      timeout: Duration.minutes(1),
      memoryMb: 256,
      env: CanaryEnv,
      uses: bind(this.api.invoking('API_FUNCTION'), settings({ API_URL: apiUrl })),
    });
    canary.dropAfterOneMinute();
    this.byStage.canary = canary;
    return canary;
  }
}
