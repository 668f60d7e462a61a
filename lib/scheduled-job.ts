import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';

import type { JobDefinition } from '../client/types';
import { checkProject, JOB_ID_FORM } from './check-value';
import type { IQuarterjack } from './deployment-attributes';
import { jobFaults } from './job-faults';

/** A job of the stack, and the deployment that runs it. */
export interface ScheduledJobProps {
  /** The deployment that runs the job. */
  readonly quarterjack: IQuarterjack;
  /** The job: the body of `PUT /v1/jobs/{jobId}`. Texts in it may refer to other resources. */
  readonly job: Omit<JobDefinition, 'jobId'>;
  /**
   * 1 to 64 letters, digits, `.`, `_` or `-`. Another id makes another job.
   *
   * @default the path of the construct
   */
  readonly jobId?: string;
  /** The project of the job. @default the project of the deployment */
  readonly project?: string;
  /** What happens to the job when the construct is removed. @default RemovalPolicy.DESTROY */
  readonly removalPolicy?: RemovalPolicy;
}

const MAX_ID = 64;

/**
 * A job that the stack creates, updates and deletes. A rollback of the stack rolls the job back too. The
 * deployment of the stack fails if the API refuses the job, or if a job of that id exists when it is created.
 *
 * Throws one Error that lists every invalid field, apart from those that only the deployment knows.
 */
export class ScheduledJob extends Construct {
  /** Id of the job in its project. */
  readonly jobId: string;

  constructor(scope: Construct, id: string, props: ScheduledJobProps) {
    super(scope, id);
    const { quarterjack, job, project = quarterjack.project } = props;
    checkProject(this, project);
    this.jobId = props.jobId ?? idOfPath(this);
    if (!JOB_ID_FORM.test(this.jobId))
      throw new Error(
        `${this.node.path}: jobId is ${JSON.stringify(this.jobId)}; expected 1 to ${MAX_ID} letters, digits, ` +
          '".", "_" or "-", the first a letter or digit',
      );
    const faults = jobFaults(job, { ...quarterjack.jobRules, project });
    if (faults.length > 0) throw new Error(`${this.node.path} is not a valid job:\n  ${faults.join('\n  ')}`);
    const resource = quarterjack.customResources.addJob(this, {
      Project: project,
      JobId: this.jobId,
      Definition: Stack.of(this).toJsonString(job),
    });
    if (props.removalPolicy !== undefined) resource.applyRemovalPolicy(props.removalPolicy);
  }
}

/** The stack's name and the ids on the way, from the right where all of it is too long. */
function idOfPath(construct: Construct): string {
  const stack = Stack.of(construct);
  const ids = construct.node.scopes.slice(stack.node.scopes.length).map(({ node }) => node.id);
  const text = [stack.stackName, ...ids].join('-').replace(/[^A-Za-z0-9._-]/g, '-');
  return text.slice(-MAX_ID).replace(/^[^A-Za-z0-9]+/, '');
}
