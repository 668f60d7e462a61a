import { RemovalPolicy } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

import { needsOfAction } from '../../lambdas/core/contracts/action-names';
import { type AllowedAction, rightsFor } from '../../lambdas/core/contracts/allowed-actions';
import type { ErrandType } from '../../lambdas/core/contracts/errand-services';
import { roleOf } from '../../lambdas/core/contracts/target-resources';
import { actionsByProject } from '../config/allowed-actions';
import type { StageConfig } from '../config/stage-config';
import { ActionCatalogue } from './action-catalogue';
import { ActionsRole } from './actions-role';
import { AddedTargets } from './added-targets';
import { AlarmTopic } from './alarm-topic';
import { Alarms } from './alarms';
import { rolesOf } from './aws-targets';
import { Console } from './console';
import { Dashboard, type DashboardProps } from './dashboard';
import { EmailTopic } from './email-topic';
import { ExecutionQueues, suffixOf } from './execution-queues';
import { exporterAlarms, SpansQueue } from './exporter-function';
import { ExecutorShift } from './executor-shift';
import { DeadEnds, followerAlarms } from './follower-function';
import { HttpApi } from './http-api';
import { Identity } from './identity';
import { JobTables, isFollowed } from './job-tables';
import { LifecycleEvents } from './lifecycle-events';
import { LogQueries } from './log-queries';
import type { FunctionDefaults, PipelineFunction } from './pipeline-function';
import { PoolDashboard } from './pool-dashboard';
import { rightsToSign } from './signed-calls';
import { RequestQueues } from './request-queues';
import { SettingsFile } from './settings-file';
import { SigningSecret } from './signing-secret';
import { StageFunctions } from './stage-functions';
import { SCANNER_TIMEOUT, SWEEPER_TIMEOUT } from './stage-settings';
import { TickSchedules } from './tick-schedules';
import { WatchQueue } from './watch-queue';
import { errandsOf } from './watcher-function';
import { refusePlainRequests } from './work-queue';

export interface DeploymentProps {
  readonly config: StageConfig;
  readonly bundlesDir: string;
}

/**
 * All parts of Quarterjack below one construct, in this order: storage, queues, API, functions, schedules,
 * monitoring. It is no construct itself, since its id would be part of every logical id.
 */
export class Deployment {
  readonly http: HttpApi;
  readonly consoleUrl: string | undefined;
  readonly identity: Identity;
  readonly events: LifecycleEvents;
  readonly stages: StageFunctions;
  readonly executionQueues: ExecutionQueues;
  readonly alarmTopic: Topic;
  readonly alarms: Alarms;
  readonly addedTargets: AddedTargets;
  readonly functionDefaults: FunctionDefaults;

  private readonly queries: LogQueries | undefined;
  private actions: ActionsRole | undefined;
  private catalogue: ActionCatalogue | undefined;
  private readonly config: StageConfig;
  private watching: { queue: WatchQueue; watcher: PipelineFunction } | undefined;

  constructor(
    private readonly scope: Construct,
    { config, bundlesDir }: DeploymentProps,
  ) {
    this.config = config;
    this.addedTargets = new AddedTargets();
    this.functionDefaults = defaultsOf(scope, { config, bundlesDir });
    const tables = new JobTables(scope, 'Tables', { config });
    const signingSecret = new SigningSecret(scope, 'SigningSecret', config);
    const { requestQueues, executionQueues } = addQueues(scope, config);
    this.executionQueues = executionQueues;

    const http = new HttpApi(scope, 'Http', { config });
    const consoleUrl = config.console ? `${http.url}/console/` : undefined;
    const consoleUrls = config.console ? http.urls.map((url) => `${url}/console/`) : [];
    this.identity = new Identity(scope, 'Identity', { config, consoleUrls });
    this.events = new LifecycleEvents(scope, 'Lifecycle', { choice: config.lifecycleEvents });
    this.http = http;

    const stages = new StageFunctions(scope, 'Stages', {
      config,
      defaults: this.functionDefaults,
      identity: this.identity,
      tables,
      executionQueues: this.executionQueues,
      requestQueues,
      signingSecret,
      ...{ callback: http.callback(), monitors: http.monitors() },
      console: http.console(),
      emails: new EmailTopic(scope, 'Emails'),
      signIn: this.identity.signingIn(),
      ownHost: http.host,
      events: this.events,
      added: this.addedTargets,
    });
    this.stages = stages;
    const console = addConsole(scope, this.identity, { config, bundlesDir });
    if (console) this.consoleUrl = consoleUrl;
    const { api, worker, ping, authorizer } = stages;
    http.routeTo({
      ...{ api: api.lambda, worker: worker.lambda, ping: ping.lambda, authorizer: authorizer.lambda },
      ...(console && { console: console.files }),
    });
    addSchedules(scope, stages, { http, config });

    const monitored = {
      httpApi: http.api,
      functions: stages.byStage,
      executors: stages.executors,
      executionQueues: this.executionQueues,
      requestQueues,
      provisionedTables: config.capacity ? tables.all : [],
    };
    this.alarmTopic = new AlarmTopic(scope, 'AlarmTopic', { config }).topic;
    this.alarms = new Alarms(scope, 'Alarms', { ...monitored, topic: this.alarmTopic, config });
    this.shiftExecutors(scope, config);
    addDashboards(scope, { ...monitored, config });
    if (config.logQueries) this.queries = addQueries(scope, stages, http);
    this.addLateStages(config);
  }

  private addLateStages(config: StageConfig): void {
    for (const [type, entries] of errandsOf(config)) this.watcher(type, ...entries);
    for (const right of rightsToSign(config)) this.actionsRole.permit(right);
    for (const [project, entries] of Object.entries(actionsByProject(config.allowedActions)))
      for (const one of entries) this.allowAction(project, one);
    if (isFollowed(config)) this.addFollower(config);
  }

  private addFollower({ otlp }: StageConfig): void {
    const deadEnds = new DeadEnds(this.scope, 'DeadEnds');
    const spans = otlp && new SpansQueue(this.scope, 'Spans');
    const follower = this.stages.addFollower(deadEnds, spans);
    this.alarms.addLate(followerAlarms(follower, deadEnds));
    this.queries?.add(follower.lambda.logGroup);
    if (!spans) return;
    const exporter = this.stages.addExporter(spans, otlp);
    this.alarms.addLate(exporterAlarms(exporter));
    this.queries?.add(exporter.lambda.logGroup);
  }

  /** The roles of all executors: pools in a VPC have roles of their own. */
  get executorRoles(): IRole[] {
    return [...new Set(Object.values(this.stages.executors).map(({ short }) => short.lambda.role!))];
  }

  /**
   * The watcher, for errands of a kind. The stack has it once its jobs may start any.
   *
   * @param arns what may be started
   */
  watcher(type: ErrandType, ...arns: string[]): PipelineFunction {
    this.watching ??= this.addWatcher();
    this.watching.queue.receive(type, arns);
    this.addedTargets.watch(type);
    return this.watching.watcher;
  }

  /** Lets targets call an action: under the role of the project, else under that for actions. */
  allowAction(project: string, allowed: AllowedAction): void {
    this.catalogue ??= this.addCatalogue();
    if (roleOf(rolesOf(this.config), project)) return;
    const needs = needsOfAction(allowed.action)!;
    for (const right of rightsFor({ needs }, allowed)) this.actionsRole.permit(right);
  }

  private addCatalogue(): ActionCatalogue {
    const catalogue = new ActionCatalogue(this.scope, 'ActionCatalogue', this.functionDefaults);
    const executors = Object.values(this.stages.executors).flatMap(({ short, long }) => [short, long]);
    catalogue.giveTo([this.stages.api, ...executors].map(({ lambda }) => lambda));
    this.addedTargets.readActionsIn(ActionCatalogue.PATH);
    return catalogue;
  }

  /** The role for calls that are not made under the executor's own. The stack has it once there are any. */
  get actionsRole(): ActionsRole {
    this.actions ??= this.addActionsRole();
    return this.actions;
  }

  private addActionsRole(): ActionsRole {
    const executor = this.stages.executor.lambda.role!;
    const actions = new ActionsRole(this.scope, 'Actions', { executor, deployment: this.scope });
    for (const other of this.executorRoles) if (other !== executor) actions.trust(other);
    this.addedTargets.callUnder(actions.role);
    return actions;
  }

  private addWatcher() {
    const queue = new WatchQueue(this.scope, 'Watch');
    const watcher = this.stages.addWatcher(queue);
    this.alarms.addLate(queue.alarms());
    this.queries?.add(watcher.lambda.logGroup);
    return { queue, watcher };
  }

  private shiftExecutors(scope: Construct, { executorShift: shift }: StageConfig): void {
    if (shift === 'all-at-once') return;
    const { onBadVersions } = this.alarms;
    for (const [pool, { short, long }] of Object.entries(this.stages.executors)) {
      if (!short.alias || !long.alias) continue;
      const props = { shift, alarms: onBadVersions };
      const id = `ExecutorShift${suffixOf(pool)}`;
      const beside = new ExecutorShift(scope, id, { ...props, alias: short.alias });
      new ExecutorShift(scope, `Long${id}`, { ...props, alias: long.alias, beside });
    }
  }
}

const addConsole = (
  scope: Construct,
  { console: signIn }: Identity,
  props: DeploymentProps,
): Console | undefined => signIn && new Console(scope, 'Console', { ...props, signIn });

function addQueues(scope: Construct, config: StageConfig) {
  const requestQueues = new RequestQueues(scope, 'Requests', {
    scannerTimeout: SCANNER_TIMEOUT,
    sweeperTimeout: SWEEPER_TIMEOUT,
  });
  const executionQueues = new ExecutionQueues(scope, 'Executions', { config });
  refusePlainRequests(scope, [...executionQueues.all, requestQueues.scan, requestQueues.sweep]);
  return { requestQueues, executionQueues };
}

const defaultsOf = (scope: Construct, { config, bundlesDir }: DeploymentProps): FunctionDefaults => ({
  bundlesDir,
  logRetention: config.logRetentionDays,
  logGroup: config.logGroups === 'shared' ? sharedLogGroup(scope, config) : undefined,
  isTraced: config.tracing,
  reservedConcurrency: config.reservedConcurrency,
  settings: new SettingsFile(scope, 'Settings', { config }),
});

const sharedLogGroup = (scope: Construct, { logRetentionDays }: StageConfig): LogGroup =>
  new LogGroup(scope, 'Logs', { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY });

function addSchedules(
  scope: Construct,
  stages: StageFunctions,
  { http, config }: { http: HttpApi; config: StageConfig },
): void {
  const canary = config.canary ? stages.addCanary(http.url) : undefined;
  const { api, tick, auditor } = stages;
  new TickSchedules(scope, 'Clock', { api, tick, auditor, canary });
}

function addQueries(scope: Construct, { byStage, executors }: StageFunctions, http: HttpApi): LogQueries {
  const functions = [
    ...Object.values(byStage),
    ...Object.values(executors).flatMap(Object.values<PipelineFunction>),
  ];
  const logGroups = new Set(functions.map(({ lambda }) => lambda.logGroup));
  return new LogQueries(scope, 'Queries', { logGroups: [...logGroups, http.accessLog] });
}

function addDashboards(scope: Construct, props: DashboardProps): void {
  new Dashboard(scope, 'Dashboard', props);
  if (Object.keys(props.config.pools).length > 1) new PoolDashboard(scope, 'PoolDashboard', props);
}
