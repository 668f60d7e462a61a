import * as z from 'zod/mini';

import { PRIORITIES } from '../contracts/pools';
import { isErrandTarget } from '../domain/long-call';
import { AWAIT_NEEDS, AWAIT_WINDOWS } from '../domain/workflow/await';
import { faultsOfGraph } from '../domain/workflow/check';
import { faultsOfData } from '../domain/workflow/check-data';
import {
  DEPENDENCY_CONDITIONS,
  FAILURE_POLICIES,
  FINALLY,
  JOINS,
  MAX_ITEMS,
  MAX_PARALLEL,
  MAX_UNBOUNDED_ITEMS,
  type Task,
  type Workflow,
} from '../domain/workflow/definition';
import { parseDuration } from '../schedule/duration';
import { faultOfMaxAge, faultOfTimeout, Targets, TaskRetry } from './delivery-fields';
import { anyRecord, described, duration, JobId, record, singleLine, textUpTo, wholeNumber } from './fields';
import { TargetBody } from './target';
import { ConditionBody, MAX_TEMPLATE, SwitchBody } from './workflow-conditions';

/** Bounds of `timeout` of a job with a workflow. */
const MIN_RUN_TIME = '1m';
export const MAX_RUN_TIME = '30d';

/** Why a time-out cannot bound a run; undefined: it can. */
export const faultOfRunTime = (timeout: string | undefined): string | undefined =>
  faultOfLongTime(timeout, 'for a workflow');

/** Why a time-out cannot bound a child; undefined: it can. */
const faultOfChildTime = (timeout: string | undefined): string | undefined =>
  faultOfLongTime(timeout, 'beside a job');

function faultOfLongTime(timeout: string | undefined, where: string): string | undefined {
  if (timeout === undefined) return undefined;
  const ms = parseDuration(timeout);
  if (ms >= parseDuration(MIN_RUN_TIME) && ms <= parseDuration(MAX_RUN_TIME)) return undefined;
  return `${JSON.stringify(timeout)} is out of range: must be from ${MIN_RUN_TIME} to ${MAX_RUN_TIME} ${where}`;
}

const MAX_APPROVAL_NOTE = 2_000;
const MAX_TIME = 1_000;

const DependencyFields = z.strictObject({
  task: z.string(),
  if: z._default(z.enum(DEPENDENCY_CONDITIONS), 'succeeded'),
  branch: described(z.optional(z.string()), { description: 'Only of a switch: the branch it has to take.' }),
});

/** `"extract"` is short for `{ "task": "extract", "if": "succeeded" }`. */
const DependencyBody = z.pipe(
  z.union([z.string(), DependencyFields]),
  z.transform((given: string | z.output<typeof DependencyFields>) =>
    typeof given === 'string' ? { task: given, if: 'succeeded' as const } : given,
  ),
);

const TOLERATED_PART = /^(?:100|\d{1,2})%$/;

const ForEachBody = described(
  z.strictObject({
    items: described(z.union([textUpTo(MAX_TEMPLATE), z.array(z.unknown())]), {
      description:
        'A template that makes a list, or a list, whose texts are templates: at most 10,000 items and 256 KB as JSON.',
    }),
    concurrency: described(z.optional(wholeNumber(1, MAX_UNBOUNDED_ITEMS)), {
      description: 'At most so many items at once. Needed above 1,000 items. Default: no bound.',
    }),
    tolerate: described(
      z.optional(
        z.union([
          wholeNumber(0, MAX_ITEMS),
          z.string().check(z.regex(TOLERATED_PART, 'must be a number, or a part such as "10%"')),
        ]),
      ),
      { description: 'How many items may fail: a number, or a part of all such as `10%`. Default: none.' },
    ),
  }),
  {
    id: 'ForEach',
    description: 'Calls the targets of a task, or starts its job, once for each item of a list.',
  },
);

const taskFields = {
  name: z.optional(singleLine(1, 256)),
  note: z.optional(singleLine(1, 500)),
  dependsOn: described(z._default(z.array(DependencyBody), []), {
    description:
      'The tasks before it. A text is short for `{ "task": …, "if": "succeeded" }`; `failed` and `done` are the other ' +
      'conditions.',
  }),
  join: described(z._default(z.enum(JOINS), 'all'), {
    description: 'Whether all dependencies must be met, or one. A task that was not chosen does not count.',
  }),
  finally: described(z.optional(z.enum(FINALLY)), {
    description: 'Runs after all other tasks: always, or if one of them has failed, or if none has.',
  }),
  allowFailure: described(z._default(z.boolean(), false), {
    description: 'If true, a failure of the task fails neither the run nor the tasks that depend on it.',
  }),
  enabled: described(z._default(z.boolean(), true), {
    description: 'If false, the task counts as skipped, and the tasks after it go on.',
  }),
  when: described(z.optional(ConditionBody), {
    description:
      'The task runs only if this holds; else it is excluded. It is decided once the task is ready.',
  }),
  delay: described(z.optional(duration('1s', MAX_RUN_TIME)), {
    description:
      'The task starts this long after it is ready, with all of its items, or with the job that it starts. Without a ' +
      'target or a job it only waits.',
  }),
  notBefore: described(z.optional(textUpTo(MAX_TIME)), {
    description:
      'The task does not start before this time. `HH:mm` is a time on the local day of the run, in the zone of its ' +
      "schedule. Anything else is a template of an instant, such as `{{ run.dueAt | shift('2h') }}`.",
    examples: ['08:00'],
  }),
  switch: described(z.optional(SwitchBody), { description: 'In place of a target: chooses a branch.' }),
  approval: described(
    z.optional(
      z.strictObject({
        timeout: z._default(duration('1m', MAX_RUN_TIME), '7d'),
        onTimeout: z._default(z.enum(['fail', 'approve']), 'fail'),
        note: z.optional(textUpTo(MAX_APPROVAL_NOTE)),
        notBy: described(z.optional(z.enum(['starter', 'editor'])), {
          description: 'Who may not decide: who started the run, or who last changed the job.',
        }),
      }),
    ),
    { description: 'In place of a target: the task waits until a user approves or rejects it.' },
  ),
  job: described(z.optional(JobId), {
    description:
      'In place of a target: a job of the project. The task starts an execution of it and waits for its end.',
  }),
  params: described(z.optional(anyRecord()), {
    description: 'Only beside a job with a workflow: values of its parameters. Texts are templates.',
  }),
  await: described(
    z.optional(
      z.strictObject({
        job: JobId,
        window: described(
          z.union([
            z.enum(AWAIT_WINDOWS),
            z.strictObject({ from: textUpTo(MAX_TIME), to: textUpTo(MAX_TIME) }),
          ]),
          {
            description:
              'Around the due time of the run, or just before, in the zone of its schedule. Or from an instant to ' +
              'another, which does not belong to it: both are templates.',
          },
        ),
        need: described(z._default(z.enum(AWAIT_NEEDS), 'all'), {
          description: 'Which executions have to succeed: all in the window, the last one, or any.',
        }),
        onFailure: described(z._default(z.enum(['wait', 'fail']), 'wait'), {
          description: '`fail`: one that did not succeed fails the task. `wait`: it may be run again.',
        }),
        checkEvery: z._default(duration('20s', '15m'), '30s'),
        timeout: z._default(duration('1m', MAX_RUN_TIME), '24h'),
      }),
    ),
    { description: 'In place of a target: the task waits for executions of another job.' },
  ),
  keepOutput: described(z.optional(z.boolean()), {
    description: 'Keeps what the target returns, though no template names it: up to 32 KB.',
  }),
  forEach: described(z.optional(ForEachBody), {
    description:
      'Beside a target or a job: the task calls it, or starts it, once for each item. Its templates know `item` and ' +
      '`index`.',
  }),
  target: z.optional(TargetBody),
  targets: Targets,
  input: described(z.optional(z.unknown()), {
    description:
      'Any JSON, the body that the targets get, or the payload of the job. Its texts are templates: `{{ run.day }}`.',
  }),
  retry: z.optional(TaskRetry),
  timeout: described(z.optional(duration('1s', MAX_RUN_TIME)), {
    description:
      'Bound on one attempt, by default `5m`. Beside a job: bound on its execution, from when that is started; `1m` ' +
      'to `30d`, by default none.',
  }),
  priority: z.optional(z.enum(PRIORITIES)),
  pool: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
};

const TaskFields = described(
  z.strictObject(taskFields).check(
    z.superRefine(({ target, targets, ...task }, context) => {
      const add = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (isErrandTarget(target)) add('target', 'must not wait: name a job whose target waits');
      if (target?.type === 'monitor') add('target', 'must not be a monitor: it is a job of its own');
      if (target && targets) add('target', 'excludes targets: give only one of the two');
      if (task.switch && (target || targets)) add('switch', 'excludes a target: give only one of the two');
      if (task.approval && (target || targets || task.switch))
        add('approval', 'excludes a target and a switch: give only one of them');
      if (task.await && (target || targets || task.switch || task.approval))
        add('await', 'excludes a target, a switch and an approval: give only one of them');
      if (task.job && (target || targets || task.switch || task.approval || task.await))
        add('job', 'excludes a target, a switch, an approval and an await: give only one of them');
      if (task.params && !task.job) add('params', 'is only allowed beside a job');
      const mayWait = ![task.switch, task.approval, task.await].some(Boolean);
      for (const field of ['delay', 'notBefore'] as const)
        if (task[field] !== undefined && !mayWait)
          add(field, 'is not allowed on a switch, an approval or an await: put it on a task before this one');
      if (task.switch && !task.enabled)
        add('enabled', 'must not be false for a switch: it would take no branch');
      if (task.keepOutput && targets)
        add('keepOutput', 'is not allowed beside targets: each returns its own');
      const message = task.job
        ? faultOfChildTime(task.timeout)
        : faultOfTimeout(task.timeout, targets ?? (target ? [target] : []));
      if (message) add('timeout', message);
      const ofAge = faultOfMaxAge(task.retry?.maxAge);
      if (ofAge) context.addIssue({ code: 'custom', path: ['retry', 'maxAge'], message: ofAge });
      if (target || targets) return;
      const ofChild: readonly string[] = task.job ? ['input', 'timeout', 'keepOutput', 'forEach'] : [];
      for (const field of ['input', 'retry', 'timeout', 'priority', 'pool', 'keepOutput', 'forEach'] as const)
        if (task[field] !== undefined && !ofChild.includes(field))
          add(field, 'is only allowed beside a target');
    }),
  ),
  {
    id: 'Task',
    description: 'One task of a workflow. Without a target it does no work, and joins the tasks before it.',
  },
);

/** A task as it is stored: without the defaults that say nothing. */
const TaskBody = z.pipe(
  TaskFields,
  z.transform(({ allowFailure, enabled, keepOutput, ...task }: z.output<typeof TaskFields>): Task => ({
    ...(task as Omit<Task, 'allowFailure' | 'enabled' | 'keepOutput'>),
    ...(keepOutput && { keepOutput }),
    ...(allowFailure && { allowFailure }),
    ...(!enabled && { enabled: false as const }),
  })),
);

/** The names are checked with the graph: see `faultsOfData`. */
const ParamsBody = described(anyRecord(), {
  description:
    'The default values of the parameters, by their names. A run may give others of the same type.',
});

const WorkflowFields = z.strictObject({
  params: z.optional(ParamsBody),
  tasks: described(record(z.string(), TaskBody), { description: 'The tasks by their ids: 1 to 1,000.' }),
  onTaskFailure: described(z._default(z.enum(FAILURE_POLICIES), 'continue'), {
    description:
      'What a failed task leads to. `continue`: all that can still run, runs. `stop`: nothing new starts. `cancel`: what ' +
      'runs is cancelled too. Finally tasks run in any case.',
  }),
  output: described(z.optional(z.unknown()), {
    description: 'What a run returns: any JSON, whose texts are templates. Up to 32 KB once rendered.',
  }),
  maxParallel: described(z.optional(wholeNumber(1, MAX_PARALLEL)), {
    description: 'At most so many tasks are called at once. Default: no bound.',
  }),
});

/** Checks fields and graph. The API checks targets, templates and secrets. */
export const WorkflowBody = described(
  WorkflowFields.check(
    z.superRefine((workflow, context) => {
      const faults = faultsOfGraph(workflow as Workflow);
      for (const { path, message } of faults.length > 0 ? faults : faultsOfData(workflow as Workflow))
        context.addIssue({ code: 'custom', path: path.split('.'), message });
    }),
  ),
  { id: 'Workflow', description: 'Tasks that depend on tasks, with the same promises as jobs.' },
);
