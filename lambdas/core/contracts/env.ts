import * as z from 'zod/mini';

import { LIFECYCLE_CHOICES } from './events';
import { HORIZON } from './horizon';
import { LANES } from './pools';
import { QuotaLimits } from './quotas';

/**
 * The environment of each function, as a typed promise: the CDK construct must supply every key or `tsc`
 * fails, and `loadEnv` names all that is missing in one message. A key is listed only where it is read.
 *
 * Every function makes these at its start: hence `zod/mini`, as in all contracts but what the API answers.
 */
const text = z.string().check(z.minLength(1));

const tables = { JOBS_TABLE: text, EXECUTIONS_TABLE: text, SCHEDULE_TABLE: text };

const json = z.pipe(
  z.string(),
  z.transform((value: string, { issues }): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      issues.push({ code: 'custom', message: 'is not JSON', input: value });
      return z.NEVER;
    }
  }),
);
const jsonOf = <T extends z.ZodMiniType<unknown, unknown>>(schema: T) => z.pipe(json, schema);

/** URL of the execution queues of each pool: `{ "default": { "highest": "https://…", …, "overflow": "https://…" } }`. */
const EXECUTION_QUEUES = jsonOf(z.record(z.string(), z.record(z.enum(LANES), text)));
/** How many executions of one user and second go to the queues of their priorities, by pool. */
const USER_SHARES = jsonOf(z.record(z.string(), z.int().check(z.gte(1))));
/** ARN of the deployment secret: users' signing secrets and the signature of list cursors are derived from it. */
const SIGNING_SECRET_ARN = text;
/** What each user may have, as JSON. */
const QUOTAS = jsonOf(QuotaLimits);
const wholeNumber = z.coerce.number().check(z.int());
const positiveInt = wholeNumber.check(z.gte(1));
/** How far ahead of their time entries are sent. */
const HORIZON_SEC = wholeNumber.check(z.gte(HORIZON.minSec), z.lte(HORIZON.maxSec));

const listed = z.pipe(
  z.string(),
  z.transform((items: string) => items.split(',').filter((item) => item !== '')),
);
/** Hosts that targets may be called at, separated by commas; empty: any. */
const TARGET_HOSTS = listed;
/** ARNs that targets may have, separated by commas, with `*` for any text; empty: none. */
const TARGET_ARNS = listed;

const sends = { EXECUTION_QUEUES, USER_SHARES };
/** Name of the bus that lifecycle events go to, and which of them do. */
const announces = { EVENT_BUS: text, LIFECYCLE_EVENTS: z.enum(LIFECYCLE_CHOICES) };
/** Name of the stack, the dimension of every metric. */
const meters = { DEPLOYMENT: text };

export const ApiEnv = z.object({
  ...meters,
  ...announces,
  ...tables,
  ...sends,
  /** Name of the schedule that ticks. */
  TICK_SCHEDULE: text,
  /** Shards wanted by the configuration; the number in force is a row of the Schedule table. */
  SHARD_COUNT: positiveInt,
  /** `public`: https to public addresses only. `loopback`: http and loopback too, for a run on one machine. */
  TARGET_POLICY: z.enum(['public', 'loopback']),
  TARGET_HOSTS,
  TARGET_ARNS,
  /** Days that a finished execution stays readable. */
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  SIGNING_SECRET_ARN,
  QUOTAS,
});

export const TickEnv = z.object({
  ...meters,
  SCHEDULE_TABLE: tables.SCHEDULE_TABLE,
  SHARD_COUNT: positiveInt,
  SCAN_QUEUE_URL: text,
  SWEEP_QUEUE_URL: text,
});

export const ScannerEnv = z.object({
  ...meters,
  ...announces,
  ...tables,
  ...sends,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
});

export const ExecutorEnv = z.object({
  ...meters,
  ...announces,
  /** Whether what executions come to is also measured by pool and priority: each is a metric that is paid for. */
  METRICS_BY_PRIORITY: z.enum(['on', 'off']),
  ...tables,
  ...sends,
  TARGET_POLICY: ApiEnv.shape.TARGET_POLICY,
  TARGET_HOSTS,
  TARGET_ARNS,
  /** Where targets of mode `async` report. */
  CALLBACK_URL: text,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  SIGNING_SECRET_ARN,
});

export const SweeperEnv = z.object({
  ...meters,
  ...announces,
  ...tables,
  ...sends,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
});

export const AuditorEnv = z.object({
  ...meters,
  ...announces,
  ...tables,
  ...sends,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  QUOTAS,
});

export const CanaryEnv = z.object({
  ...meters,
  /** Name of the api stage's function. */
  API_FUNCTION: text,
  /** Base URL of the HTTP API: the canary's jobs call its health route. */
  API_URL: text,
});

/** What the construct must supply: the raw strings, before parsing. */
export type EnvOf<Schema extends z.ZodMiniObject> = Record<keyof z.input<Schema>, string>;
/** Of these, what it supplies to every function by itself. */
export type MetersEnv = Record<keyof typeof meters, string>;
