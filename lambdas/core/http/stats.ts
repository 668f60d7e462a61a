import * as z from 'zod/mini';

import { described, JobId } from './fields';
import { fromBeforeTo, instant, jobFilterFields } from './query-fields';

export const StatsQuery = z
  .strictObject({
    by: described(z._default(z.enum(['hour', 'day']), 'hour'), {
      description: 'How long a bucket is: an hour, over at most 31 days; or 24 hours, over at most 366 days.',
    }),
    from: described(z.optional(instant), {
      description: 'Earliest due time, rounded down to an hour. Default: a day before `to`; by day, 30 days.',
    }),
    to: described(z.optional(instant), {
      description: 'Due times before this time, rounded up to an hour. Default: now.',
    }),
    job: described(z.optional(JobId), { description: 'Only this job.' }),
    tag: jobFilterFields.tag,
  })
  .check(fromBeforeTo);
export type StatsQuery = z.output<typeof StatsQuery>;
