import * as z from 'zod/mini';

import { JOB_KINDS } from '../domain/job-kind';
import { parseDateTime } from '../schedule/instant';
import { ParseError } from '../schedule/schedule-error';
import { described, textUpTo } from './fields';

/** A whole number in a query string. */
export const digits = (min: number, max: number) => {
  const allowed = `must be a whole number from ${min} to ${max}`;
  const inRange = z.refine<number>((value) => value >= min && value <= max, allowed);
  return described(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, allowed)), z.transform(Number)).check(inRange),
    { override: { type: 'integer', pattern: undefined, minimum: min, maximum: max } },
  );
};

/** A text that `read` parses. It returns undefined if the text is not as expected. */
export const parsed = <Value>(read: (text: string) => Value | undefined, expected: string) =>
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

/** `true` or `false`; false by default. */
export const flag = (description: string) =>
  described(
    z._default(described(parsed(asBoolean, 'true or false'), { override: { type: 'boolean' } }), false),
    { description },
  );
const asBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);

export const page = {
  limit: z._default(digits(1, 100), 25),
  cursor: described(z.optional(textUpTo(4_096)), {
    description: 'The `nextCursor` of the same list and filters.',
  }),
};

/**
 * `key:value` or `key=value`, split at the first colon or at the first `=`. A key may contain `=`, so there
 * are up to two readings.
 */
const tagFilter = described(
  parsed((text) => {
    const readings = [':', '=']
      .map((separator) => text.indexOf(separator))
      .filter((at) => at > 0)
      .map((at) => ({ key: text.slice(0, at), value: text.slice(at + 1) }));
    return readings.length > 0 ? readings : undefined;
  }, 'key:value or key=value'),
  { pattern: '^[^:=]+[:=]', examples: ['team:billing'] },
);

export const fromBeforeTo = z.refine<{ from?: number; to?: number }>(
  ({ from, to }) => from === undefined || to === undefined || from < to,
  { path: ['to'], message: 'must be later than from' },
);

const CONTAINS_ALLOWED = 'must have 2 to 64 characters';

/** The filters of every list that is about jobs. The parameter `tag` may be repeated. */
export const jobFilterFields = {
  status: z.optional(z.enum(['active', 'paused', 'completed'])),
  tag: described(
    z._default(z.array(tagFilter).check(z.maxLength(10, 'must be given at most 10 times')), []),
    { description: 'A tag as `key:value` or `key=value`. May be repeated; a job must have all of them.' },
  ),
  q: described(z.optional(textUpTo(256)), { description: 'Prefix of the jobId or the name.' }),
  contains: described(
    z.optional(z.string().check(z.minLength(2, CONTAINS_ALLOWED), z.maxLength(64, CONTAINS_ALLOWED))),
    {
      description:
        'A text of the jobId, the name, a tag as `key:value`, or the host and path of a target. Upper and lower ' +
        'case are alike.',
    },
  ),
  kind: described(z.optional(z.enum(JOB_KINDS)), {
    description: '`plain`: the job calls targets itself.',
  }),
  pool: z.optional(textUpTo(64)),
  target: described(z.optional(textUpTo(2_048)), {
    description:
      'A type of target, the host of an HTTP target, or the beginning of a URL, an ARN or the name of a bus. ' +
      'One target of the job must match.',
  }),
};

const jobFilter = z.strictObject(jobFilterFields);
export type JobFilter = z.output<typeof jobFilter>;
