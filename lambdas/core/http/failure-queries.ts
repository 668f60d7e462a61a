import * as z from 'zod/mini';

import { described, textUpTo } from './fields';
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
