import * as z from 'zod/mini';

import { jsonVariable } from './env-json';
import { LIFECYCLE_CHOICES } from './events';
import { HORIZON, LEAD } from './horizon';
import { HISTORY_EXPORT } from './history-export';
import { SAMPLING } from './otlp';
import { MachineClient } from './machine-clients';
import { ProjectSource } from './projects';
import { QuotaLimits } from './quotas';
import { EXECUTION_QUEUES, LANE_LIMITS, USER_RATE_LIMITS } from './queue-variables';
import { ConsoleSignIn, SignIn } from './sign-in';
import {
  ACTION_VARIABLES,
  ADDED_TARGET_ARNS,
  ECS_CLUSTERS,
  ERRAND_VARIABLES,
  HTTP_TARGETS,
  TARGET_ARNS,
  TARGET_POLICY,
  TARGET_ROLES,
} from './target-variables';

/**
 * The environment variables of each function. The CDK construct must supply every key, or `tsc` fails.
 * `loadEnv` names all missing keys in one message. A function lists only the keys that it reads.
 *
 * Every function makes these schemas at its cold start, hence `zod/mini`.
 */
const text = z.string().check(z.minLength(1));

const tables = { JOBS_TABLE: text, EXECUTIONS_TABLE: text, SCHEDULE_TABLE: text };

/** ARN of the deployment secret. Signing secrets, attempt tokens and list cursors are derived from it. */
const SIGNING_SECRET_ARN = text;
/** Whether projects' legacy secrets sign along with the secrets of hosts. */
const SIGNING_LEGACY = z.enum(['on', 'off']);
/** Quotas of each project, as JSON. */
const QUOTAS = jsonVariable(QuotaLimits);
const wholeNumber = z.coerce.number().check(z.int());
const positiveInt = wholeNumber.check(z.gte(1));
/** Seconds before its time at which an entry is sent. */
const HORIZON_SEC = wholeNumber.check(z.gte(HORIZON.minSec), z.lte(HORIZON.maxSec));

/** What `GET /v1/sign-in` lists: scopes, and the URLs to which the sign-in page may send users back. */
const SIGN_IN_LISTS = jsonVariable(z.pick(SignIn, { scopes: true, callbackUrls: true }));
/** Programs whose tokens are those of one project. */
const MACHINE_CLIENTS = jsonVariable(z.array(z.omit(MachineClient, { clientId: true })));
/** Host of the API: the canary's jobs call it, whatever hosts are allowed. */
const API_HOST = text;

const sends = { EXECUTION_QUEUES, USER_RATE_LIMITS };
/** Name of the bus for lifecycle events, and which of them are published. */
const publishes = { EVENT_BUS: text, LIFECYCLE_EVENTS: z.enum(LIFECYCLE_CHOICES) };
/** ARN of the topic that sends the mails of notifications. */
const EMAIL_TOPIC_ARN = text;
/** URL of the console, without a slash at the end. Links in messages of notifications lead there. */
const CONSOLE_URL = text;
/** Name of the deployment's dashboard in CloudWatch, or the path of a page at the origin of the API. */
const DASHBOARD = text;
/** Whether the deployment keeps the journal of ends. */
const JOURNAL = z.enum(['on', 'off']);
/** Whether next entries that fall into one slot share a row. Packs are read in any case. */
const PACKS = z.enum(['read', 'write']);
/** Name of the stack, the dimension of every metric. */
const meters = { DEPLOYMENT: text };

export const ApiEnv = z.object({
  ...meters,
  ...publishes,
  ...tables,
  ...sends,
  STAGE: text,
  /** The version of the code, as in `package.json`. */
  VERSION: text,
  /** Name of the schedule in EventBridge Scheduler that starts scans. */
  TICK_SCHEDULE: text,
  /** Configured number of shards. The active shard count is a row of the Schedule table. */
  SHARD_COUNT: positiveInt,
  TARGET_POLICY,
  API_HOST,
  ...HTTP_TARGETS,
  ...ACTION_VARIABLES,
  TARGET_ARNS,
  ADDED_TARGET_ARNS,
  TARGET_ROLES,
  ...ERRAND_VARIABLES,
  /** Days for which a finished execution stays readable. */
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  SIGNING_SECRET_ARN,
  SIGNING_LEGACY,
  QUOTAS,
  /** The API shows how much is in these queues, and moves their dead letters back. */
  SCAN_QUEUE_URL: text,
  SWEEP_QUEUE_URL: text,
  /** How programs sign users in, as JSON; `null` if the stage does not say. */
  SIGN_IN: jsonVariable(z.nullable(z.omit(SignIn, { scopes: true, callbackUrls: true, version: true }))),
  SIGN_IN_LISTS,
  CONSOLE_URL,
  DASHBOARD,
  EMAIL_TOPIC_ARN,
  JOURNAL,
  SAMPLING,
});

/** Claims of workers: the part of the API that may wait. */
export const WorkerEnv = z.object({
  ...meters,
  ...publishes,
  ...tables,
  ...sends,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  SIGNING_SECRET_ARN,
  QUOTAS,
  SAMPLING,
  /** How many claims the function serves at once. */
  CLAIM_CONCURRENCY: positiveInt,
});

const takesPings = { RETENTION_DAYS: positiveInt, HORIZON_SEC, SIGNING_SECRET_ARN, QUOTAS };
/** Pings of monitors. Strangers call it, so it sends nothing. */
export const PingEnv = z.object({ ...meters, ...publishes, ...tables, ...takesPings, MONITORS_URL: text });

export const AuthorizerEnv = z.object({
  ...meters,
  /** It holds the rows of the API keys. */
  JOBS_TABLE: tables.JOBS_TABLE,
  /** `iss` of the tokens. */
  ISSUER: text,
  /** Accepted values of `aud`, or of `client_id` in a token without `aud`, as JSON. */
  AUDIENCE: jsonVariable(z.array(text).check(z.minLength(1))),
  /** URL of the issuer's key set. Empty: the issuer's discovery document names it. */
  JWKS_URI: z.string(),
  PROJECTS: jsonVariable(ProjectSource),
  MACHINE_CLIENTS,
  /** `client_id` in the tokens of each machine client, in their order, as JSON. */
  MACHINE_CLIENT_IDS: jsonVariable(z.array(text)),
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
  ...publishes,
  ...tables,
  ...sends,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  /** Milliseconds before its time at which a message is to become visible. */
  LEAD_MS: wholeNumber.check(z.gte(LEAD.minMs), z.lte(LEAD.maxMs)),
  PACKS,
});

export const ExecutorEnv = z.object({
  ...meters,
  ...publishes,
  /**
   * Whether `METRICS_BY_PRIORITY` are also recorded by pool and priority. Each combination is a billed
   * metric.
   */
  METRICS_BY_PRIORITY: z.enum(['on', 'off']),
  ...tables,
  ...sends,
  LANE_LIMITS,
  TARGET_POLICY,
  API_HOST,
  ...HTTP_TARGETS,
  ...ACTION_VARIABLES,
  /** The pool of the function, if it is in a VPC; else empty. */
  VPC_POOL: z.string(),
  TARGET_ARNS,
  ADDED_TARGET_ARNS,
  TARGET_ROLES,
  ECS_CLUSTERS,
  /** Clusters that the stack's program adds. Their networks are known at deployment alone. */
  ADDED_ECS_CLUSTERS: ECS_CLUSTERS,
  /** The role for calls that are not made under the function's own. Empty: there is none. */
  ACTIONS_ROLE_ARN: z.string(),
  ...ERRAND_VARIABLES,
  /** Base URL of the routes where targets with mode `async` report. */
  CALLBACK_URL: text,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  SIGNING_SECRET_ARN,
  SIGNING_LEGACY,
  SAMPLING,
  EMAIL_TOPIC_ARN,
  QUOTAS,
});

/** What the functions see that find lost work and repair it. */
const repairs = {
  ...meters,
  ...publishes,
  ...tables,
  ...sends,
  RETENTION_DAYS: positiveInt,
  HORIZON_SEC,
  CONSOLE_URL,
  QUOTAS,
};

export const SweeperEnv = z.object({
  ...repairs,
  PACKS,
  /** URL of the watcher's queue. Empty: no job of the deployment may start a state machine. */
  WATCH_QUEUE_URL: z.string(),
});
export const AuditorEnv = z.object(repairs);

export const WatcherEnv = z.object({
  ...repairs,
  /** Its region and account are the deployment's. */
  SIGNING_SECRET_ARN,
  TARGET_ROLES,
});

export const FollowerEnv = z.object({
  ...meters,
  EXECUTIONS_TABLE: tables.EXECUTIONS_TABLE,
  RETENTION_DAYS: positiveInt,
  JOURNAL,
  SAMPLING,
  HISTORY_EXPORT,
  /** Makes the ids of traces. Empty if `SAMPLING` and `HISTORY_EXPORT` are null. */
  SIGNING_SECRET_ARN: z.string(),
  /** What else makes spans. Both are empty if `SAMPLING` is null. */
  JOBS_TABLE: z.string(),
  SPANS_QUEUE_URL: z.string(),
});

export const ExporterEnv = z.object({
  ...meters,
  STAGE: text,
  VERSION: text,
  TARGET_POLICY,
  /** Base URL of the collector, without a slash at its end. */
  OTLP_ENDPOINT: text,
  /** ARN of the secret with the headers of its requests, as a JSON object. Empty: there are none. */
  OTLP_HEADERS_SECRET_ARN: z.string(),
  /** `service.name` of all spans. */
  OTLP_SERVICE_NAME: text,
});

export const CanaryEnv = z.object({
  ...meters,
  /** Name of the api stage's function. */
  API_FUNCTION: text,
  /** Base URL of the HTTP API. Jobs of the canary call its health route. */
  API_URL: text,
});

export const ProviderEnv = z.object({
  ...meters,
  /** Name of the api stage's function. */
  API_FUNCTION: text,
});

/** The console has no metrics: it serves files. */
export const ConsoleEnv = z.object({
  /** How the console signs users in, as JSON. */
  SIGN_IN: jsonVariable(ConsoleSignIn),
});

/**
 * What the settings file of a deployment has: lists that grow, and all else that is known at synthesis and is
 * long. The environment of a function holds 4 KB in all. Each is a variable by another way: in the file, its
 * value need not be a text.
 */
export const SETTINGS = {
  USER_RATE_LIMITS,
  LANE_LIMITS,
  QUOTAS,
  ...HTTP_TARGETS,
  ALLOWED_ACTIONS: ACTION_VARIABLES.ALLOWED_ACTIONS,
  TARGET_ARNS,
  TARGET_ROLES,
  ECS_CLUSTERS,
  ERRAND_OVERRIDES: ERRAND_VARIABLES.ERRAND_OVERRIDES,
  SIGN_IN_LISTS,
  MACHINE_CLIENTS,
  SAMPLING,
};
export type Setting = keyof typeof SETTINGS;

/** The variables that the construct must supply, as text. */
export type EnvOf<Schema extends z.ZodMiniObject> = Record<Exclude<keyof z.input<Schema>, Setting>, string>;
/** The variables that the construct adds to every function. */
export type MetersEnv = Record<keyof typeof meters, string>;
/** The variable with the path of the settings file, which the construct adds to functions that read it. */
export const SETTINGS_FILE = 'SETTINGS_FILE';
