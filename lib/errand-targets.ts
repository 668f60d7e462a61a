import type { IJobDefinition, IJobQueue } from 'aws-cdk-lib/aws-batch';
import type { IProject } from 'aws-cdk-lib/aws-codebuild';
import type { ICluster, ITaskDefinition } from 'aws-cdk-lib/aws-ecs';
import type { CfnJob } from 'aws-cdk-lib/aws-glue';
import { Annotations, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

import { TARGET_RESOURCES } from '../lambdas/core/contracts/target-resources';
import type {
  AddEcsOptions,
  AddTargetOptions,
  BatchTarget,
  CodeBuildTarget,
  EcsTarget,
  GlueTarget,
} from './added-target';
import { submitting } from './constructs/aws-targets';
import { acknowledgePatterns } from './constructs/binding';
import type { Deployment } from './constructs/deployment';
import { defaultContainerOf, launchOf, startingTask } from './constructs/ecs-tasks';
import { permitWatching } from './constructs/watcher-function';
import { Measured } from './measured';

/** Work of AWS services that a stack lets jobs start, and wait for. */
export abstract class ErrandTargets extends Measured {
  /** @internal */
  abstract readonly deployment: Deployment;
  /** @internal */
  protected abstract allow(
    resource: IConstruct,
    allowed: string,
    action: string,
    options: AddTargetOptions,
  ): boolean;
  /** @internal */
  protected abstract allowAll(
    resource: IConstruct,
    allowed: readonly string[],
    options: AddTargetOptions,
  ): boolean;

  /**
   * Lets jobs start tasks of a task definition in a cluster, and wait for their ends. Lets the executor start
   * them and pass their two roles, and the watcher describe and stop them. Returns the target for a job.
   */
  addEcsTarget(task: ITaskDefinition, cluster: ICluster, options: AddEcsOptions = {}): EcsTarget {
    const { clusterArn } = cluster;
    const { taskDefinitionArn } = task;
    const isOwn = this.allowAll(task, [taskDefinitionArn, clusterArn], options);
    this.deployment.addedTargets.addCluster(clusterArn, launchOf(task, cluster, options));
    const watcher = this.deployment.watcher('ecs', clusterArn);
    if (isOwn) {
      const { starting, passing } = startingTask(task, cluster);
      for (const role of this.deployment.executorRoles) {
        for (const one of [...starting, passing]) role.addToPrincipalPolicy(one);
        acknowledgePatterns(role, starting);
      }
      permitWatching(watcher, 'ecs', clusterArn);
    }
    const { container = defaultContainerOf(task) } = options;
    return { type: 'ecs', taskDefinitionArn, clusterArn, ...(container !== undefined && { container }) };
  }

  /**
   * Lets jobs submit jobs of a definition to a queue of Batch, and wait for their ends. Lets the executor
   * submit them, and the watcher describe and terminate them. Returns the target for a job.
   */
  addBatchTarget(definition: IJobDefinition, queue: IJobQueue, options: AddTargetOptions = {}): BatchTarget {
    const { jobDefinitionArn } = definition;
    const { jobQueueArn } = queue;
    const isOwn = this.allowAll(definition, [jobDefinitionArn, jobQueueArn], options);
    const watcher = this.deployment.watcher('batch', jobQueueArn);
    if (isOwn) {
      for (const role of this.deployment.executorRoles)
        for (const one of submitting([jobDefinitionArn], [jobQueueArn])) role.addToPrincipalPolicy(one);
      permitWatching(watcher, 'batch', jobQueueArn);
    }
    return { type: 'batch', jobDefinitionArn, jobQueueArn };
  }

  /**
   * Lets jobs start runs of a Glue job, and wait for their ends. Lets the executor start them, and the
   * watcher read and stop them. Returns the target for a job.
   */
  addGlueJobTarget(job: CfnJob, options: AddTargetOptions = {}): GlueTarget {
    const { service, prefix, action } = TARGET_RESOURCES.glue;
    const glueJobArn = Stack.of(job).formatArn({
      service,
      resource: prefix.slice(0, -1),
      resourceName: job.ref,
    });
    if ((job.maxRetries ?? 0) > 0)
      Annotations.of(job).addWarningV2(
        'quarterjack:glue-max-retries',
        `MaxRetries is ${job.maxRetries}: Glue runs a failed run again by itself, and nothing waits for that. ` +
          'Set it to 0, and give the job of Quarterjack a retry policy.',
      );
    const isOwn = this.allow(job, glueJobArn, action, options);
    const watcher = this.deployment.watcher('glue', glueJobArn);
    if (isOwn) permitWatching(watcher, 'glue', glueJobArn);
    return { type: 'glue', glueJobArn };
  }

  /**
   * Lets jobs start builds of a CodeBuild project, and wait for their ends. Lets the executor start them, and
   * the watcher read and stop them. Returns the target for a job.
   */
  addCodeBuildTarget(project: IProject, options: AddTargetOptions = {}): CodeBuildTarget {
    const { projectArn } = project;
    const isOwn = this.allow(project, projectArn, TARGET_RESOURCES.codebuild.action, options);
    const watcher = this.deployment.watcher('codebuild', projectArn);
    if (isOwn) permitWatching(watcher, 'codebuild', projectArn);
    return { type: 'codebuild', projectArn };
  }
}
