import * as z from 'zod/mini';

import { described, withoutProto } from './fields';
import { digits, instant, page } from './query-fields';

const MAX_TASKS_ON_PAGE = 1_000;

/** As `TaskStatus` of the answers. */
const STATUSES = [
  'waiting',
  'queued',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
  'excluded',
  'blocked',
  'stopped',
] as const;

export const ListTasksQuery = z.strictObject({
  status: z.optional(z.enum(STATUSES)),
  limit: described(z._default(digits(1, MAX_TASKS_ON_PAGE), 100), { description: 'Tasks on a page.' }),
  cursor: page.cursor,
});

export const ListVersionsQuery = z.strictObject(page);

const names = z.optional(z.pipe(withoutProto, z.record(z.string(), z.unknown())));
const anyObject = { type: 'object', additionalProperties: true } as const;

/** Body of the check of a workflow. What is wrong with `workflow` and `schedule` is part of the answer. */
export const CheckWorkflowBody = described(
  z.strictObject({
    workflow: described(z.unknown(), { override: { $ref: '#/components/schemas/Workflow' } }),
    schedule: described(z.optional(z.unknown()), {
      override: { type: ['object', 'string'] },
      description: 'Whose zone and previous due time the templates get. Default: none, and UTC.',
    }),
    params: described(names, { override: anyObject, description: 'Values of parameters.' }),
    outputs: described(names, {
      override: anyObject,
      description: 'What the targets of tasks return, by the ids of the tasks.',
    }),
    dueAt: z.optional(instant),
  }),
  { id: 'WorkflowCheckRequest' },
);

/** The query parameters of operations on workflows. */
export const WORKFLOW_QUERIES = { listTasks: ListTasksQuery, listVersions: ListVersionsQuery } as const;
