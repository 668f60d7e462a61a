import type { Grant, IRole } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction, IFunction } from 'aws-cdk-lib/aws-lambda';

import type { ManageJobsOptions } from './access-props';
import type { AddTargetOptions, LambdaTarget } from './added-target';
import type { CustomResources } from './constructs/custom-resources';
import type { JobRules } from './job-faults';

/** What another app knows of a deployment. Each value is an output or a setting of it. */
export interface QuarterjackAttributes {
  /** `url` of the deployment. */
  readonly url: string;
  /** The project of all jobs, functions and targets of this app. */
  readonly project: string;
  /** ARN of `executorRole` of the deployment. */
  readonly executorRoleArn: string;
  /** `providerArn` of the deployment. */
  readonly providerArn: string;
  /** ARN of `providerRole` of the deployment. */
  readonly providerRoleArn: string;
  /**
   * What the names of functions that jobs call begin with. The deployment has to allow
   * `function:<targetNamePrefix>*` for the project, by `allowedTargetArns`. @default none can be added
   */
  readonly targetNamePrefix?: string;
}

/** A deployment of this app or of another one, as jobs and functions use it. */
export interface IQuarterjack {
  /** URL of the HTTP API, without a trailing slash. */
  readonly url: string;
  /** Project of scheduled jobs and functions that name none. */
  readonly project: string;
  /** Role that delivers to AWS targets. */
  readonly executorRole: IRole;
  /** What it decides about jobs. @internal */
  readonly jobRules: Omit<JobRules, 'project'>;
  /** What makes jobs and keys as stacks define them. @internal */
  readonly customResources: CustomResources;
  /** What the names of functions that its jobs call begin with. @internal */
  readonly targetNamePrefix?: string | undefined;
  /** Lets a function manage the jobs of a project. Returns the permission to read the secret of its key. */
  grantManageJobs(fn: LambdaFunction, options?: ManageJobsOptions): Grant;
  /** Lets jobs call a function, or a version or alias of one. Returns the target for a job. */
  addLambdaTarget(fn: IFunction, options?: AddTargetOptions): LambdaTarget;
}
