import type { Node } from 'constructs';
import * as z from 'zod';

import { DEFAULT_POOL, PRIORITIES, type Priority } from '../lambdas/core/contracts/pools';

/** A whole number; also as text, because `--context name=value` knows nothing else. */
function int(min: number, max: number) {
  const allowed = `expected a whole number from ${min} to ${max}`;
  return z.coerce.number(allowed).int(allowed).min(min, allowed).max(max, allowed);
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

/** Lambda refuses a maximum concurrency below 2 or above 1,000. */
const concurrency = int(2, 1000);

const Pool = z
  .strictObject({
    /** Of its executors. An executor waits more than it computes; ten signed calls at a time fit into 256 MB. */
    memoryMb: int(128, 10_240),
    /** A synchronous attempt may take 14 minutes, so less than that many cuts attempts off. */
    timeoutSec: int(60, 900),
    /** Executors at work at once for each priority; each takes up to ten messages. */
    maxConcurrency: z.strictObject(
      Object.fromEntries(PRIORITIES.map((priority) => [priority, concurrency])) as Record<
        Priority,
        typeof concurrency
      >,
    ),
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

const StageConfig = z
  .strictObject({
    stage: z.enum(['dev', 'prod', 'local']),
    /** Shards of the Schedule table. May be raised in place, never lowered. */
    shardCount: int(1, 256),
    /** Days that a finished execution stays readable. */
    retentionDays: int(2, 3650),
    logRetentionDays: z.coerce
      .number()
      .refine(
        (days) => LOG_RETENTION_DAYS.includes(days),
        `expected one of ${LOG_RETENTION_DAYS.join(', ')}`,
      ),
    /** `public`: https to public addresses. `loopback` (one machine only): http and loopback addresses too. */
    targetPolicy: z.enum(['public', 'loopback']),
    /** OIDC issuer of the tokens (RS256). Absent: the stack makes a Cognito user pool. */
    issuer: z.url({ protocol: /^https$/, error: 'expected an https URL' }).optional(),
    /** What the tokens of `issuer` carry as `aud`; any one of them. */
    audience: oneOrMore(z.string().min(1)).optional(),
    /** Where the user pool's sign-in page may send a user back to, with a code to exchange for tokens. */
    callbackUrls: oneOrMore(
      z.string().regex(/^(https:\/\/|http:\/\/localhost[:/])\S+$/, 'expected https, or http://localhost'),
    ),
    /** Of the API as a whole, over all users. */
    requestsPerSec: int(1, 10_000),
    requestBurst: int(1, 5_000),
    pools: z.strictObject({ [DEFAULT_POOL]: Pool }),
    /** Who is told of alarms: an email address, or an https URL that confirms its subscription itself. */
    alarmDestination: z
      .union([z.email(), z.url({ protocol: /^https$/ })], 'expected an email address or an https URL')
      .optional(),
    /** Where the runbook is read; alarms name its sections by this and `#section`. */
    runbookUrl: z.string().min(1),
    /** Measures executions by pool and priority too: five metrics more for each queue, each paid for. */
    metricsByPriority: flag,
    /** What becomes of the tables when the stack goes: `protect` keeps them and refuses their deletion too. */
    removal: z.enum(['protect', 'retain', 'destroy']),
  })
  .superRefine((config, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (config.targetPolicy === 'loopback' && config.stage !== 'local')
      refuse('targetPolicy', 'expected "public" outside the local stage');
    if (config.issuer && !config.audience) refuse('audience', 'expected, because issuer is given');
    if (config.audience && !config.issuer) refuse('issuer', 'expected, because audience is given');
    if (config.stage === 'prod' && config.removal === 'destroy')
      refuse('removal', 'expected "protect" or "retain" in prod');
  });

export type StageConfig = z.output<typeof StageConfig>;
type StageName = StageConfig['stage'];

const dev: Omit<z.input<typeof StageConfig>, 'stage'> = {
  shardCount: 16,
  retentionDays: 30,
  logRetentionDays: 14,
  targetPolicy: 'public',
  callbackUrls: ['http://localhost:8788/callback'],
  requestsPerSec: 200,
  requestBurst: 400,
  pools: {
    [DEFAULT_POOL]: {
      memoryMb: 256,
      timeoutSec: 900,
      maxConcurrency: { highest: 40, high: 20, medium: 20, low: 10, lowest: 5 },
    },
  },
  runbookUrl: 'docs/runbook.md',
  metricsByPriority: false,
  removal: 'retain',
};

/** The stages, and where they differ. Any value can be overridden by a context value of the same name. */
const STAGES: Record<StageName, typeof dev> = {
  dev,
  prod: {
    ...dev,
    retentionDays: 90,
    logRetentionDays: 90,
    requestsPerSec: 2_000,
    requestBurst: 2_000,
    pools: {
      [DEFAULT_POOL]: {
        ...dev.pools[DEFAULT_POOL],
        maxConcurrency: { highest: 400, high: 200, medium: 200, low: 100, lowest: 50 },
      },
    },
    removal: 'protect',
  },
  /** For the run on one machine; it serves this issuer itself, so a deployed copy would accept no token. */
  local: {
    ...dev,
    shardCount: 4,
    targetPolicy: 'loopback',
    issuer: 'https://issuer.quarterjack.local',
    audience: ['quarterjack'],
    requestsPerSec: 10_000,
    requestBurst: 5_000,
  },
};

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

/**
 * The configuration of the stage that context `stage` names (`dev` if none), each value overridden by the context
 * value of its name. Context `strictTargets=true` asks for the target policy of a deployed stack in any stage.
 * Throws one error that names every bad value and what is allowed.
 */
export function loadStageConfig(node: Node): StageConfig {
  const stage: unknown = node.tryGetContext('stage') ?? 'dev';
  if (typeof stage !== 'string' || !Object.hasOwn(STAGES, stage))
    throw new Error(
      `context "stage" is ${JSON.stringify(stage)}; expected one of ${Object.keys(STAGES).join(', ')}`,
    );
  const values: Record<string, unknown> = { stage, ...STAGES[stage as StageName] };
  for (const name of Object.keys(StageConfig.shape)) values[name] = fromContext(node, name) ?? values[name];
  if (String(node.tryGetContext('strictTargets')) === 'true') values.targetPolicy = 'public';

  const parsed = StageConfig.safeParse(values);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const value = path.reduce<unknown>(
      (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
      values,
    );
    return `  ${path.join('.')} = ${JSON.stringify(value)}: ${message}`;
  });
  throw new Error(`stage "${stage}" is not configured correctly:\n${[...new Set(lines)].join('\n')}`);
}
