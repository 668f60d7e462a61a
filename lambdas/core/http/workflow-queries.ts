import * as z from 'zod/mini';

import { TASK_STATUSES } from '../contracts/execution-statuses';
import { RETRY_MODES } from '../domain/workflow/reopen';
import { anyRecord, described, singleLine } from './fields';
import { digits, instant, page } from './query-fields';

const MAX_TASKS_ON_PAGE = 1_000;

export const ListTasksQuery = z.strictObject({
  status: z.optional(z.enum(TASK_STATUSES)),
  limit: described(z._default(digits(1, MAX_TASKS_ON_PAGE), 100), { description: 'Tasks on a page.' }),
  cursor: page.cursor,
});

export const ListItemsQuery = z.strictObject({
  ...page,
  status: described(z.optional(z.enum(TASK_STATUSES)), { description: 'Only items with this status.' }),
});

export const ListVersionsQuery = z.strictObject(page);

const names = () => z.optional(anyRecord());

/** Body of the check of a workflow. What is wrong with `workflow` and `schedule` is part of the answer. */
export const CheckWorkflowBody = described(
  z.strictObject({
    workflow: described(z.unknown(), { override: { $ref: '#/components/schemas/Workflow' } }),
    schedule: described(z.optional(z.unknown()), {
      override: { type: ['object', 'string'], additionalProperties: true },
      description: 'Whose zone and previous due time the templates get. Default: none, and UTC.',
    }),
    params: described(names(), { description: 'Values of parameters.' }),
    outputs: described(names(), {
      description: 'What the targets of tasks return, by the ids of the tasks.',
    }),
    dueAt: z.optional(instant),
  }),
  { id: 'WorkflowCheckRequest' },
);

/** Body of `approve` and `reject`. */
export const ApproveBody = described(
  z.strictObject({
    comment: described(z.optional(singleLine(1, 500)), { description: 'Why, for the record.' }),
    output: described(z.optional(z.unknown()), {
      description: 'Any JSON up to 32 KB, for the tasks after it: `{{ tasks.release.output }}`.',
    }),
  }),
  { id: 'ApprovalRequest' },
);

const taskIds = () => z.optional(z.array(z.string()).check(z.maxLength(1_000)));

/** What `retry` takes for a run of a workflow. */
export const RUN_RETRY_FIELDS = {
  mode: described(z.optional(z.enum(RETRY_MODES)), {
    description:
      'Only for a run: what runs again. `failed` (default): all that has failed or was cancelled, and what follows on ' +
      'it. `from`: `tasks`, and what follows on them. `only`: `tasks` alone. `all`: everything.',
  }),
  tasks: described(taskIds(), { description: 'Only for a run: ids of tasks.' }),
  skip: described(taskIds(), { description: 'Only for a run: tasks that count as skipped.' }),
  definition: described(z.optional(z.enum(['started', 'current'])), {
    description: 'Only for a run: the workflow that it started with (default), or that of the job now.',
  }),
  params: described(names(), { description: 'Only for a run: values of parameters.' }),
};

/** Body of `retry` of one task. */
export const RetryTaskBody = described(
  z.strictObject({ mode: z.optional(z.enum(['failed', 'from', 'only'])) }),
  { id: 'TaskRetryRequest' },
);

/** Body of `skip`. */
export const SkipTaskBody = described(
  z.strictObject({
    branch: described(z.optional(z.string()), { description: 'Only of a switch: the branch that it takes.' }),
  }),
  { id: 'SkipRequest' },
);

export const ListWaitingQuery = z.strictObject({
  ...page,
  kind: z.optional(z.enum(['approval', 'held'])),
});

/** The query parameters of operations on workflows. */
export const WORKFLOW_QUERIES = {
  listTasks: ListTasksQuery,
  listItems: ListItemsQuery,
  listVersions: ListVersionsQuery,
  listWaiting: ListWaitingQuery,
} as const;
