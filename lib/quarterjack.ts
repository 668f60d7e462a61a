import { join } from 'node:path';

import { Stack, Tags } from 'aws-cdk-lib';
import type { Metric as CloudWatchMetric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  type Function as LambdaFunction,
  type IFunction,
  QualifiedFunctionBase,
} from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { Metric } from '../lambdas/core/contracts/metrics';
import { EVERY_PROJECT, roleOf, TARGET_RESOURCES } from '../lambdas/core/contracts/target-resources';
import { configOfProps } from './config/props-config';
import type { StageConfig } from './config/stage-config';
import { rolesOf } from './constructs/aws-targets';
import { CustomResources } from './constructs/custom-resources';
import { deploymentOf, nameDeployment } from './constructs/deployment-name';
import { Deployment } from './constructs/deployment';
import { stageMetric } from './constructs/metrics';
import { rejectOwnNames } from './constructs/own-names';
import { rejectOtherPartitions } from './constructs/partition';
import type { JobRules } from './job-faults';
import { checkLimits } from './limits/check-limits';
import type { AddTargetOptions, ManageJobsOptions, QuarterjackProps } from './quarterjack-props';

/** Tag of every resource that can have one: its value, the deployment's name, splits the bill. */
const DEPLOYMENT_TAG = 'quarterjack:deployment';
const DEFAULT_PROJECT = 'app';

/** Variables of a function that may manage jobs. */
const URL_VARIABLE = 'QUARTERJACK_URL';
const KEY_VARIABLE = 'QUARTERJACK_KEY_SECRET';

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
export class Quarterjack extends Construct {
  /** URL of the HTTP API, without a trailing slash. */
  readonly url: string;
  /** URL of the web console; undefined if there is none. */
  readonly consoleUrl: string | undefined;
  /** Bus on which ends of executions are published. */
  readonly eventBus: IEventBus;
  /** Topic that receives the alarms. */
  readonly alarmTopic: ITopic;
  /** Role that delivers to AWS targets. */
  readonly executorRole: IRole;
  /** Project of scheduled jobs and functions that name none. */
  readonly project: string;
  /** @internal */
  readonly deployment: Deployment;
  private readonly config: StageConfig;
  private readonly bundlesDir: string;
  private resources: CustomResources | undefined;

  constructor(scope: Construct, id: string, props: QuarterjackProps = {}) {
    super(scope, id);
    this.config = configOfProps(props, this.node.path);
    const name = nameDeployment(this);
    rejectOwnNames(this, name, this.config);
    rejectOtherPartitions(this, this.config);
    Tags.of(this).add(DEPLOYMENT_TAG, name);
    this.bundlesDir = props.bundlesDir ?? join(__dirname, 'lambdas');
    this.project = props.project ?? DEFAULT_PROJECT;
    this.deployment = new Deployment(this, { config: this.config, bundlesDir: this.bundlesDir });
    const { http, consoleUrl, events, alarmTopic, stages } = this.deployment;
    this.url = http.url;
    this.consoleUrl = consoleUrl;
    this.eventBus = events.bus;
    this.alarmTopic = alarmTopic;
    this.executorRole = stages.executor.lambda.role!;
    checkLimits(this);
  }

  /** What it decides about jobs. @internal */
  get jobRules(): Omit<JobRules, 'project'> {
    return { config: this.config, deploymentName: deploymentOf(this) };
  }

  /** What makes jobs and keys as stacks define them. @internal */
  get customResources(): CustomResources {
    this.resources ??= new CustomResources(this, 'CustomResources', {
      defaults: this.deployment.functionDefaults,
      api: this.deployment.stages.api,
    });
    return this.resources;
  }

  /**
   * Lets a function manage the jobs of a project. It gets two variables: `QUARTERJACK_URL`, and
   * `QUARTERJACK_KEY_SECRET`, the ARN of the secret that holds its API key. The key is revoked when the
   * function no longer needs it.
   */
  grantManageJobs(fn: LambdaFunction, options: ManageJobsOptions = {}): void {
    const { project = this.project, role = 'editor', keyVersion = 1 } = options;
    fn.addEnvironment(URL_VARIABLE, this.url);
    const properties = {
      Project: project,
      Role: role,
      Name: `cdk ${fn.node.id}`.slice(0, 64),
      Rotation: String(keyVersion),
    };
    this.customResources.addKey(properties, fn, KEY_VARIABLE);
  }

  /**
   * Lets jobs call a function, and lets the executor invoke it. Returns the target for a job. Throws an Error
   * for a version or alias: targets are functions.
   */
  addLambdaTarget(fn: IFunction, options: AddTargetOptions = {}): { type: 'lambda'; functionArn: string } {
    if (fn instanceof QualifiedFunctionBase)
      throw new Error(`${fn.node.path} is a version or alias; expected the function itself`);
    this.allow(fn, fn.functionArn, TARGET_RESOURCES.lambda.action, options);
    return { type: 'lambda', functionArn: fn.functionArn };
  }

  /** Lets jobs send to a queue, and lets the executor do so. Returns the target for a job. */
  addQueueTarget(queue: IQueue, options: AddTargetOptions = {}): { type: 'sqs'; queueUrl: string } {
    const isOwn = this.allow(queue, queue.queueArn, TARGET_RESOURCES.sqs.action, options);
    if (isOwn) queue.encryptionMasterKey?.grant(this.executorRole, 'kms:GenerateDataKey', 'kms:Decrypt');
    return { type: 'sqs', queueUrl: queue.queueUrl };
  }

  /** Milliseconds from due time to start, over all executions. @default the p99 of each minute */
  metricLateness(options: MetricOptions = {}): CloudWatchMetric {
    return stageMetric(this, Metric.latenessMs, { statistic: 'p99', label: 'lateness' }).with(options);
  }

  /**
   * Whether the executor calls it under its own role. A role of the project, as `assumeRole` says, needs the
   * permission itself.
   */
  private allow(
    resource: Construct | IFunction | IQueue,
    arn: string,
    action: string,
    options: AddTargetOptions,
  ) {
    const { project = EVERY_PROJECT } = options;
    if (this.node.id === 'Default' && Stack.of(resource) === Stack.of(this))
      throw new Error(
        `${resource.node.path} cannot be a target: all names in the stack of a construct with the id Default ` +
          'count as its own; give the construct another id',
      );
    this.deployment.addedTargets.add(project, arn);
    if (roleOf(rolesOf(this.config), project)) return false;
    this.deployment.stages.executor.lambda.addToRolePolicy(
      new PolicyStatement({ actions: [action], resources: [arn] }),
    );
    return true;
  }
}
