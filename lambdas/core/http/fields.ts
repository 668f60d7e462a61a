import * as z from 'zod/mini';

import { parseDuration } from '../schedule/duration';
import '../contracts/zod-locale';

/**
 * What the OpenAPI document says of a schema, wherever it is used. It marks the very schema, because a copy would
 * cost time at every start: so the schema must be the caller's own.
 */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, said: z.core.GlobalMeta): Schema => {
  z.globalRegistry.add(schema, said);
  return schema;
};

/** A job's id, wherever one is written. */
export const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const JobId = z
  .string()
  .check(z.regex(JOB_ID, 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit'));

/** An `Idempotency-Key`, without the quotes of a structured field or with them. */
export const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/;

/** As `parseDuration` reads them: a whole number and its unit, or ISO 8601 without months and years. */
const DURATION =
  '^(\\d{1,12}[smhd]|P(?=\\d|T\\d)(\\d{1,12}W)?(\\d{1,12}D)?(T(?=\\d)(\\d{1,12}H)?(\\d{1,12}M)?(\\d{1,12}S)?)?)$';

/** A duration as text, kept as given. `min` and `max` are durations too, both allowed. */
export const duration = (min: string, max: string) =>
  described(
    z.string().check(
      z.superRefine((text, context) => {
        try {
          const ms = parseDuration(text);
          if (ms >= parseDuration(min) && ms <= parseDuration(max)) return;
          context.addIssue(`${JSON.stringify(text)} is out of range: must be ${min} to ${max}`);
        } catch (error) {
          if (!(error instanceof Error && error.name === 'DurationError')) throw error;
          context.addIssue(error.message);
        }
      }),
    ),
    { description: `A duration, ${min} to ${max}.`, pattern: DURATION, examples: [max] },
  );

/** A whole number, both bounds allowed. */
export const wholeNumber = (min: number, max: number) => {
  const allowed = `must be a whole number from ${min} to ${max}`;
  return z.int(allowed).check(z.gte(min, allowed), z.lte(max, allowed));
};

/** Control characters, and those that turn the direction of text around: a list on a screen would lie. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** One line of text for people. */
export const line = (min: number, max: number) => {
  const allowed = `must have ${min} to ${max} characters`;
  return z.string().check(
    z.minLength(min, allowed),
    z.maxLength(max, allowed),
    z.refine((text) => !INVISIBLE.test(text), 'must not contain control or direction characters'),
  );
};

/** A text that is there, and not longer than this. What it means is for others to say. */
export const textUpTo = (max: number) =>
  z
    .string()
    .check(z.minLength(1, 'must not be empty'), z.maxLength(max, `must have at most ${max} characters`));

/** A key `__proto__` is refused here, because a zod record would drop it without a word. */
const withoutProto = z.unknown().check(
  z.superRefine((input, context) => {
    if (typeof input !== 'object' || input === null || !Object.hasOwn(input, '__proto__')) return;
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is not allowed as a name' });
  }),
);

/** A map of texts with keys of the user's choice. */
export const textMap = <Value extends z.ZodMiniType<string>>(value: Value) =>
  described(z.pipe(withoutProto, z.record(z.string(), value)), {
    override: { type: 'object', additionalProperties: { type: 'string' } },
  });

/** The user's own name for what shall happen in order. */
export const OrderingKey = line(1, 256);
