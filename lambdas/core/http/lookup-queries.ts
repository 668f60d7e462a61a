import * as z from 'zod/mini';

import { EXECUTION_STATUSES } from '../contracts/execution-statuses';
import { described, JobId, textUpTo } from './fields';
import { digits, fromBeforeTo, instant, jobFilterFields, page } from './query-fields';

/** Queries and bodies of the requests that look things up over all jobs. */

export const MAX_IN_LOOKUP = 100;

export const LookupBody = described(
  z.strictObject({
    executions: z
      .array(z.strictObject({ jobId: JobId, execId: textUpTo(64) }))
      .check(
        z.minLength(1, 'must have at least 1 entry'),
        z.maxLength(MAX_IN_LOOKUP, `must have at most ${MAX_IN_LOOKUP} entries`),
      ),
  }),
  { id: 'LookupRequest' },
);

export const UpcomingOfJobsQuery = z
  .strictObject({
    limit: z._default(digits(1, 500), 25),
    from: described(z.optional(instant), {
      description: 'Earliest due time. Default: now. An earlier time counts as now.',
    }),
    to: described(z.optional(instant), {
      description: 'Due times before this time. Default: 24 hours after `from`.',
    }),
    ...jobFilterFields,
  })
  .check(fromBeforeTo);

const { status: _, ...jobFilterWithoutStatus } = jobFilterFields;

export const ExecutionsOfJobsQuery = z
  .strictObject({
    ...page,
    status: z.optional(z.enum(EXECUTION_STATUSES)),
    from: described(z.optional(instant), {
      description: 'Earliest due time. Default: 24 hours before `to`; with `status=scheduled`, now.',
    }),
    to: described(z.optional(instant), {
      description:
        'Due times before this time. Default: now; with `status=scheduled`, 24 hours after `from`.',
    }),
    ...jobFilterWithoutStatus,
  })
  .check(fromBeforeTo);
export type ExecutionsOfJobsQuery = z.output<typeof ExecutionsOfJobsQuery>;

export const LoadQuery = z
  .strictObject({
    cursor: page.cursor,
    from: described(z.optional(instant), {
      description: 'The first minute. Default: the current minute.',
    }),
    to: described(z.optional(instant), {
      description: 'Minutes before this time, at most 7 days after `from`. Default: 24 hours after `from`.',
    }),
    ...jobFilterFields,
  })
  .check(fromBeforeTo);

export const ExplainQuery = z.strictObject({
  at: described(z.optional(instant), {
    description:
      'A due time. Default: the last one; if there was none, the next one. A whole minute also means the first due time within it, and a time of the expression the due ' +
      'time that `jitter` makes of it.',
  }),
});

export const JobStatsQuery = z.strictObject({
  days: described(z._default(digits(1, 365), 30), {
    description: 'Executions due within so many days before now.',
  }),
});
