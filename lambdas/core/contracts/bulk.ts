import type { ProjectScope } from './roles';

/** What a bulk can do with everything that a filter selects, and the scope that each action needs. */
export const BULK_SCOPES = {
  pause: 'runs:operate',
  resume: 'runs:operate',
  run: 'runs:operate',
  retry: 'runs:operate',
  cancel: 'runs:operate',
  delete: 'jobs:write',
  patch: 'jobs:write',
} as const satisfies Record<string, ProjectScope>;
export type BulkAction = keyof typeof BULK_SCOPES;
export const BULK_ACTIONS = Object.keys(BULK_SCOPES) as BulkAction[];

/** Items of one page of a bulk. */
export const MAX_IN_BULK_PAGE = 100;
