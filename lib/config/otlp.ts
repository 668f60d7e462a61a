import * as z from 'zod';

import type { Sampling } from '../../lambdas/core/contracts/otlp';
import { int, numeric, oneOrMore } from './values';

const ENDPOINT = /^https?:\/\/[a-z0-9.[\]:-]+(\/[\w.~/-]*[\w~-])?$/i;
const SECRET_ARN =
  /^arn:(aws|aws-cn|aws-us-gov):secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]{1,519}$/;
const RATIO = 'expected a number from 0 to 1';

/** Where the spans of executions are sent, and of which. */
export const Otlp = z.strictObject({
  /** Base URL of a collector. `/v1/traces` is appended. */
  endpoint: z
    .string()
    .max(500)
    .regex(ENDPOINT, 'expected a URL like https://otel.example.com, without a query or a slash at its end'),
  /** ARN of a secret with the headers of its requests, as a JSON object. */
  headersSecretArn: z.string().regex(SECRET_ARN, 'expected the ARN of a secret').optional(),
  /** The share of traces that begin here, and are recorded. */
  sampleRatio: numeric(z.number(RATIO).min(0, RATIO).max(1, RATIO)).default(0),
  /** Executions of a project that may join a recorded trace, in a minute and process of the API. */
  maxSampledPerMinute: int(1, 100_000).default(60),
  serviceName: z.string().min(1).max(255).default('quarterjack'),
  /** Absent: those of all projects. */
  projects: oneOrMore(z.string().min(1).max(512)).optional(),
});
type Otlp = z.output<typeof Otlp>;

/** What functions know of it. */
export const samplingOf = (otlp: Otlp | undefined): Sampling | null =>
  otlp
    ? {
        ratio: otlp.sampleRatio,
        maxPerMinute: otlp.maxSampledPerMinute,
        ...(otlp.projects && { projects: otlp.projects }),
      }
    : null;
