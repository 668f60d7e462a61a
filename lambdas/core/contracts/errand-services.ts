import { ERRAND_PREFIX } from './target-resources';

/** The kinds of errands. */
export const ERRAND_TYPES = ['stepfunctions', 'ecs', 'batch', 'glue', 'codebuild', 'durable'] as const;
export type ErrandType = (typeof ERRAND_TYPES)[number];

/** What the service of a kind of errands sends, and what it lets the watcher do. `lib/` permits no more. */
interface ErrandService {
  /** What its errands are called, in the plural. */
  plural: string;
  /** The events of their ends, on the default bus. One kind has one source. */
  events: {
    source: string;
    detailType: string;
    detail: EventDetail;
    /** The field with the name of what was started, for events that do not name an errand. */
    nameIn?: string;
  };
  /** What the watcher may do with the errands of a target. */
  watching(target: NamedTarget): readonly Watching[];
}

/** What a rule asks of an event: one of these values, in each field. */
export interface EventDetail {
  readonly [field: string]: readonly unknown[] | EventDetail;
}

interface Watching {
  actions: readonly string[];
  resources: readonly string[];
  /** Where no resource says it: the clusters to which the actions are bound. */
  clusters?: readonly string[];
}

/** What is started, or where, by the parts of its ARN. */
interface NamedTarget {
  /** Without the version or alias of a function. */
  name: string;
  /** ARN of another resource of its service, in its region and account. */
  arnOf(resource: string): string;
}

/** The variable, or argument, that names an errand to its work. */
export const ERRAND_VARIABLE = 'QUARTERJACK_ERRAND';

const OURS = [{ prefix: ERRAND_PREFIX }];

export const ERRAND_SERVICES: Readonly<Record<ErrandType, ErrandService>> = {
  stepfunctions: {
    plural: 'executions of state machines',
    events: {
      source: 'aws.states',
      detailType: 'Step Functions Execution Status Change',
      detail: { name: OURS, status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] },
    },
    watching: ({ name, arnOf }) => [
      {
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: [arnOf(`execution:${name}:${ERRAND_PREFIX}*`)],
      },
    ],
  },
  ecs: {
    plural: 'tasks of ECS',
    events: {
      source: 'aws.ecs',
      detailType: 'ECS Task State Change',
      detail: { startedBy: OURS, lastStatus: ['STOPPED'] },
    },
    watching: ({ name, arnOf }) => [
      { actions: ['ecs:DescribeTasks', 'ecs:StopTask'], resources: [arnOf(`task/${name}/*`)] },
      { actions: ['ecs:ListTasks'], resources: ['*'], clusters: [arnOf(`cluster/${name}`)] },
    ],
  },
  batch: {
    plural: 'jobs of Batch',
    events: {
      source: 'aws.batch',
      detailType: 'Batch Job State Change',
      detail: { jobName: OURS, status: ['SUCCEEDED', 'FAILED'] },
    },
    watching: ({ arnOf }) => [
      // Batch lets no resource be named for these.
      { actions: ['batch:DescribeJobs', 'batch:ListJobs'], resources: ['*'] },
      { actions: ['batch:TerminateJob'], resources: [arnOf('job/*')] },
    ],
  },
  glue: {
    plural: 'runs of Glue jobs',
    events: {
      source: 'aws.glue',
      detailType: 'Glue Job State Change',
      detail: { state: ['SUCCEEDED', 'FAILED', 'TIMEOUT', 'STOPPED'] },
      nameIn: 'jobName',
    },
    watching: ({ name, arnOf }) => [
      {
        actions: ['glue:GetJob', 'glue:GetJobRun', 'glue:GetJobRuns', 'glue:BatchStopJobRun'],
        resources: [arnOf(`job/${name}`)],
      },
    ],
  },
  codebuild: {
    plural: 'builds of CodeBuild',
    events: {
      source: 'aws.codebuild',
      detailType: 'CodeBuild Build State Change',
      detail: {
        'build-status': ['SUCCEEDED', 'FAILED', 'FAULT', 'STOPPED', 'TIMED_OUT'],
        'additional-information': {
          environment: { 'environment-variables': { name: [ERRAND_VARIABLE], value: OURS } },
        },
      },
    },
    watching: ({ name, arnOf }) => [
      {
        actions: ['codebuild:BatchGetBuilds', 'codebuild:ListBuildsForProject', 'codebuild:StopBuild'],
        resources: [arnOf(`project/${name}`)],
      },
    ],
  },
  durable: {
    plural: 'durable executions',
    events: {
      source: 'aws.lambda',
      detailType: 'Durable Execution Status Change',
      detail: { durableExecutionName: OURS, status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'STOPPED'] },
    },
    watching: ({ name, arnOf }) => [
      {
        actions: [
          'lambda:GetDurableExecution',
          'lambda:GetDurableExecutionHistory',
          'lambda:StopDurableExecution',
        ],
        resources: [arnOf(`function:${name}:*/durable-execution/${ERRAND_PREFIX}*`)],
      },
      {
        actions: ['lambda:ListDurableExecutionsByFunction'],
        resources: [arnOf(`function:${name}`), arnOf(`function:${name}:*`)],
      },
    ],
  },
};
