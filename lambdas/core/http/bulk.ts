import * as z from 'zod/mini';

import { BULK_ACTIONS, type BulkAction, MAX_IN_BULK_PAGE } from '../contracts/bulk';
import { failureFilterFields } from './lookup-queries';
import { described, MAX_NOTE, textUpTo, wholeNumber } from './fields';
import { JobPatch } from './job';
import { fromBeforeTo, instant, jobFilterFields } from './query-fields';

const MAX_EXPECTED = 10_000_000;
const JOB_STATUSES = ['active', 'paused', 'completed'] as const;
const FAILURE_STATUSES = ['failed', 'skipped'] as const;

const { status: _status, ...otherJobFields } = jobFilterFields;

const BulkFilter = z
  .strictObject({
    ...otherJobFields,
    status: described(z.optional(z.enum([...JOB_STATUSES, ...FAILURE_STATUSES])), {
      description:
        'Status of the jobs: active, paused or completed. With `retry`, status of the executions: failed (default) or ' +
        'skipped.',
    }),
    from: described(z.optional(instant), {
      description: 'With `retry` and `cancel`: earliest due time. Default: a week before the bulk began.',
    }),
    to: described(z.optional(instant), {
      description: 'With `retry` and `cancel`: due times before this time. Default: when the bulk began.',
    }),
    ...failureFilterFields,
    blocksKey: described(z.optional(z.boolean()), {
      description: 'With `retry`, true: only executions that block their ordering key.',
    }),
  })
  .check(fromBeforeTo);
export type BulkFilter = z.output<typeof BulkFilter>;

type Issue = [path: string, message: string];

interface Fields {
  action: BulkAction;
  filter: BulkFilter;
  patch?: z.output<typeof JobPatch>;
  until?: number;
  dryRun: boolean;
  expect?: number;
  all: boolean;
}

const issuesOf = ({ action, filter, patch, until, dryRun, expect, all }: Fields): Issue[] => {
  const issues: Issue[] = [];
  if (action === 'patch' && patch === undefined)
    issues.push(['patch', 'is required with the action "patch"']);
  if (action !== 'patch' && patch !== undefined)
    issues.push(['patch', `is only for the action "patch", not for ${JSON.stringify(action)}`]);
  if (action !== 'pause' && until !== undefined)
    issues.push(['until', `is only for the action "pause", not for ${JSON.stringify(action)}`]);
  if (patch?.jobId !== undefined) issues.push(['patch.jobId', 'cannot be changed']);
  if (action === 'delete' && expect === undefined && !dryRun)
    issues.push(['expect', 'is required with the action "delete": how many jobs the filter selects']);
  if (isEmpty(filter) && !all)
    issues.push(['all', 'must be true if the filter is empty: the bulk is then about everything']);
  return [...issues, ...misplacedIn(filter, action)];
};

const isEmpty = ({ tag, ...others }: BulkFilter): boolean =>
  tag.length === 0 && Object.values(others).every((value) => value === undefined || value === false);

/** Fields of the filter that mean nothing to the action. */
function misplacedIn(filter: BulkFilter, action: BulkAction): Issue[] {
  const statuses: readonly string[] = action === 'retry' ? FAILURE_STATUSES : JOB_STATUSES;
  const { status } = filter;
  const issues: Issue[] = [];
  if (status !== undefined && !statuses.includes(status))
    issues.push([
      'filter.status',
      `must be one of ${statuses.join(', ')} with the action ${JSON.stringify(action)}`,
    ]);
  const only = (fields: readonly (keyof BulkFilter)[], actions: readonly BulkAction[]) => {
    for (const field of actions.includes(action) ? [] : fields)
      if (filter[field] !== undefined)
        issues.push([`filter.${field}`, `is only for the actions ${actions.join(' and ')}`]);
  };
  only(['from', 'to'], ['retry', 'cancel']);
  only(['host', 'fingerprint', 'blocksKey'], ['retry']);
  return issues;
}

const noteAllowed = `must have at most ${MAX_NOTE} characters`;

/** A request to do the same with everything that a filter selects. */
export const BulkBody = described(
  z
    .strictObject({
      action: z.enum(BULK_ACTIONS as [BulkAction, ...BulkAction[]]),
      filter: described(BulkFilter, {
        id: 'BulkFilter',
        description: 'What selects the jobs, and the executions of `retry` and `cancel`.',
      }),
      patch: z.optional(JobPatch),
      until: described(z.optional(instant), {
        description: 'With `pause`: when the jobs are resumed by themselves.',
      }),
      note: described(
        z.optional(z.string().check(z.refine((note) => Array.from(note).length <= MAX_NOTE, noteAllowed))),
        {
          description: `Why: kept with each change, at most ${MAX_NOTE} characters. Takes the place of the header.`,
        },
      ),
      dryRun: described(z._default(z.boolean(), false), {
        description: 'true: count what the filter selects, and change nothing.',
      }),
      expect: described(z.optional(wholeNumber(0, MAX_EXPECTED)), {
        description:
          'How many items the filter has to select when the bulk begins; else the answer is 409. `delete` needs it.',
      }),
      all: described(z._default(z.boolean(), false), {
        description: 'Has to be true if the filter is empty.',
      }),
      limit: described(z._default(wholeNumber(1, MAX_IN_BULK_PAGE), MAX_IN_BULK_PAGE), {
        description: 'Items of this page, at most: small pages with pauses between them make a slow bulk.',
      }),
      cursor: described(z.optional(textUpTo(4_096)), {
        description:
          'The `nextCursor` of the last page of the same bulk. Its other fields but `limit` have to be the same.',
      }),
    })
    .check(
      z.superRefine((body, context) => {
        for (const [path, message] of issuesOf(body))
          context.addIssue({ code: 'custom', path: path.split('.'), message });
      }),
    ),
  { id: 'BulkRequest' },
);
export type BulkBody = z.output<typeof BulkBody>;
