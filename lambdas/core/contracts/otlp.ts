import * as z from 'zod/mini';

import { jsonVariable } from './env-json';
import { MESSAGE_VERSION } from './messages';

/** Most spans of a message and of a request. */
export const MOST_SPANS = 512;
/** Most bytes of the spans of a message, as JSON. SQS takes 256 KB. */
export const MOST_SPAN_BYTES = 200_000;

/**
 * Which traces are recorded. `ratio`: the share of the deployment's own traces, 0 to 1. `maxPerMinute`: how
 * many executions of a project may join a recorded trace, in a minute and process of the API. `projects`:
 * absent: all.
 */
export const Sampling = z.strictObject({
  ratio: z.number().check(z.gte(0), z.lte(1)),
  maxPerMinute: z.int().check(z.gte(1)),
  projects: z.optional(z.array(z.string())),
});
export type Sampling = z.infer<typeof Sampling>;

/** As JSON. `null`: the deployment records no trace. */
export const SAMPLING = jsonVariable(z.nullable(Sampling));

/** Follower → exporter: spans as OTLP has them in JSON. */
export const SpansMessage = z.strictObject({
  v: z.literal(MESSAGE_VERSION),
  /** When they were made: after an hour they are dropped. */
  madeAtMs: z.int(),
  spans: z.array(z.record(z.string(), z.unknown())).check(z.minLength(1), z.maxLength(MOST_SPANS)),
});
export type SpansMessage = z.infer<typeof SpansMessage>;
