import * as z from 'zod/mini';

import { parseDateTime } from '../schedule/instant';
import { ParseError } from '../schedule/schedule-error';
import { EXECUTION_STATUSES } from '../domain/transitions';
import type { Operation } from '../contracts/routes';
import { described, OrderingKey, textUpTo, wholeNumber } from './fields';
import { ScheduleSchema } from './schedule';

const MAX_TIMES = 100;

/** A whole number in a query string. */
const digits = (min: number, max: number) => {
  const allowed = `must be a whole number from ${min} to ${max}`;
  const inRange = z.refine<number>((value) => value >= min && value <= max, allowed);
  return described(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, allowed)), z.transform(Number)).check(inRange),
    { override: { type: 'integer', pattern: undefined, minimum: min, maximum: max } },
  );
};

/** A text that `read` parses. It returns undefined if the text is not as expected. */
const parsed = <Value>(read: (text: string) => Value | undefined, expected: string) =>
  z.pipe(
    z.string(),
    z.transform((text: string, { issues }): Value => {
      const value = read(text);
      if (value !== undefined) return value;
      const message = `${JSON.stringify(text.slice(0, 60))} must be ${expected}`;
      issues.push({ code: 'custom', message, input: text });
      return z.NEVER;
    }),
  );

/** RFC 3339 with an offset, parsed to milliseconds since the epoch. */
export const instant = described(
  parsed((text) => {
    try {
      const read = parseDateTime(text);
      return 'ms' in read ? read.ms : undefined;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      return undefined;
    }
  }, 'a date and time with an offset, such as "2026-12-01T09:00:00Z"'),
  { format: 'date-time' },
);

const page = {
  limit: z._default(digits(1, 100), 25),
  cursor: described(z.optional(textUpTo(4_096)), {
    description: 'The `nextCursor` of a page of the same list with the same filters.',
  }),
};

/** `key:value`, split at the first colon. */
const tagFilter = described(
  parsed((text) => {
    const colon = text.indexOf(':');
    return colon > 0 ? { key: text.slice(0, colon), value: text.slice(colon + 1) } : undefined;
  }, 'key:value'),
  { pattern: '^[^:]+:', examples: ['team:billing'] },
);

export const ListJobsQuery = z.strictObject({
  ...page,
  status: z.optional(z.enum(['active', 'paused', 'completed'])),
  tag: described(
    z._default(z.array(tagFilter).check(z.maxLength(10, 'must be given at most 10 times')), []),
    { description: 'A tag as `key:value`. May be repeated; a job must have all of them.' },
  ),
  q: described(z.optional(textUpTo(256)), { description: 'Prefix of the jobId or the name.' }),
});
export type ListJobsQuery = z.output<typeof ListJobsQuery>;

const fromBeforeTo = z.refine<{ from?: number; to?: number }>(
  ({ from, to }) => from === undefined || to === undefined || from < to,
  { path: ['to'], message: 'must be later than from' },
);

export const ListExecutionsQuery = z
  .strictObject({
    ...page,
    order: z._default(z.enum(['asc', 'desc']), 'desc'),
    status: z.optional(z.enum(EXECUTION_STATUSES)),
    from: described(z.optional(instant), { description: 'Earliest due time.' }),
    to: described(z.optional(instant), { description: 'Due times before this time.' }),
  })
  .check(fromBeforeTo);
export type ListExecutionsQuery = z.output<typeof ListExecutionsQuery>;

export const OrderingKeyQuery = z.strictObject({ orderingKey: OrderingKey });
export const ListFailuresQuery = z
  .strictObject({
    ...page,
    status: z.optional(z.enum(['failed', 'skipped'])),
    from: described(z.optional(instant), {
      description: 'Earliest due time. Default: a week before `to`.',
    }),
    to: described(z.optional(instant), { description: 'Due times before this time. Default: now.' }),
  })
  .check(fromBeforeTo);
export type ListFailuresQuery = z.output<typeof ListFailuresQuery>;

export const ListChangesQuery = z.strictObject(page);
export const ChangeQuery = z.strictObject({
  createdAt: described(z.optional(instant), {
    description: '`createdAt` of the change, if a later job has the same jobId. Default: the newest job.',
  }),
});

export const ListApiKeysQuery = z.strictObject(page);

export const RevokeApiKeysQuery = z.strictObject({
  by: described(textUpTo(512), { description: 'The `sub` of the actor that created the keys.' }),
});

export const ListAuditQuery = z
  .strictObject({
    ...page,
    from: described(z.optional(instant), { description: 'Earliest time.' }),
    to: described(z.optional(instant), { description: 'Records before this time.' }),
  })
  .check(fromBeforeTo);

export const UpcomingQuery = z.strictObject({ count: z._default(digits(1, MAX_TIMES), 10) });

const flag = (description: string) =>
  described(
    z._default(described(parsed(asBoolean, 'true or false'), { override: { type: 'boolean' } }), false),
    { description },
  );
const asBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);

const dryRun = flag('true: check the request as a whole, quotas included, and change nothing.');

export const PutJobQuery = z.strictObject({ dryRun });
export const CreateJobsQuery = z.strictObject({
  dryRun,
  replace: flag('true: replace the jobs that exist, as PUT does. Each item then needs its jobId.'),
});

export const PreviewBody = z.strictObject({
  schedule: ScheduleSchema,
  count: z._default(wholeNumber(1, MAX_TIMES), 10),
  from: z.optional(instant),
});

/** The query parameters of each operation that has any. */
export const QUERIES = {
  listJobs: ListJobsQuery,
  putJob: PutJobQuery,
  createJobs: CreateJobsQuery,
  listExecutions: ListExecutionsQuery,
  listFailures: ListFailuresQuery,
  listUpcoming: UpcomingQuery,
  getOrderingKey: OrderingKeyQuery,
  listApiKeys: ListApiKeysQuery,
  revokeApiKeys: RevokeApiKeysQuery,
  listAudit: ListAuditQuery,
  listJobChanges: ListChangesQuery,
  getJobChange: ChangeQuery,
  restoreJob: ChangeQuery,
  deleteJobChange: ChangeQuery,
} as const satisfies Partial<Record<Operation, z.ZodMiniObject>>;
