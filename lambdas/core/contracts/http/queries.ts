import * as z from 'zod';

import { parseDateTime } from '../../domain/schedule/instant';
import { EXECUTION_STATUSES } from '../../domain/transitions';
import type { Operation } from '../routes';
import { OrderingKey, wholeNumber } from './fields';
import { ScheduleSchema } from './schedule';

const MAX_TIMES = 100;

/** A whole number as a query string spells it. */
const digits = (min: number, max: number) => {
  const allowed = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, allowed)
    .transform(Number)
    .refine((value) => value >= min && value <= max, allowed)
    .meta({ override: { type: 'integer', pattern: undefined, minimum: min, maximum: max } });
};

/** RFC 3339 with an offset, as milliseconds. */
const instant = z
  .string()
  .transform((text, context) => {
    try {
      const read = parseDateTime(text);
      if ('ms' in read) return read.ms;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'Unreadable')) throw error;
    }
    const shown = JSON.stringify(text.slice(0, 60));
    context.addIssue(`${shown} must be a date and time with an offset, such as "2026-12-01T09:00:00Z"`);
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

const page = {
  limit: digits(1, 100).default(25),
  cursor: z
    .string()
    .min(1, 'must not be empty')
    .max(4_096, 'must have at most 4096 characters')
    .optional()
    .meta({ description: 'A `nextCursor` of the same list with the same filters.' }),
};

/** `key:value`; the first colon parts them. */
const tagFilter = z
  .string()
  .transform((text, context) => {
    const colon = text.indexOf(':');
    if (colon > 0) return { key: text.slice(0, colon), value: text.slice(colon + 1) };
    context.addIssue(`${JSON.stringify(text.slice(0, 60))} must be key:value`);
    return z.NEVER;
  })
  .meta({ pattern: '^[^:]+:', examples: ['team:billing'] });

export const ListJobsQuery = z.strictObject({
  ...page,
  status: z.enum(['active', 'paused', 'completed']).optional(),
  tag: z
    .array(tagFilter)
    .max(10, 'must be given at most 10 times')
    .default([])
    .meta({ description: '`key:value`, repeatable: a job must have all of them.' }),
  q: z
    .string()
    .min(1, 'must not be empty')
    .max(256, 'must have at most 256 characters')
    .optional()
    .meta({ description: 'Prefix of jobId or name.' }),
});
export type ListJobsQuery = z.output<typeof ListJobsQuery>;

export const ListExecutionsQuery = z
  .strictObject({
    ...page,
    order: z.enum(['asc', 'desc']).default('desc'),
    status: z.enum(EXECUTION_STATUSES).optional(),
    from: instant.optional().meta({ description: 'Due times from this one on.' }),
    to: instant.optional().meta({ description: 'Due times before this one.' }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'must be later than from',
  });
export type ListExecutionsQuery = z.output<typeof ListExecutionsQuery>;

export const OrderingKeyQuery = z.strictObject({ orderingKey: OrderingKey });
export const ListFailuresQuery = z
  .strictObject({
    ...page,
    status: z.enum(['failed', 'skipped']).optional(),
    from: instant
      .optional()
      .meta({ description: 'Due times from this one on; a week before `to` if absent.' }),
    to: instant.optional().meta({ description: 'Due times before this one; now if absent.' }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'must be later than from',
  });
export type ListFailuresQuery = z.output<typeof ListFailuresQuery>;

export const UpcomingQuery = z.strictObject({ count: digits(1, MAX_TIMES).default(10) });

export const PreviewBody = z.strictObject({
  schedule: ScheduleSchema,
  count: wholeNumber(1, MAX_TIMES).default(10),
  from: instant.optional(),
});

/** The queries of the operations that have one. Any other operation takes none. */
export const QUERIES = {
  listJobs: ListJobsQuery,
  listExecutions: ListExecutionsQuery,
  listFailures: ListFailuresQuery,
  listUpcoming: UpcomingQuery,
  getOrderingKey: OrderingKeyQuery,
} as const satisfies Partial<Record<Operation, z.ZodObject>>;
