import { Duration, Lazy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import {
  ApiEnv,
  AuditorEnv,
  AuthorizerEnv,
  ScannerEnv,
  SweeperEnv,
  TickEnv,
} from '../../lambdas/core/contracts/env';
import { version } from '../../package.json';
import type { StageConfig } from '../config/stage-config';
import { DEFAULT_POOL } from '../../lambdas/core/contracts/pools';
import { API_KEY_ROWS, FAILURES_INDEX } from '../../lambdas/core/contracts/tables';
import { bind, type Binding, settings } from './binding';
import { addCanaryFunction } from './canary-function';
import { dashboardName } from './dashboard';
import { apiFunctionName } from './deployment-name';
import type { EmailTopic } from './email-topic';
import type { ExecutionQueues } from './execution-queues';
import { addExecutors, type Executors } from './executor-functions';
import { addExporterFunction, type SpansQueue } from './exporter-function';
import { addFollowerFunction, type DeadEnds } from './follower-function';
import type { JobTables } from './job-tables';
import type { LifecycleEvents } from './lifecycle-events';
import { addPingFunction } from './ping-function';
import { PipelineFunction, type FunctionDefaults } from './pipeline-function';
import type { RequestQueues } from './request-queues';
import type { SigningSecret } from './signing-secret';
import { SCANNER_TIMEOUT, settingsOf, shardRequests, SWEEPER_TIMEOUT } from './stage-settings';
import type { StageSettingsProps } from './stage-settings';
import { tickScheduleName } from './tick-schedules';
import type { WatchQueue } from './watch-queue';
import { addWatcherFunction } from './watcher-function';
import { administering } from './work-queue';
import { addWorkerFunction } from './worker-function';

export interface StageFunctionsProps extends StageSettingsProps {
  readonly defaults: FunctionDefaults;
  readonly tables: JobTables;
  readonly executionQueues: ExecutionQueues;
  readonly requestQueues: RequestQueues;
  readonly signingSecret: SigningSecret;
  readonly callback: Binding<'CALLBACK_URL'>;
  readonly monitors: Binding<'MONITORS_URL'>;
  readonly console: Binding<'CONSOLE_URL'>;
  readonly emails: EmailTopic;
  readonly signIn: Binding<'SIGN_IN'>;
  readonly events: LifecycleEvents;
}

/** One function per stage, in pipeline order. `uses` lists everything that its role permits. */
export class StageFunctions extends Construct {
  readonly authorizer: PipelineFunction;
  readonly api: PipelineFunction;
  readonly worker: PipelineFunction;
  readonly ping: PipelineFunction;
  readonly tick: PipelineFunction;
  /** The executor of short calls of the default pool, whose role all executors have. */
  readonly executor: PipelineFunction;
  /** The two executors of each pool. */
  readonly executors: Executors;
  readonly auditor: PipelineFunction;
  /** The functions by name, in pipeline order: one for each stage, and both executors of the default pool. */
  readonly byStage: Record<string, PipelineFunction>;
  private readonly sweeper: PipelineFunction;
  private readonly settings: ReturnType<typeof settingsOf>;
  private watchQueue: WatchQueue | undefined;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: StageFunctionsProps,
  ) {
    super(scope, id);
    this.settings = settingsOf(props);
    this.authorizer = this.addAuthorizer();
    this.api = this.addApi();
    this.worker = addWorkerFunction(this, props, this.settings);
    this.ping = addPingFunction(this, props, this.settings);
    this.tick = this.addTick();
    const scanner = this.addScanner();
    this.executors = addExecutors(this, props, this.settings);
    const { short, long } = this.executors[DEFAULT_POOL];
    this.executor = short;
    this.sweeper = this.addSweeper();
    this.auditor = this.addAuditor();
    this.byStage = {
      authorizer: this.authorizer,
      api: this.api,
      worker: this.worker,
      ping: this.ping,
      tick: this.tick,
      scanner,
      executor: short,
      longExecutor: long,
      sweeper: this.sweeper,
      auditor: this.auditor,
    };
  }

  private addAuthorizer(): PipelineFunction {
    const { defaults, tables } = this.props;
    return new PipelineFunction(this, 'Authorizer', {
      ...defaults,
      stage: 'authorizer',
      functionName: apiFunctionName(this, 'authorizer'),
      description: 'Says whose a token is, or why it is rejected',
      timeout: Duration.seconds(10), // API Gateway waits no longer
      memoryMb: 512,
      env: AuthorizerEnv,
      uses: bind(tables.jobs.callsOnRows(API_KEY_ROWS, 'GetItem', 'UpdateItem'), this.settings.tokens),
    });
  }

  private addApi(): PipelineFunction {
    const { config, defaults, tables, executionQueues, requestQueues, signingSecret, signIn, events } =
      this.props;
    const { shards, targets, targetCalls, signing, dispatch } = this.settings;
    const api = new PipelineFunction(this, 'Api', {
      ...defaults,
      stage: 'api',
      functionName: apiFunctionName(this, 'api'),
      description: 'Serves the HTTP API: validates, writes the first schedule entry, then the job',
      timeout: Duration.seconds(29), // API Gateway answers 504 after 30 s
      memoryMb: 512,
      env: ApiEnv,
      uses: bind(
        tables.jobs.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
        tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
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
        requestQueues.scan.sending(),
        requestQueues.sweep.sending(),
        administering(this, [...executionQueues.names, requestQueues.scan.name, requestQueues.sweep.name]),
        signingSecret.reading(),
        signing,
        shards,
        targets,
        settings({ TICK_SCHEDULE: tickScheduleName(this), STAGE: config.stage, VERSION: version }),
        settings({ DASHBOARD: dashboardName(this), JOURNAL: config.journal ? 'on' : 'off' }),
        // The names only: the API checks targets, the executor calls them.
        settings(targetCalls.env),
        dispatch,
        events.publishing(),
        signIn,
        this.props.console,
        this.props.emails.subscribing(),
      ),
    });
    Validations.of(api.lambda.role!).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'CloudWatch has no resource ARNs for metrics, and SNS none for subscriptions: GetMetricData, ' +
        'GetSubscriptionAttributes and Unsubscribe accept only *.',
    });
    return api;
  }

  private addTick(): PipelineFunction {
    const { defaults, tables, requestQueues } = this.props;
    const tick = new PipelineFunction(this, 'Tick', {
      ...defaults,
      stage: 'tick',
      description: 'Requests a scan, or the sweeps, of every shard',
      timeout: Duration.seconds(30),
      memoryMb: 256,
      env: TickEnv,
      uses: bind(
        tables.schedule.calls('GetItem', 'BatchGetItem', 'UpdateItem'),
        requestQueues.scan.sending(),
        requestQueues.sweep.sending(),
        this.settings.shards,
      ),
    });
    tick.dropAfterOneMinute();
    return tick;
  }

  private addScanner(): PipelineFunction {
    const { config, defaults, tables, executionQueues, requestQueues, events } = this.props;
    const scanner = new PipelineFunction(this, 'Scanner', {
      ...defaults,
      stage: 'scanner',
      description: 'Reads the entries of a shard up to the horizon and sends their executions',
      timeout: SCANNER_TIMEOUT,
      memoryMb: 512,
      env: ScannerEnv,
      uses: bind(
        tables.schedule.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'),
        tables.jobs.calls('BatchGetItem'),
        tables.executions.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem'),
        executionQueues.calls('SendMessage'),
        requestQueues.scan.receiving(),
        this.settings.dispatch,
        settings({ LEAD_MS: config.leadMs, PACKS: config.packs }),
        events.publishing(),
      ),
    });
    scanner.consume(requestQueues.scan.queue, shardRequests(config));
    return scanner;
  }

  private addSweeper(): PipelineFunction {
    const { config, defaults, tables, executionQueues, requestQueues, events } = this.props;
    const sweeper = new PipelineFunction(this, 'Sweeper', {
      ...defaults,
      stage: 'sweeper',
      description: 'Rechecks every entry after its time and repairs lost work',
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
        tables.jobs.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
        executionQueues.calls('GetQueueAttributes', 'SendMessage'),
        requestQueues.sweep.receiving(),
        this.settings.dispatch,
        this.props.console,
        events.publishing(),
        settings({
          PACKS: config.packs,
          WATCH_QUEUE_URL: Lazy.string({ produce: () => this.watchQueue?.queue.queueUrl ?? '' }),
        }),
      ),
    });
    sweeper.consume(requestQueues.sweep.queue, shardRequests(config));
    return sweeper;
  }

  private addAuditor(): PipelineFunction {
    const { defaults, tables, executionQueues, events } = this.props;
    const auditor = new PipelineFunction(this, 'Auditor', {
      ...defaults,
      stage: 'auditor',
      description: 'Repairs jobs without a future entry and occurrences without a record; counts usage',
      timeout: Duration.minutes(5),
      memoryMb: 512,
      env: AuditorEnv,
      uses: bind(
        tables.jobs.calls('GetItem', 'BatchGetItem', 'Scan', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
        tables.schedule.calls('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'BatchWriteItem'),
        tables.executions.calls('GetItem', 'Query', 'PutItem', 'UpdateItem'),
        executionQueues.calls('GetQueueAttributes', 'SendMessage'),
        this.settings.dispatch,
        this.props.console,
        events.publishing(),
      ),
    });
    auditor.dropAfterOneMinute();
    return auditor;
  }

  /** Adds the watcher, with what the sweeper needs to ask it. */
  addWatcher(watchQueue: WatchQueue): PipelineFunction {
    this.watchQueue = watchQueue;
    const resources = [watchQueue.queue.queueArn];
    this.sweeper.permit(new PolicyStatement({ actions: ['sqs:SendMessage'], resources }));
    return addWatcherFunction(this, watchQueue, this.props, this.settings);
  }

  /** Adds the follower, which keeps the journal of ends and makes spans. */
  addFollower(deadEnds: DeadEnds, spans: SpansQueue | undefined): PipelineFunction {
    return addFollowerFunction(this, { deadEnds, spans }, this.props, this.settings);
  }

  /** Adds the exporter, which sends spans to a collector. */
  addExporter(spans: SpansQueue, otlp: NonNullable<StageConfig['otlp']>): PipelineFunction {
    return addExporterFunction(this, spans, this.props, otlp);
  }

  /** Adds the canary, which calls the API's function and therefore comes after it. */
  addCanary(apiUrl: string): PipelineFunction {
    const canary = addCanaryFunction(this, { defaults: this.props.defaults, api: this.api, apiUrl });
    this.byStage.canary = canary;
    return canary;
  }
}
