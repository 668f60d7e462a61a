import * as z from 'zod';

import { TASK_STATUSES } from '../../contracts/execution-statuses';
import { PRIORITIES } from '../../contracts/pools';
import { AWAIT_NEEDS, AWAIT_WINDOWS } from '../../domain/workflow/await';
import { DEPENDENCY_CONDITIONS, FAILURE_POLICIES, FINALLY, JOINS } from '../../domain/workflow/definition';
import { TargetFields } from '../target';
import { ActorView } from './actor-answers';

/* Bodies of responses about workflows and their runs. See `answers.ts`. */

const Instant = z.string().meta({ format: 'date-time' });

/** Absent if its last attempt has said nothing. */
export const ProgressView = z
  .strictObject({ value: z.number(), text: z.string().optional(), at: Instant })
  .meta({
    id: 'Progress',
    description: 'How far the last attempt is, from 0 to 1, as a heartbeat has last said.',
  });

const AwaitDefinitionView = z.strictObject({
  job: z.string(),
  window: z.union([z.enum(AWAIT_WINDOWS), z.strictObject({ from: z.string(), to: z.string() })]),
  need: z.enum(AWAIT_NEEDS),
  onFailure: z.enum(['wait', 'fail']),
  checkEvery: z.string(),
  timeout: z.string(),
});

const TaskDefinitionView = z
  .strictObject({
    name: z.string().optional(),
    note: z.string().optional(),
    dependsOn: z.array(
      z.strictObject({
        task: z.string(),
        if: z.enum(DEPENDENCY_CONDITIONS),
        branch: z.string().optional(),
      }),
    ),
    join: z.enum(JOINS),
    finally: z.enum(FINALLY).optional(),
    allowFailure: z.boolean(),
    enabled: z.boolean(),
    when: z.unknown().optional(),
    delay: z.string().optional(),
    notBefore: z.string().optional(),
    switch: z.unknown().optional(),
    approval: z
      .strictObject({
        timeout: z.string(),
        onTimeout: z.enum(['fail', 'approve']),
        note: z.string().optional(),
        notBy: z.enum(['starter', 'editor']).optional(),
      })
      .optional(),
    await: AwaitDefinitionView.optional(),
    keepOutput: z.boolean().optional(),
    job: z.string().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    forEach: z
      .strictObject({
        items: z.union([z.string(), z.array(z.unknown())]),
        concurrency: z.int().optional(),
        tolerate: z.union([z.int(), z.string()]).optional(),
      })
      .optional(),
    target: z.optional(TargetFields),
    targets: z.array(TargetFields).optional(),
    input: z.unknown().optional(),
    retry: z
      .strictObject({
        maxAttempts: z.int(),
        initialDelay: z.string(),
        maxDelay: z.string(),
        multiplier: z.number(),
        maxAge: z.string(),
      })
      .optional(),
    timeout: z.string().optional(),
    priority: z.enum(PRIORITIES).optional(),
    pool: z.string().optional(),
  })
  .meta({ id: 'TaskDefinition', description: 'A task as PUT takes it, with all defaults.' });

export const WorkflowView = z
  .strictObject({
    params: z.record(z.string(), z.unknown()).optional(),
    tasks: z.record(z.string(), TaskDefinitionView),
    onTaskFailure: z.enum(FAILURE_POLICIES),
    maxParallel: z.int().optional(),
    output: z.unknown().optional(),
  })
  .meta({ id: 'WorkflowDefinition', description: 'A workflow as PUT takes it.' });
export type WorkflowView = z.output<typeof WorkflowView>;

export const WorkflowVersionView = z
  .strictObject({
    version: z.string().meta({ description: 'Named by its content: equal workflows have equal versions.' }),
    number: z.int().meta({ description: 'Rises with each change of the workflow. The first one has 1.' }),
    tasks: z.int().meta({ description: 'How many tasks it has.' }),
  })
  .meta({ id: 'WorkflowVersion', description: 'The version of its workflow that a job has.' });

export type TaskStatus = (typeof TASK_STATUSES)[number];

const counts = z.strictObject(
  Object.fromEntries(TASK_STATUSES.map((status) => [status, z.int()])) as Record<TaskStatus, z.ZodInt>,
);

export const RunView = z
  .strictObject({
    version: z.string(),
    number: z.int(),
    phase: z.enum(['running', 'held', 'stopping', 'ended']),
    heldAt: Instant.nullable().meta({ description: 'Since when no task of it begins: its user paused it.' }),
    startedAt: Instant,
    endsAt: Instant.meta({ description: 'End of its time: the start and the `timeout` of the job.' }),
    stopping: z.strictObject({ reason: z.string(), at: Instant }).nullable(),
    moves: z.int().meta({ description: 'Rises with everything that happens in the run.' }),
    counts: counts.optional().meta({ description: 'How many tasks have each status. Absent in lists.' }),
    failedTasks: z.array(z.string()).optional().meta({ description: 'Absent in lists.' }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The values of its parameters. Absent in lists.' }),
    output: z.unknown().optional().meta({
      description:
        'What the run returns, by the `output` of its workflow. Absent in lists, and until it ends.',
    }),
  })
  .meta({ id: 'Run', description: 'The state of an execution of a job with a workflow.' });
export type RunView = z.output<typeof RunView>;

export const TaskAttemptView = z.strictObject({
  attempt: z.int(),
  fence: z.int(),
  startedAt: Instant,
  finishedAt: Instant,
  outcome: z.enum(['succeeded', 'retriable', 'fatal', 'lost', 'cancelled']),
  target: z.int(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  late: z.literal(true).optional(),
});

/** The items of a fan-out by their states. */
export const ItemCountsView = z.strictObject({
  count: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  running: z.int().meta({ description: 'Begun and not ended: also those that wait for an attempt.' }),
  waiting: z.int(),
});

export const TaskView = z
  .strictObject({
    taskId: z.string(),
    name: z.string().optional(),
    kind: z.enum(['call', 'forEach', 'join', 'wait', 'switch', 'approval', 'job', 'await']).meta({
      description: '`join`: it has no target and does no work. `wait`: it only waits for its time.',
    }),
    finally: z.enum(FINALLY).optional(),
    status: z.enum(TASK_STATUSES).meta({
      description:
        '`excluded`: its conditions were not met. `blocked`: a task before it failed. `stopped`: the run stopped first. ' +
        'A task that never ran costs nothing: its status is derived.',
    }),
    reason: z.string().nullable(),
    because: z.array(z.string()).meta({
      description:
        'The tasks that explain a status: those it waits for, or those that blocked or excluded it.',
    }),
    dependsOn: z.array(z.string()),
    branch: z.string().nullable().optional().meta({ description: 'Only of a switch: the branch it took.' }),
    items: ItemCountsView.nullable()
      .optional()
      .meta({ description: 'Only of a task with `forEach`: its items. Null before it begins.' }),
    round: z.int(),
    startedAt: Instant.nullable(),
    finishedAt: Instant.nullable(),
    nextAttemptAt: Instant.nullable().meta({
      description:
        'When its next attempt starts: its `delay` or `notBefore`, or a retry. Null if none waits.',
    }),
    attempts: z.int().meta({ description: 'How many attempts have ended.' }),
    result: z.strictObject({ statusCode: z.int().nullable(), body: z.string().nullable() }).nullable(),
    child: z
      .strictObject({
        jobId: z.string(),
        execId: z.string().nullable().meta({ description: 'Null until the task is ready.' }),
      })
      .optional()
      .meta({ description: 'Only of a task with a job: the execution that it starts.' }),
  })
  .meta({ id: 'TaskState', description: 'A task of a run.' });
export type TaskView = z.output<typeof TaskView>;

export const TaskPage = z
  .strictObject({ items: z.array(TaskView), nextCursor: z.string().nullable() })
  .meta({ id: 'TaskPage' });

export const TaskDetailView = z
  .strictObject({
    ...TaskView.shape,
    attemptList: z
      .array(TaskAttemptView)
      .meta({ description: 'The attempts that have ended, in their order.' }),
    heartbeatAt: Instant.nullable(),
    progress: ProgressView.optional(),
    decided: z
      .strictObject({ by: ActorView.nullable(), at: Instant, comment: z.string().nullable() })
      .optional()
      .meta({ description: 'Who approved, rejected or skipped it, and what the actor wrote.' }),
    awaited: z
      .strictObject({
        jobId: z.string(),
        from: Instant,
        to: Instant,
        occurrences: z.array(
          z.strictObject({ dueAt: Instant, execId: z.string().nullable(), status: z.string().nullable() }),
        ),
      })
      .optional()
      .meta({
        description:
          'Only while the task waits for another job: its executions in the window, the last hundred. One without ' +
          'a status has not begun.',
      }),
    output: z
      .unknown()
      .optional()
      .meta({ description: 'What its target returned. Absent if that was not kept.' }),
  })
  .meta({ id: 'TaskDetail', description: 'A task of a run with its attempts.' });
export type TaskDetailView = z.output<typeof TaskDetailView>;

export const WaitingView = z
  .strictObject({
    kind: z.enum(['approval', 'held']),
    jobId: z.string(),
    execId: z.string(),
    taskId: z.string().nullable().meta({ description: 'The approval that waits; null for a held run.' }),
    since: Instant,
    until: Instant.nullable().meta({ description: 'When the time of an approval is over.' }),
    note: z.string().nullable(),
  })
  .meta({ id: 'Waiting', description: 'What waits until a user acts.' });
export type WaitingView = z.output<typeof WaitingView>;

export const WaitingPage = z
  .strictObject({ items: z.array(WaitingView), nextCursor: z.string().nullable() })
  .meta({ id: 'WaitingPage' });

export const WorkflowCheckView = z
  .strictObject({
    errors: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .meta({ description: 'What is wrong with the workflow. If there is anything, the rest is empty.' }),
    levels: z
      .array(z.array(z.string()))
      .meta({ description: 'Each task depends on tasks of earlier levels alone. Finally tasks come last.' }),
    rendered: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What each task would get as its body, by the ids of tasks.' }),
    unrendered: z
      .record(z.string(), z.string())
      .meta({ description: 'Why a task has none: its templates need an output that was not given.' }),
    output: z.unknown().optional().meta({ description: 'What the run would return, if it can be rendered.' }),
    estimate: z.strictObject({ writes: z.int(), dollars: z.number() }).nullable().meta({
      description: 'What a run costs in which each task succeeds at once: writes, and their price.',
    }),
  })
  .meta({ id: 'WorkflowCheck', description: 'What is wrong with a workflow, or what its tasks would get.' });
export type WorkflowCheckView = z.output<typeof WorkflowCheckView>;

export const VersionView = z
  .strictObject({
    version: z.string(),
    number: z.int(),
    savedAt: Instant,
    isCurrent: z.boolean(),
    workflow: WorkflowView.optional().meta({ description: 'Absent in lists.' }),
  })
  .meta({ id: 'KeptVersion', description: 'A version of a job’s workflow that is kept.' });
export type VersionView = z.output<typeof VersionView>;

export const VersionPage = z
  .strictObject({ items: z.array(VersionView), nextCursor: z.string().nullable() })
  .meta({ id: 'VersionPage' });
