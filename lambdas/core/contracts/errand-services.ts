import { ERRAND_PREFIX } from './target-resources';

/** The kinds of errands. */
export const ERRAND_TYPES = ['stepfunctions', 'ecs', 'durable'] as const;
export type ErrandType = (typeof ERRAND_TYPES)[number];

/** What the service of a kind of errands sends, and what it lets the watcher do. `lib/` permits no more. */
interface ErrandService {
  /** What its errands are called, in the plural. */
  plural: string;
  /** The events of their ends, on the default bus. One kind has one source. */
  events: { source: string; detailType: string; detail: Readonly<Record<string, readonly unknown[]>> };
  /** What the watcher may do with the errands of a target. */
  watching(target: NamedTarget): readonly Watching[];
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
  durable: {
    plural: 'durable executions',
    events: {
      source: 'aws.lambda',
      detailType: 'Durable Execution Status Change',
      detail: { durableExecutionName: OURS, status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'STOPPED'] },
    },
    watching: ({ name, arnOf }) => [
      {
        actions: ['lambda:GetDurableExecution', 'lambda:StopDurableExecution'],
        resources: [arnOf(`function:${name}:*/durable-execution/${ERRAND_PREFIX}*`)],
      },
      {
        actions: ['lambda:ListDurableExecutionsByFunction'],
        resources: [arnOf(`function:${name}`), arnOf(`function:${name}:*`)],
      },
    ],
  },
};
