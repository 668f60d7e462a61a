import * as z from 'zod/mini';

import { described } from './fields';
import { digits, page } from './query-fields';

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

/** The query parameters of operations on workflows. */
export const WORKFLOW_QUERIES = { listTasks: ListTasksQuery, listVersions: ListVersionsQuery } as const;
