import * as z from 'zod/mini';

import { UPSTREAM_ENDS } from '../schedule/spec';
import { described, duration, JobId, record, runLabelFields, singleLine } from './fields';

const MAX_UPSTREAM_JOBS = 10;
const JOBS_ALLOWED = `must have 1 to ${MAX_UPSTREAM_JOBS} jobIds`;

export const AfterSchedule = described(
  z.strictObject({
    type: z.literal('after'),
    jobs: z.array(JobId).check(
      z.minLength(1, JOBS_ALLOWED),
      z.maxLength(MAX_UPSTREAM_JOBS, JOBS_ALLOWED),
      z.refine((jobs) => new Set(jobs).size === jobs.length, 'must not name a job twice'),
    ),
    on: z.optional(z.enum(UPSTREAM_ENDS, 'must be "succeeded", "failed" or "done"')),
  }),
  {
    id: 'AfterSchedule',
    description: 'Ends of other jobs’ executions start it. Default of `on`: succeeded.',
  },
);

const EVENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Name of an event, in schedules and in bodies. It is a part of keys. */
export const EventName = z
  .string()
  .check(
    z.regex(EVENT_NAME, 'must be 1 to 128 letters, digits, ".", "_" or "-", the first a letter or digit'),
  );

const MAX_CONDITIONS = 10;
const CONDITION = 'must be a text of at most 256 characters, a number, a boolean or null';

const Where = described(
  record(
    z.string().check(z.minLength(1), z.maxLength(64)),
    z.union([z.string().check(z.maxLength(256)), z.number(), z.boolean(), z.null()], CONDITION),
  ).check(
    z.refine(
      (where) => Object.keys(where).length <= MAX_CONDITIONS,
      `must have at most ${MAX_CONDITIONS} fields`,
    ),
  ),
  {
    description: 'Fields of the event’s data, and the value that each must have.',
  },
);

export const EventSchedule = described(
  z.strictObject({
    type: z.literal('event'),
    name: EventName,
    where: z.optional(Where),
    debounce: described(z.optional(duration('1s', '24h')), {
      description: 'Events of one key start one execution, this long after the last of them: 1s to 24h.',
    }),
  }),
  { id: 'EventSchedule', description: 'Events that clients send start it.' },
);

/** Body of `POST /v1/events`. */
export const EventBody = described(
  z.strictObject({
    name: EventName,
    key: described(z.optional(singleLine(1, 256)), {
      description: 'What `debounce` counts by. Events without a key share one.',
    }),
    id: described(z.optional(singleLine(1, 128)), {
      description: 'The same id starts each job once. Default: made from `Idempotency-Key`, or random.',
    }),
    data: described(z.optional(z.unknown()), { description: 'Any JSON. The payload of the executions.' }),
    ...runLabelFields,
  }),
  { id: 'EventBody', description: 'Something that has happened, and that jobs may wait for.' },
);
export type EventBody = z.output<typeof EventBody>;
