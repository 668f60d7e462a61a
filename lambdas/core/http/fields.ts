import * as z from 'zod/mini';

import { DurationError, parseDuration } from '../schedule/duration';
import '../contracts/zod-locale';

/**
 * Registers what the OpenAPI document says about a schema, and returns that schema. It makes no copy, because
 * a copy costs time at every cold start. Hence the schema must not be in use elsewhere with another meaning.
 */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, meta: z.core.GlobalMeta): Schema => {
  z.globalRegistry.add(schema, meta);
  return schema;
};

/** A job's id, in paths and in bodies. */
export const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const JobId = z
  .string()
  .check(z.regex(JOB_ID, 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit'));

/** The id of a job, or of the hidden job of a notification (`~n-`) or of an `onEnd` (`~s-`, `~f-`). */
export const HISTORY_JOB_ID = /^(?:~[nsf]-)?[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const HistoryJobId = z.string().check(z.regex(HISTORY_JOB_ID));

/** An `Idempotency-Key`. The quotes of a structured field may be part of the header, and are then removed. */
export const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/;

/** The header with what an actor writes about a change, percent-encoded, and its length once decoded. */
export const NOTE_HEADER = 'Quarterjack-Note';
export const MAX_NOTE = 500;

/** Names the project of a request whose token has several. */
export const PROJECT_HEADER = 'Quarterjack-Project';

/** What `parseDuration` reads: whole numbers with units, or ISO 8601 without months and years. */
const DURATION =
  '^((?=\\d)(\\d{1,12}d)?(\\d{1,12}h)?(\\d{1,12}m)?(\\d{1,12}s)?|P(?=\\d|T\\d)(\\d{1,12}W)?(\\d{1,12}D)?(T(?=\\d)(\\d{1,12}H)?(\\d{1,12}M)?(\\d{1,12}S)?)?)$';

/** A duration from `min` to `max`, both allowed and both given as durations. The text is kept as it is. */
export const duration = (min: string, max: string) =>
  described(
    z.string().check(
      z.superRefine((text, context) => {
        try {
          const ms = parseDuration(text);
          if (ms >= parseDuration(min) && ms <= parseDuration(max)) return;
          context.addIssue(`${JSON.stringify(text)} is out of range: must be from ${min} to ${max}`);
        } catch (error) {
          if (!(error instanceof DurationError)) throw error;
          context.addIssue(error.message);
        }
      }),
    ),
    { description: `A duration from ${min} to ${max}.`, pattern: DURATION, examples: [max] },
  );

/** A whole number from `min` to `max`, both allowed. */
export const wholeNumber = (min: number, max: number) => {
  const allowed = `must be a whole number from ${min} to ${max}`;
  return z.int(allowed).check(z.gte(min, allowed), z.lte(max, allowed));
};

/** Control characters and characters that change the direction of text. A list on a screen would mislead. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** One line of text for people. */
export const singleLine = (min: number, max: number) => {
  const allowed = `must have ${min} to ${max} characters`;
  return z.string().check(
    z.minLength(min, allowed),
    z.maxLength(max, allowed),
    z.refine(
      (text) => !INVISIBLE.test(text),
      'must not contain control characters or characters that change the direction of text',
    ),
  );
};

/** A text of 1 to `max` characters. Another check reads its content. */
export const textUpTo = (max: number) =>
  z
    .string()
    .check(z.minLength(1, 'must not be empty'), z.maxLength(max, `must have at most ${max} characters`));

const withoutProto = () =>
  z.transform((input: unknown, { issues }) => {
    if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__'))
      issues.push({ code: 'custom', path: ['__proto__'], message: 'is not allowed as a name', input });
    return input;
  });

/**
 * An object whose keys the user chooses. Every such object of a request is one: a record of zod alone would
 * drop the key `__proto__` silently. This one rejects it.
 */
export const record = <Key extends z.core.$ZodRecordKey, Value extends z.ZodMiniType>(
  key: Key,
  value: Value,
) => z.pipe(withoutProto(), z.record(key, value));

/** A `record` whose keys are some of a list. */
export const partialRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodMiniType>(
  key: Key,
  value: Value,
) => z.pipe(withoutProto(), z.partialRecord(key, value));

/** An object of any values whose keys the user chooses. */
export const anyRecord = () => record(z.string(), z.unknown());

const MAX_KEY = 128;
const KEY = new RegExp(`^[^]{1,${MAX_KEY}}$`, 'u');

/** The user's name for a run of a job: any text. A character outside the basic plane is one, and not two. */
export const RunKey = described(
  z.string().check(z.refine((text) => KEY.test(text), `must have 1 to ${MAX_KEY} characters`)),
  { override: { type: 'string', minLength: 1, maxLength: MAX_KEY } },
);

/** How many run tags an execution has at the most. */
export const MAX_RUN_TAGS = 5;
const RUN_TAGS_SIZE = `must have 1 to ${MAX_RUN_TAGS} texts`;

/** What an execution is found by. */
export const RunTag = singleLine(1, 128);
const runTagsOf = <Tag extends z.ZodMiniType>(tag: Tag) =>
  z.array(tag).check(z.minLength(1, RUN_TAGS_SIZE), z.maxLength(MAX_RUN_TAGS, RUN_TAGS_SIZE));

/** What a request labels an execution with. */
export const runLabelFields = {
  runTags: described(z.optional(runTagsOf(RunTag)), {
    description: 'What the execution is found by, such as `customer:42`: at most 5 texts.',
  }),
  externalId: described(z.optional(singleLine(1, 128)), {
    description: 'The name of the execution in your own system.',
  }),
};

/** What a job labels its executions with, as templates. */
export const runLabelTemplates = {
  runTags: described(z.optional(runTagsOf(singleLine(1, 256))), {
    description:
      'Templates, such as `customer:{{ payload.customer }}`, with the roots `run` and `payload`: what each ' +
      'execution is found by, once it has ended.',
  }),
  externalId: described(z.optional(singleLine(1, 256)), {
    description: 'A template: the name of each execution in your own system.',
  }),
};

/** The user's name for executions that run one after another. */
export const OrderingKey = singleLine(1, 256);

/** A calendar's id, in paths, bodies and schedules. */
export const CalendarId = described(
  z
    .string()
    .check(z.regex(JOB_ID, 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit')),
  { examples: ['de-holidays'] },
);

export const CalendarPath = z.strictObject({ calendarId: CalendarId });

const TAG_KEY = /^[\p{L}\p{N}_./=+@-]{1,64}$/u;

/** Tags: texts by keys that the user chooses. */
export const tags = (most: number) =>
  record(z.string(), singleLine(0, 256)).check(
    z.superRefine((given, context) => {
      const keys = Object.keys(given);
      if (keys.length > most) context.addIssue(`must have at most ${most} tags, not ${keys.length}`);
      for (const key of keys.slice(0, most)) {
        if (TAG_KEY.test(key)) continue;
        const message = 'is not a tag key: must be 1 to 64 letters, digits or characters of "_./=+@-"';
        context.addIssue({ code: 'custom', path: [key], message });
      }
    }),
  );
