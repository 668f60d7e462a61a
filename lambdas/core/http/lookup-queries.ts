import * as z from 'zod/mini';

import { EXECUTION_STATUSES } from '../contracts/execution-statuses';
import { described, RunTag, textUpTo, JobId } from './fields';
import { digits, flag, fromBeforeTo, instant, jobFilterFields, page } from './query-fields';

export const DEFAULT_FAILURES_LIMIT = 25;

/** What selects failures, besides their due times and their jobs. */
export const failureFilterFields = {
  host: described(z.optional(textUpTo(261)), {
    description: 'Only failures of HTTP targets of this `host`, as executions show it.',
  }),
  fingerprint: described(z.optional(textUpTo(400)), {
    description: 'Only executions with this `fingerprint`.',
  }),
};

export const ListFailuresQuery = z
  .strictObject({
    ...page,
    // As an optional field, so that a group can tell whether it was given.
    limit: z.optional(digits(1, 100)),
    status: z.optional(z.enum(['failed', 'skipped'])),
    from: described(z.optional(instant), {
      description: 'Earliest due time. Default: a week before `to`.',
    }),
    to: described(z.optional(instant), { description: 'Due times before this time. Default: now.' }),
    view: described(z.optional(z.enum(['inbox'])), {
      description:
        '`inbox`: what failed, and what was skipped although no user asked for it (`misfire`, `overlap`, ' +
        '`not-started`, `crashed`). Neighbouring skips of a job are one item.',
    }),
    tag: described(jobFilterFields.tag, {
      description:
        'A tag as `key:value`, as jobs have them now. May be repeated; a job must have all of them.',
    }),
    ...failureFilterFields,
    blocksKey: flag('true: only executions that block their ordering key.'),
    group: described(z.optional(z.enum(['fingerprint'])), {
      description:
        '`fingerprint`: count failures by fingerprint, over at most 10,000 rows or 10 s, instead of listing them.',
    }),
  })
  .check(
    fromBeforeTo,
    z.superRefine(({ group, limit, cursor }, context) => {
      if (group === undefined) return;
      const message = 'is not possible with group: all groups are in one answer';
      if (limit !== undefined) context.addIssue({ code: 'custom', path: ['limit'], message });
      if (cursor !== undefined) context.addIssue({ code: 'custom', path: ['cursor'], message });
    }),
  );
export type ListFailuresQuery = z.output<typeof ListFailuresQuery>;

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
    status: described(z.optional(z.enum([...EXECUTION_STATUSES, 'ended'])), {
      description: '`ended`: `succeeded`, `failed`, `cancelled` or `skipped`.',
    }),
    counts: flag('true: count what has ended in the window, by status and over all pages.'),
    from: described(z.optional(instant), {
      description: 'Earliest due time. Default: 24 hours before `to`; with `status=scheduled`, now.',
    }),
    to: described(z.optional(instant), {
      description:
        'Due times before this time. Default: now; with `status=scheduled`, 24 hours after `from`.',
    }),
    ...jobFilterWithoutStatus,
    runTag: described(z.optional(RunTag), {
      description:
        'Only executions that ended with this run tag. `from` is then at most 31 days before `to`, which is the ' +
        'default.',
    }),
    externalId: described(z.optional(textUpTo(128)), {
      description: 'Only executions with this external id, by default over all times.',
    }),
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
