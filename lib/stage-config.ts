import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Node } from 'constructs';
import * as z from 'zod';

import { LIFECYCLE_CHOICES } from '../lambdas/core/contracts/events';
import { HORIZON } from '../lambdas/core/contracts/horizon';
import { DEFAULT_POOL, type Lane, LANES, PRIORITIES } from '../lambdas/core/contracts/pools';
import { TARGET_RESOURCES } from '../lambdas/core/contracts/target-resources';

/** A number; also as text, because `--context name=value` knows nothing else. */
const numeric = (number: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), number);

function int(min: number, max: number) {
  const allowed = `expected a whole number from ${min} to ${max}`;
  return numeric(z.number(allowed).int(allowed).min(min, allowed).max(max, allowed));
}

const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(item).min(1, 'expected at least one'),
  );

/** A boolean; also as text, because `--context name=value` knows nothing else. */
const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  'expected true or false',
);
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731];
const EXPECTED_DAYS = `expected one of ${LOG_RETENTION_DAYS.join(', ')}`;

/** Lambda refuses a maximum concurrency below 2 or above 1,000. */
const concurrency = int(2, 1000);

const Pool = z
  .strictObject({
    /** Of its executors. An executor waits more than it computes; ten signed calls at a time fit into 256 MB. */
    memoryMb: int(128, 10_240),
    /** A synchronous attempt may take 14 minutes, so less than that many cuts attempts off. */
    timeoutSec: int(60, 900),
    /** Executors at work at once for each priority, and for the overflow; each takes up to ten messages. */
    maxConcurrency: z.strictObject(
      Object.fromEntries(LANES.map((lane) => [lane, concurrency])) as Record<Lane, typeof concurrency>,
    ),
    /** Executions of one user and second that go to the queues of their priorities; the rest overflows. */
    userSharePerSec: int(1, 1_000_000),
  })
  .superRefine(({ maxConcurrency }, context) => {
    for (const [index, priority] of PRIORITIES.entries()) {
      const above = PRIORITIES[index - 1];
      if (above && maxConcurrency[priority] > maxConcurrency[above])
        context.addIssue({
          code: 'custom',
          path: ['maxConcurrency', priority],
          message: `expected at most that of ${above}, ${maxConcurrency[above]}`,
        });
    }
  });

const FUNCTIONS = ['api', 'tick', 'scanner', 'executor', 'sweeper', 'auditor'] as const;

const HOST_PATTERN = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/;

const TARGET_NAME = '[A-Za-z0-9_.*/-]+';
/**
 * Of the hosts and ARNs that targets may have. Functions are told them in their environment, which takes 4 KB in all; the
 * names of queues and tables are in it too.
 */
const MAX_TARGETS_CHARACTERS = 2_000;

/** Region and account are named: a pattern over all of them would be everybody's. */
const TARGET_ARN = new RegExp(
  `^arn:(aws|aws-cn|aws-us-gov):(${Object.values(TARGET_RESOURCES)
    .map(({ service, prefix }) => `${service}:[a-z0-9-]+:\\d{12}:${prefix}${TARGET_NAME}`)
    .join('|')})$`,
);
const TARGET_SERVICES = Object.values(TARGET_RESOURCES).map(({ service }) => service);
const EXPECTED_ARN = `expected an ARN of ${TARGET_SERVICES.join(', ')}, with "*" in its name alone`;

const StageConfig = z
  .strictObject({
    /**
     * Part of the stack's name, which is to stand whole at the beginning of every name that CloudFormation makes up: it keeps
     * 24 characters of it for a function.
     */
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,11}$/, 'expected at most 12 of a-z, 0-9 and "-", a letter first')
      .regex(/^(?!.*(aws|amazon|cognito))/, 'expected a name without "aws", "amazon" and "cognito"'),
    /** Shards of the Schedule table. May be raised in place, never lowered. */
    shardCount: int(1, 256),
    /** How far ahead of their time entries are sent to the queues. */
    horizonSec: int(HORIZON.minSec, HORIZON.maxSec).default(HORIZON.usualSec),
    /** Days that a finished execution stays readable. */
    retentionDays: int(2, 3650),
    logRetentionDays: numeric(z.number(EXPECTED_DAYS)).refine(
      (days) => LOG_RETENTION_DAYS.includes(days),
      EXPECTED_DAYS,
    ),
    /** `public`: https to public addresses. `loopback` (one machine only): http and loopback addresses too. */
    targetPolicy: z.enum(['public', 'loopback']),
    /** Hosts that targets may be called at: `example.com`, or `*.example.com` for all below it. Absent: any. */
    allowedTargetHosts: oneOrMore(
      z.string().regex(HOST_PATTERN, 'expected a host in lower case, like example.com or *.example.com'),
    ).optional(),
    /**
     * AWS resources that targets may be, as ARNs; `*` in a name stands for any text. The executor is allowed these and no
     * others. Absent: none.
     */
    allowedTargetArns: oneOrMore(z.string().max(256).regex(TARGET_ARN, EXPECTED_ARN)).optional(),
    /** OIDC issuer of the tokens (RS256). Absent: the stack makes a Cognito user pool. */
    issuer: z.url({ protocol: /^https$/, error: 'expected an https URL' }).optional(),
    /** What the tokens of `issuer` carry as `aud`; any one of them. */
    audience: oneOrMore(z.string().min(1)).optional(),
    /** Where the user pool's sign-in page may send a user back to, with a code to exchange for tokens. */
    callbackUrls: oneOrMore(
      z.string().regex(/^(https:\/\/|http:\/\/localhost[:/])\S+$/, 'expected https, or http://localhost'),
    ),
    /** Of each route of the API, over all users. */
    requestsPerSec: int(1, 10_000),
    requestBurst: int(1, 5_000),
    /** What one user may have. What goes beyond is answered with 429. */
    quotas: z.strictObject({
      /** Jobs with a future. */
      jobs: int(1, 100_000_000),
      /** Planned occurrences a minute, over all jobs, averaged over an hour. */
      firesPerMinute: int(1, 100_000_000),
      /** Payloads of all jobs together. */
      payloadBytes: int(65_536, 1_000_000_000_000),
    }),
    pools: z.strictObject({ [DEFAULT_POOL]: Pool }),
    /**
     * Concurrency set aside for a function, and its ceiling. Absent: it shares the account's, which a new account has
     * little of.
     */
    reservedConcurrency: z.partialRecord(z.enum(FUNCTIONS), int(1, 10_000)).default({}),
    /** Who is told of alarms: an email address, or an https URL that confirms its subscription itself. */
    alarmDestination: z
      .union([z.email(), z.url({ protocol: /^https$/ })], 'expected an email address or an https URL')
      .optional(),
    /** Where the runbook is read; alarms name its sections by this and `#section`. */
    runbookUrl: z.string().min(1).max(500),
    /**
     * Which ends of executions the event bus is told: those that nobody asked for (`failures`), `all`, or none (`off`).
     * A million events cost a dollar.
     */
    lifecycleEvents: z.enum(LIFECYCLE_CHOICES),
    /** Measures executions by pool and priority too: five metrics more for each queue, each paid for. */
    metricsByPriority: flag,
    /** What becomes of the tables when the stack goes: `protect` keeps them and refuses their deletion too. */
    removal: z.enum(['protect', 'retain', 'destroy']),
  })
  .superRefine((config, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    if (config.targetPolicy === 'loopback' && config.stage !== 'local')
      refuse('targetPolicy', 'expected "public" outside the local stage');
    const lists = ['allowedTargetHosts', 'allowedTargetArns'] as const;
    const [hosts, arns] = lists.map((name) => config[name]?.join(',').length ?? 0) as [number, number];
    if (hosts + arns > MAX_TARGETS_CHARACTERS)
      refuse(
        lists[hosts > arns ? 0 : 1],
        `expected at most ${MAX_TARGETS_CHARACTERS} characters in both lists of targets, not ${hosts + arns}`,
      );
    if (config.issuer && !config.audience) refuse('audience', 'expected, because issuer is given');
    if (config.audience && !config.issuer) refuse('issuer', 'expected, because audience is given');
    for (const [name, reserved] of Object.entries(config.reservedConcurrency)) {
      const fed = concurrencyFed(name, config);
      if (reserved < fed)
        refuse(
          `reservedConcurrency.${name}`,
          `expected at least ${fed}, what its queues may feed it at once`,
        );
    }
    if (config.stage === 'prod' && config.removal === 'destroy')
      refuse('removal', 'expected "protect" or "retain" in prod');
  });

export type StageConfig = z.output<typeof StageConfig>;

/** Every name that a stage's file may hold. */
export const CONFIG_FIELDS = Object.keys(StageConfig.shape).filter((name) => name !== 'stage');

/** One file for each stage, `<stage>.json`; who needs another stage adds its file. */
const CONFIG_DIR = join(__dirname, '../config');

/** Lists and objects on the command line are JSON text. */
function fromContext(node: Node, name: string): unknown {
  const value: unknown = node.tryGetContext(name);
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    throw new Error(`context "${name}" is ${JSON.stringify(value)}; expected JSON`, { cause });
  }
}

/** Invocations that a function's queues may ask for at once; Lambda would throttle what is above its ceiling. */
function concurrencyFed(
  name: string,
  { pools, shardCount }: Pick<StageConfig, 'pools' | 'shardCount'>,
): number {
  if (name === 'executor')
    return Object.values(pools[DEFAULT_POOL].maxConcurrency).reduce((sum, one) => sum + one, 0);
  return name === 'scanner' || name === 'sweeper' ? shardConcurrency(shardCount) : 1;
}

/** Requests for different shards run side by side; two for one shard would only race for its cursor. */
export const shardConcurrency = (shardCount: number): number => Math.max(2, shardCount);

function readStage(stage: unknown): Record<string, unknown> {
  const stages = readdirSync(CONFIG_DIR).map((file) => file.replace(/\.json$/, ''));
  if (typeof stage !== 'string' || !stages.includes(stage))
    throw new Error(
      `context "stage" is ${JSON.stringify(stage)}; expected one of ${stages.join(', ')}, the files of config/`,
    );
  const file = join(CONFIG_DIR, `${stage}.json`);
  try {
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>), stage };
  } catch (cause) {
    throw new Error(`config/${stage}.json is not JSON: ${(cause as Error).message}`, { cause });
  }
}

const SWITCHES = ['strictTargets'];

/** A name that is spelled wrong would change nothing, and nobody would know. CDK's own have other signs than letters. */
function refuseUnknown(node: Node): void {
  const known = [...Object.keys(StageConfig.shape), ...SWITCHES];
  const given = Object.keys((node.getAllContext() ?? {}) as object);
  const unknown = given.find((name) => /^[A-Za-z]+$/.test(name) && !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`context "${unknown}" is not known; expected one of ${known.join(', ')}`);
}

/**
 * The configuration of the stage that context `stage` names (`dev` if none): `config/<stage>.json`, each value
 * overridden by the context value of its name. Context `strictTargets=true` asks for the target policy of a deployed
 * stack in any stage. Throws one error that names every bad value and what is allowed.
 */
export function loadStageConfig(node: Node): StageConfig {
  refuseUnknown(node);
  const values = readStage(node.tryGetContext('stage') ?? 'dev');
  for (const name of Object.keys(StageConfig.shape)) values[name] = fromContext(node, name) ?? values[name];
  if (String(node.tryGetContext('strictTargets')) === 'true') values.targetPolicy = 'public';

  const parsed = StageConfig.safeParse(values);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const value = path.reduce<unknown>(
      // One value may stand for a list of one.
      (at, key) => (typeof at === 'object' ? (at as Record<PropertyKey, unknown> | null)?.[key] : at),
      values,
    );
    return `  ${path.join('.')} = ${JSON.stringify(value)}: ${message}`;
  });
  throw new Error(
    `stage "${String(values.stage)}" is not configured correctly:\n${[...new Set(lines)].join('\n')}`,
  );
}
