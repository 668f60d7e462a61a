import { join } from 'node:path';

import { Stack, Tags } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct, IConstruct } from 'constructs';

import type { MetricName } from '../lambdas/core/contracts/metrics';
import {
  entriesOf,
  EVERY_PROJECT,
  roleOf,
  TARGET_RESOURCES,
  withQualifiers,
} from '../lambdas/core/contracts/target-resources';
import type { ManageJobsOptions } from './access-props';
import type {
  AddStateMachineOptions,
  AddTargetOptions,
  AllowActionOptions,
  BusEventProps,
  BusTarget,
  DurableTarget,
  LambdaTarget,
  QueueTarget,
  StateMachineTarget,
  TopicTarget,
} from './added-target';
import { checkProject } from './check-value';
import { faultOfAction } from './config/allowed-actions';
import { configOfProps } from './config/props-config';
import type { StageConfig } from './config/stage-config';
import { rolesOf } from './constructs/aws-targets';
import { CustomResources, ownProvider } from './constructs/custom-resources';
import { deploymentOf, nameDeployment } from './constructs/deployment-name';
import { Deployment } from './constructs/deployment';
import type { ExecutionQueues } from './constructs/execution-queues';
import { permitWatching } from './constructs/watcher-function';
import { rejectOwnNames } from './constructs/own-names';
import { rejectOtherPartitions, rejectOtherRegion } from './constructs/partition';
import type { IQuarterjack, QuarterjackAttributes } from './deployment-attributes';
import { ImportedQuarterjack } from './imported-quarterjack';
import { type JobRules, targetFieldFaults } from './job-faults';
import { checkLimits } from './limits/check-limits';
import { grantManageJobs } from './manage-jobs';
import { ErrandTargets } from './errand-targets';
import type { QuarterjackProps } from './quarterjack-props';

export type { MetricName };

/** Tag of every resource that can have one: its value, the deployment's name, splits the bill. */
const DEPLOYMENT_TAG = 'quarterjack:deployment';
const DEFAULT_PROJECT = 'app';

/**
 * A whole deployment of Quarterjack, as a part of your stack.
 *
 *     const jobs = new Quarterjack(this, 'Jobs', { removal: 'retain' });
 *     new ScheduledJob(this, 'Nightly', {
 *       quarterjack: jobs,
 *       job: { schedule: { type: 'cron', expression: '0 2 * * *' }, target: jobs.addLambdaTarget(report) },
 *     });
 *
 * Throws one Error that lists every invalid property.
 */
export class Quarterjack extends ErrandTargets implements IQuarterjack {
  /**
   * A deployment of another app or stack, for jobs and functions of this one. Nothing there refers to this
   * app. So the deployment has to allow their targets by name.
   */
  static fromAttributes(scope: Construct, id: string, attributes: QuarterjackAttributes): IQuarterjack {
    return new ImportedQuarterjack(scope, id, attributes);
  }

  /** URL of the HTTP API, without a trailing slash. */
  readonly url: string;
  /** URL of the web console; undefined if there is none. */
  readonly consoleUrl: string | undefined;
  /** Bus on which ends of executions are published. */
  readonly eventBus: IEventBus;
  /** Topic that receives the alarms. */
  readonly alarmTopic: ITopic;
  /** Role that delivers to AWS targets, but for pools in a VPC: those have roles of their own. */
  readonly executorRole: IRole;
  /** Project of scheduled jobs and functions that name none. */
  readonly project: string;
  /** @internal */
  readonly deployment: Deployment;
  private readonly config: StageConfig;
  private readonly bundlesDir: string;
  private resources: CustomResources<ReturnType<typeof ownProvider>> | undefined;

  constructor(scope: Construct, id: string, props: QuarterjackProps = {}) {
    super(scope, id);
    const { project = DEFAULT_PROJECT } = props;
    this.config = configOfProps(props, this.node.path);
    checkProject(this, project);
    const name = nameDeployment(this);
    rejectOwnNames(this, name, this.config);
    rejectOtherPartitions(this, this.config);
    rejectOtherRegion(this, this.config);
    Tags.of(this).add(DEPLOYMENT_TAG, name);
    this.bundlesDir = props.bundlesDir ?? join(__dirname, 'lambdas');
    this.project = project;
    this.deployment = new Deployment(this, { config: this.config, bundlesDir: this.bundlesDir });
    const { http, consoleUrl, events, alarmTopic, stages } = this.deployment;
    this.url = http.url;
    this.consoleUrl = consoleUrl;
    this.eventBus = events.bus;
    this.alarmTopic = alarmTopic;
    this.executorRole = stages.executor.lambda.role!;
    checkLimits(this);
  }

  /** @internal */
  protected get executionQueues(): ExecutionQueues {
    return this.deployment.executionQueues;
  }

  /** What it decides about jobs. @internal */
  get jobRules(): Omit<JobRules, 'project'> {
    return { config: this.config, deploymentName: deploymentOf(this) };
  }

  /** What makes jobs and keys as stacks define them. @internal */
  get customResources(): CustomResources<ReturnType<typeof ownProvider>> {
    const { functionDefaults: defaults, stages } = this.deployment;
    this.resources ??= new CustomResources(this, 'CustomResources', (scope) =>
      ownProvider(scope, { defaults, api: stages.api }),
    );
    return this.resources;
  }

  /** ARN of the function that makes jobs and keys of stacks. The stack has it once something asks for it. */
  get providerArn(): string {
    this.customResources.provider.letReadManifests();
    return this.customResources.provider.arn;
  }

  /** Role of that function. */
  get providerRole(): IRole {
    return this.customResources.provider.role;
  }

  /**
   * Lets a function manage the jobs of a project. It gets two variables: `QUARTERJACK_URL`, and
   * `QUARTERJACK_KEY_SECRET`, the ARN of the secret that holds its API key. The key is revoked when the
   * function no longer needs it. Returns the permission to read the secret.
   */
  grantManageJobs(fn: LambdaFunction, options: ManageJobsOptions = {}): Grant {
    return grantManageJobs(this, fn, options);
  }

  /**
   * Lets jobs call a function and all its versions and aliases, or one version or alias alone. Lets the
   * executor invoke it. Returns the target for a job.
   */
  addLambdaTarget(fn: IFunction, options: AddTargetOptions = {}): LambdaTarget {
    const allowed = isQualified(fn) ? fn.functionArn : withQualifiers(fn.functionArn);
    this.allow(fn, allowed, TARGET_RESOURCES.lambda.action, options);
    return { type: 'lambda', functionArn: fn.functionArn };
  }

  /**
   * Lets jobs run a durable function by one of its versions or aliases. Lets the executor start it, and the
   * watcher learn how that ends. Returns the target for a job.
   */
  addDurableTarget(fn: IFunction, options: AddTargetOptions = {}): DurableTarget {
    const { functionArn } = fn;
    if (!isQualified(fn))
      throw new Error(`${fn.node.path} cannot be a durable target: give one of its versions or aliases`);
    const isOwn = this.allow(fn, functionArn, TARGET_RESOURCES.lambda.action, options);
    const watcher = this.deployment.watcher('durable', functionArn);
    if (isOwn) permitWatching(watcher, 'durable', functionArn);
    return { type: 'lambda', functionArn, durable: true };
  }

  /** Lets jobs send to a queue, and lets the executor do so. Returns the target for a job. */
  addQueueTarget(queue: IQueue, options: AddTargetOptions = {}): QueueTarget {
    const isOwn = this.allow(queue, queue.queueArn, TARGET_RESOURCES.sqs.action, options);
    if (isOwn) this.grantKey(queue.encryptionMasterKey);
    return { type: 'sqs', queueUrl: queue.queueUrl };
  }

  /** Lets jobs publish to a topic, and lets the executor do so. Returns the target for a job. */
  addTopicTarget(topic: ITopic, options: AddTargetOptions = {}): TopicTarget {
    const isOwn = this.allow(topic, topic.topicArn, TARGET_RESOURCES.sns.action, options);
    if (isOwn) this.grantKey(topic.masterKey);
    return { type: 'sns', topicArn: topic.topicArn };
  }

  /** Lets jobs put events on a bus, and lets the executor do so. Returns the target for a job. */
  addBusTarget(
    bus: IEventBus,
    { source, detailType }: BusEventProps,
    options: AddTargetOptions = {},
  ): BusTarget {
    const target: BusTarget = { type: 'eventbridge', eventBusName: bus.eventBusArn, source, detailType };
    const faults = targetFieldFaults(target);
    if (faults.length > 0) throw new Error(`${bus.node.path} cannot be a target:\n  ${faults.join('\n  ')}`);
    this.allow(bus, bus.eventBusArn, TARGET_RESOURCES.eventbridge.action, options);
    return target;
  }

  /**
   * Lets jobs start a state machine, lets the executor do so, and the watcher learn how its executions end.
   * Returns the target for a job.
   */
  addStateMachineTarget(
    machine: IStateMachine,
    { wait = false, ...options }: AddStateMachineOptions = {},
  ): StateMachineTarget {
    const { stateMachineArn } = machine;
    const isOwn = this.allow(machine, stateMachineArn, TARGET_RESOURCES.stepfunctions.action, options);
    const watcher = this.deployment.watcher('stepfunctions', stateMachineArn);
    if (isOwn) permitWatching(watcher, 'stepfunctions', stateMachineArn);
    return { type: 'stepfunctions', stateMachineArn, ...(wait && { wait }) };
  }

  /**
   * Lets jobs call an action of AWS with targets of type `aws`, such as `kinesis:PutRecord`, on these ARNs.
   * Each call has a session of a role that may do what is allowed so, and the session that action alone.
   */
  allowAction(
    action: string,
    resources: string[],
    { project = EVERY_PROJECT, passRoles = [] }: AllowActionOptions = {},
  ): void {
    const fault = faultOfAction(action);
    if (fault !== undefined) throw new Error(`${this.node.path}: action is "${action}"; ${fault}`);
    if (resources.length === 0)
      throw new Error(`${this.node.path}: ${action} has no resources; expected ARNs`);
    checkProject(this, project);
    const roles = passRoles.map(({ roleArn }) => roleArn);
    const allowed = { action, resources, ...(roles.length > 0 && { passRoles: roles }) };
    this.deployment.addedTargets.addAction(project, allowed);
    this.deployment.allowAction(project, allowed);
  }

  /**
   * Whether the executor calls it under its own role. A role of the project, as `assumeRole` says, needs the
   * permission itself.
   */
  /** @internal */
  protected allow(resource: IConstruct, allowed: string, action: string, options: AddTargetOptions): boolean {
    const isOwn = this.allowAll(resource, [allowed], options);
    const resourceArns = entriesOf(allowed);
    if (isOwn)
      for (const grantee of this.deployment.executorRoles)
        Grant.addToPrincipal({ grantee, actions: [action], resourceArns });
    return isOwn;
  }

  private grantKey(key: IKey | undefined): void {
    for (const role of this.deployment.executorRoles) key?.grant(role, 'kms:GenerateDataKey', 'kms:Decrypt');
  }

  /** @internal */
  protected allowAll(resource: IConstruct, allowed: readonly string[], options: AddTargetOptions): boolean {
    const { project = EVERY_PROJECT } = options;
    checkProject(resource, project);
    if (this.node.id === 'Default' && Stack.of(resource) === Stack.of(this))
      throw new Error(
        `${resource.node.path} cannot be a target: all names in the stack of a construct with the id Default ` +
          'count as its own; give the construct another id',
      );
    for (const one of allowed) this.deployment.addedTargets.add(project, one);
    return !roleOf(rolesOf(this.config), project);
  }
}

/** Whether it is a version or alias. One that is imported by its ARN says so by its eighth part. */
const isQualified = ({ functionArn, resourceArnsForGrantInvoke }: IFunction): boolean =>
  resourceArnsForGrantInvoke.length === 1 || functionArn.split(':').length > 7;
