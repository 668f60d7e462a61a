import { DEFINITION_FIELDS } from '../../../lambdas/core/domain/definition-fields';
import { JobBody } from '../../../lambdas/core/http/job';
import { type Job, limitNameOf } from '../../../lambdas/core/domain/job';
import type { Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { AS_THEY_ARE, featuresOf, type Folds } from './schema-features';

/** What a target says of an errand. An errand is one feature, whatever service does it. */
const OF_ERRANDS = [
  'durable',
  'fatalErrors',
  'container',
  'environment',
  'fatalExitCodes',
  'command',
  'cpu',
  'vcpus',
  'memory',
  'parameters',
  'arguments',
];

/**
 * How features are named where pairs of them are counted. One of several targets is a target. AWS targets
 * are one kind. What only conditions and retries of tasks say counts once.
 */
const FOLDS: Folds = {
  leaves: [
    'target.method',
    'target.auth',
    'target.tls',
    'retry.on',
    'schedule.where',
    'schedule.dst',
    'onEnd.succeeded',
    'onEnd.failed',
    'task.target.method',
    'task.target.auth',
    'task.target.tls',
    'task.retry',
    'task.priority',
    'task.when',
    'task.switch',
    'task.await.window',
    'task.forEach.items',
    'task.forEach.tolerate',
  ],
  names: {
    targets: 'target',
    'workflow.tasks': 'task',
    'task.targets': 'task.target',
  },
  as: new Map(
    ['target', 'task.target'].flatMap((target) => [
      ...OF_ERRANDS.map((field): [string, string] => [`${target}.${field}`, `${target}.wait`]),
      ...['input', 'region'].map((field): [string, string] => [`${target}.${field}`, `${target}=aws`]),
    ]),
  ),
  members: {
    sqs: 'aws',
    sns: 'aws',
    eventbridge: 'aws',
    stepfunctions: 'aws',
    ecs: 'aws',
    batch: 'aws',
    glue: 'aws',
    codebuild: 'aws',
  },
};

/** Each execution completes its concurrency key from its payload. */
const DERIVED = 'concurrencyKey=derived';

/** Features of which no pairs are counted, and why. */
const UNCOUNTED: ReadonlyMap<string, string> = new Map([
  ['jobId', 'each job has one'],
  ['task.dependsOn=string', 'it is stored as an object'],
  ['task.target.wait', 'a task starts no errand'],
]);

/** What a task of a workflow cannot have: it starts no work that it would wait for. */
const IN_NO_TASK =
  /^workflow\.tasks\.target(?:=(?:ecs|batch|glue|codebuild)|\.(?:container|environment|durable|fatal\w+|command|cpu|vcpus|memory|parameters|arguments)\b)/;

/** A monitor stands alone, and draws of its own have what it may have. No task is one. */
const OF_MONITORS = /^(?:workflow\.tasks\.|task\.)?target(?:=monitor|\.methods)\b/;
const OF_TASKS = /^(?:workflow\.tasks|task)\./;

/** Every feature that the API takes in a definition. */
export const ALL_FEATURES: ReadonlySet<string> = new Set(
  [...featuresOf(JobBody, AS_THEY_ARE)].filter(
    (feature) => !IN_NO_TASK.test(feature) && !(OF_MONITORS.test(feature) && OF_TASKS.test(feature)),
  ),
);

/** The features of which pairs are counted. */
export const COUNTED_FEATURES: readonly string[] = [...featuresOf(JobBody, FOLDS), DERIVED].filter(
  (feature) => !UNCOUNTED.has(feature) && !OF_MONITORS.test(feature),
);

/** All features of a request's body. */
export const featuresOfBody = (body: unknown): Set<string> =>
  featuresOf(JobBody, AS_THEY_ARE, { value: body });

/** The features of a job as it is stored, by the names of those that are counted. */
export function featuresOfJob(job: Job, workflow: Workflow | undefined): Set<string> {
  const definition = Object.fromEntries(DEFINITION_FIELDS.map((field) => [field, job[field]]));
  const { target, targets, ...fields } = definition;
  const value = { ...fields, ...(targets === undefined ? { target } : { targets }), workflow };
  const features = featuresOf(JobBody, FOLDS, { value });
  const { concurrencyKey: key } = job;
  return key === undefined || limitNameOf(key) === key ? features : features.add(DERIVED);
}
