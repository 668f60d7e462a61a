import type { Priority } from '../../contracts/pools';
import type { Json } from '../../templates/syntax';
import type { Await } from './await';
import type { RetryPolicy } from '../retry-policy';
import type { Target } from '../target';

/** What becomes of a run once a task has failed or was cancelled, unless the task says `allowFailure`. */
export const FAILURE_POLICIES = ['continue', 'stop', 'cancel'] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** Which end of the upstream task lets the dependent one go on. */
export const DEPENDENCY_CONDITIONS = ['succeeded', 'failed', 'done'] as const;
export type DependencyCondition = (typeof DEPENDENCY_CONDITIONS)[number];

/** Whether a task needs all of its dependencies, or one. */
export const JOINS = ['all', 'any'] as const;
export type Join = (typeof JOINS)[number];

/** After which outcome of the other tasks a clean-up task runs. */
export const FINALLY = ['always', 'failed', 'succeeded'] as const;
export type Finally = (typeof FINALLY)[number];

export interface Dependency {
  /** Id of the upstream task. */
  task: string;
  if: DependencyCondition;
  /** Only of a switch: the branch that lets the dependent one go on. Then `if` is `succeeded`. */
  branch?: string;
}

/** What a value is compared with. If there are several fields, all of them have to hold. */
export interface Comparison {
  equals?: Json;
  notEquals?: Json;
  in?: readonly Json[];
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
  /** Whether there is a value. Without this field, a missing value is a fault. */
  exists?: boolean;
}

/** A template, and what its value is compared with. */
export interface ValueCondition extends Comparison {
  value: string;
}

export type Condition =
  | ValueCondition
  | { all: readonly ValueCondition[] }
  | { any: readonly ValueCondition[] };

/** Chooses a branch: that of the first case whose comparison holds. */
export interface Switch {
  /** A template. */
  on: string;
  cases: readonly SwitchCase[];
  default: string;
}
export interface SwitchCase extends Comparison {
  branch: string;
}

/** A task that waits until a user approves or rejects it. */
export interface Approval {
  /** From when it is ready. */
  timeout: string;
  onTimeout: 'fail' | 'approve';
  /** A template, for those who decide. */
  note?: string;
  /** Who may not decide: who started the run, or who last changed the job. */
  notBy?: 'starter' | 'editor';
}

/** What a fan-out over due times does otherwise: its items are the due times of its children. */
export interface Dates {
  overlap: 'respect' | 'ignore';
  priority: Priority;
  /** Once an item has failed, no further one begins. */
  stopsOnFailure?: true;
}

/** Calls the targets of a task, or starts its job, once for each item of a list. */
export interface ForEach {
  /** A template that makes a list; or a list, whose texts are templates. */
  items: string | readonly Json[];
  /** At most so many items at once. Absent: no bound. */
  concurrency?: number;
  /** How many items may fail: a number, or a part of all such as `10%`. Absent: none. */
  tolerate?: number | string;
  /** Only of a backfill. */
  dates?: Dates;
}

/** One node of a workflow. Without a target it does no work: it joins its dependencies. */
export interface Task {
  name?: string;
  note?: string;
  dependsOn: readonly Dependency[];
  join: Join;
  /** Runs once all other tasks are settled. It has no dependencies. */
  finally?: Finally;
  /** Its failure fails neither the run nor the tasks that depend on it. */
  allowFailure?: true;
  /** `false`: it counts as skipped by its user. */
  enabled?: false;
  /** If it does not hold, the task is excluded. */
  when?: Condition;
  /** It starts this long after it is ready. */
  delay?: string;
  /** It does not start before this: a template of an instant, or `HH:mm` on the local day of its run. */
  notBefore?: string;
  /** In place of a target. */
  switch?: Switch;
  /** In place of a target. */
  approval?: Approval;
  /** In place of a target: another job of the project, of which the task starts an execution. */
  job?: string;
  /** The parameters that a child with a workflow is given; their texts are templates. */
  params?: Readonly<Record<string, Json>>;
  /** In place of a target. */
  await?: Await;
  /** Keeps its output, though no template refers to it. */
  keepOutput?: true;
  /** Beside a target or a job: a fan-out. */
  forEach?: ForEach;
  target?: Target;
  targets?: readonly Target[];
  /** The body that its targets get, or the payload of a child: any JSON, whose texts are templates. */
  input?: unknown;
  /** Absent: that of the job. */
  retry?: RetryPolicy;
  /**
   * Bound on one attempt. Absent: `DEFAULT_TASK_TIMEOUT`. Beside a job: bound on the child, from when it is
   * started; absent: none.
   */
  timeout?: string;
  /** Absent: those of the job. */
  priority?: Priority;
  pool?: string;
}

/** Tasks that depend on tasks, with every default filled in. */
export interface Workflow {
  /** The default values of the parameters, by their names. Absent: there are none. */
  params?: Readonly<Record<string, Json>>;
  tasks: Record<string, Task>;
  onTaskFailure: FailurePolicy;
  /** At most so many tasks are called at once. Absent: no bound. */
  maxParallel?: number;
  /** What a run returns: any JSON, whose texts are templates. Absent: nothing. */
  output?: Json;
}

/** What a job's row says about its workflow. The workflow itself is a row of its own. */
export interface WorkflowRef {
  /** SHA-256 of the workflow in canonical JSON, the first 22 characters in base64url. */
  version: string;
  /** 1, 2, 3 …: counts the changes of the job's workflow. */
  number: number;
  /** How many tasks it has, and its length as JSON. */
  tasks: number;
  bytes: number;
  /** Names of the secrets that its targets name, if any. */
  secrets?: readonly string[];
  /** Ids of the jobs that its tasks start, if any. */
  jobs?: readonly string[];
  /** Ids of the jobs for which its tasks wait, if any. */
  awaits?: readonly string[];
  /** Ids of the jobs without whose success no run of it succeeds, if any: see `neededBy`. */
  needs?: readonly string[];
  /** Names of the work queues of its tasks, if any. */
  queues?: readonly string[];
  /** Names the save that made this the job's workflow. */
  savedBy: string;
  /** Only while a request is at work: the workflow itself. No row of Jobs has it. */
  content?: Workflow;
}

export const DEFAULT_TASK_TIMEOUT = '5m';

export const MAX_TASKS = 1_000;
export const MAX_DEPENDENCIES = 10_000;
export const MAX_WORKFLOW_BYTES = 262_144;
export const MAX_PARALLEL = 1_000;
export const MAX_PARAMS = 100;
/** Bound on the default values, and on those that a run is given, as JSON. */
export const MAX_PARAMS_BYTES = 16_384;
/** Bound on one output as JSON. */
export const MAX_OUTPUT_BYTES = 32_768;
export const MAX_CASES = 50;
/** Bound on the tasks whose values one task names. */
export const MAX_REFERENCES = 50;

/** Bounds on the items of a fan-out: their number, that without `concurrency`, and their bytes as JSON. */
export const MAX_ITEMS = 10_000;
export const MAX_UNBOUNDED_ITEMS = 1_000;
export const MAX_ITEMS_BYTES = 262_144;
/** Bound on the list of the outputs of a fan-out's items, as JSON. */
export const MAX_GATHERED_BYTES = 65_536;

/** Whether a task calls its targets, or starts its job, once for each item of a list. */
export const isFanOut = ({ forEach }: Task): boolean => forEach !== undefined;

/** Whether a task calls a target. */
export const hasWork = ({ target, targets }: Task): boolean => target !== undefined || targets !== undefined;

/** Whether a task that is ready may wait for a time of its own. */
export const isTimed = ({ delay, notBefore }: Task): boolean =>
  delay !== undefined || notBefore !== undefined;

/**
 * Whether a task is sent once it is ready: it calls a target, waits for its time, or sends or starts its
 * items.
 */
export const isSent = (task: Task): boolean =>
  hasWork(task) || isFanOut(task) || (isTimed(task) && !isChild(task));

/** Whether a task starts an execution that may have an output: of its own, or of another job. */
export const isStarted = (task: Task): boolean => hasWork(task) || task.job !== undefined;

/** Whether a task starts one child: not one for each item of a list. */
export const isChild = (task: Task): boolean => task.job !== undefined && !isFanOut(task);

/** Whether an alarm of the run begins a task at its time: it has no execution of its own that could wait. */
export const isAlarmed = (task: Task): boolean => isTimed(task) && (isFanOut(task) || isChild(task));

/** Whether something decides on a task once it is ready, before it is sent or counts as done. */
export const isDecided = (task: Task): boolean =>
  [task.when, task.switch, task.notBefore, task.await].some((one) => one !== undefined);

/**
 * Whether a task is decided by what makes it ready: it needs no execution, no user, no other job and no time
 * of its own.
 */
export const isInline = (task: Task): boolean =>
  !isSent(task) && !isStarted(task) && !task.approval && !task.await;

/** The branches of a switch, each once, in the order of its cases. */
export const branchesOf = ({ cases, default: last }: Switch): string[] => [
  ...new Set([...cases.map(({ branch }) => branch), last]),
];
