import type { Job } from './job';
import type { Target } from './target';

/**
 * How a job's work is done: by targets that are called, by a workflow, by workers that ask for it, or
 * elsewhere.
 */
export const JOB_KINDS = ['plain', 'workflow', 'worker', 'monitor'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** A new type of target does not compile before it has its kind. */
const KIND_OF_TARGET: Readonly<Record<Target['type'], JobKind>> = {
  http: 'plain',
  lambda: 'plain',
  sqs: 'plain',
  sns: 'plain',
  eventbridge: 'plain',
  stepfunctions: 'plain',
  ecs: 'plain',
  batch: 'plain',
  glue: 'plain',
  codebuild: 'plain',
  aws: 'plain',
  email: 'plain',
  pagerduty: 'plain',
  'incident-io': 'plain',
  worker: 'worker',
  monitor: 'monitor',
};

export const kindOf = ({ target }: Pick<Job, 'target'>): JobKind =>
  target ? KIND_OF_TARGET[target.type] : 'workflow';
