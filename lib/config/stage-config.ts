import * as z from 'zod';

import { LIFECYCLE_CHOICES } from '../../lambdas/core/contracts/events';
import { HORIZON, LEAD } from '../../lambdas/core/contracts/horizon';
import { DEFAULT_POOL, LANE_QUEUES } from '../../lambdas/core/contracts/pools';
import { PROJECTS_FROM, PROJECTS_FROM_EXPECTED } from '../../lambdas/core/contracts/projects';
import { AllowedActions } from './allowed-actions';
import { Capacity } from './capacity';
import { Domain } from './domain';
import { MachineClients } from './machine-clients';
import { Errands } from './errands';
import { HistoryExport } from './history-export';
import { Otlp } from './otlp';
import { type Calls, executorsOf, lanesOf, Pools } from './pools';
import { Quotas } from './quotas';
import { AllowedPrivateHosts, rejectUnreachable } from './private-networks';
import { SignedCalls } from './signed-calls';
import { byProjectOr, HOST_PATTERN, TargetArns, TargetRole } from './targets';
import { flag, int, numeric, oneOrMore } from './values';

const ORIGIN = /^(https:\/\/[a-z0-9.-]+|http:\/\/(localhost|127\.0\.0\.1))(:\d{1,5})?$/;
const OPEN_ORIGIN = /^http:\/\/(?!(localhost|127\.0\.0\.1)(?=[:/]|$))/;
const WITH_PATH = /^https?:\/\/[^/]*\//;

/** The origin of a page, as a browser sends it. */
const Origin = z.string().superRefine((text, context) => {
  if (ORIGIN.test(text)) return;
  const message = OPEN_ORIGIN.test(text)
    ? 'expected https: http is for localhost and 127.0.0.1 alone'
    : WITH_PATH.test(text)
      ? 'expected an origin without a path or a slash at its end, like https://shop.example.com'
      : 'expected an origin in lower case without "*", like https://shop.example.com';
  context.addIssue({ code: 'custom', message });
});
/** The values that CloudWatch Logs accepts, up to two years. */
export const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731];
const EXPECTED_DAYS = `expected one of ${LOG_RETENTION_DAYS.join(', ')}`;

/** `canary`: a tenth for five minutes. `linear`: a tenth more with each minute. */
const EXECUTOR_SHIFTS = ['all-at-once', 'canary', 'linear'] as const;

const LOG_GROUPS = ['own', 'shared'] as const;

const ALARM_CHOICES = ['fewest', 'essential', 'all'] as const;

const FUNCTIONS = [
  'authorizer',
  'api',
  'tick',
  'scanner',
  'executor',
  'longExecutor',
  'sweeper',
  'auditor',
  'worker',
  'ping',
] as const;

/** An endpoint of the issuer. A path is one of the API's own origin, as in a local run. */
const Endpoint = z
  .string()
  .max(500)
  .regex(/^(https:\/\/[^/\s]+\/|\/)\S*$/, 'expected an https URL, or a path of the API');

/** Configuration of one stage. `docs/configuration.md` explains every field. */
export const StageConfig = z
  .strictObject({
    /**
     * Second part of the stack name, after `Quarterjack-`. Generated resource names must begin with the whole
     * stack name, and CloudFormation keeps only 24 characters of it in the name of a function.
     */
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,11}$/, 'expected at most 12 of a-z, 0-9 and "-", beginning with a letter')
      .regex(/^(?!.*(aws|amazon|cognito))/, 'expected a name without "aws", "amazon" or "cognito"'),
    /** Shards of the Schedule table. May be raised in place, never lowered. */
    shardCount: int(1, 256),
    /** How far ahead of their time entries are sent to the queues. */
    horizonSec: int(HORIZON.minSec, HORIZON.maxSec).default(HORIZON.usualSec),
    /** How long before its time a message is to become visible in its queue, in milliseconds. */
    leadMs: int(LEAD.minMs, LEAD.maxMs).default(LEAD.usualMs),
    /** Whether next entries of one slot of ten seconds share a row. Packs are read in any case. */
    packs: z.enum(['read', 'write']).default('read'),
    /** Days that a finished execution stays readable. */
    retentionDays: int(2, 3650),
    /** How the tables are paid: for each request, or for `capacity` by the hour. */
    billing: z.enum(['onDemand', 'provisioned']).default('onDemand'),
    /** The bounds of provisioned tables. */
    capacity: Capacity.optional(),
    logRetentionDays: numeric(z.number(EXPECTED_DAYS)).refine(
      (days) => LOG_RETENTION_DAYS.includes(days),
      EXPECTED_DAYS,
    ),
    /**
     * `public`: https to public addresses. `loopback` (local stage only): http and loopback addresses too.
     */
    targetPolicy: z.enum(['public', 'loopback']),
    /** Hosts that HTTP targets may have: `example.com`, or `*.example.com` for those below. Absent: any. */
    allowedTargetHosts: oneOrMore(
      z.string().regex(HOST_PATTERN, 'expected a host in lower case, like example.com or *.example.com'),
    ).optional(),
    allowedPrivateHosts: AllowedPrivateHosts.optional(),
    signedCalls: SignedCalls.optional(),
    allowedActions: AllowedActions.optional(),
    /**
     * ARNs of the AWS resources that may be targets; `*` in a name matches any text. The executor gets
     * permission for these and no others. A list is for all projects; an object has one list for each
     * project, and under `*` that of all. Absent: none.
     */
    allowedTargetArns: byProjectOr(TargetArns, 'expected a list of ARNs, or one for each project').optional(),
    /**
     * The role that the executor assumes to call AWS targets: of all projects, or by project. Absent: its
     * own.
     */
    assumeRole: byProjectOr(TargetRole, 'expected roleArn, or one role for each project').optional(),
    /** Which work is watched that an attempt waits for, and how tasks of ECS are started. */
    errands: Errands,
    /** How deliveries are signed, beside the secret of each host. */
    signing: z
      .strictObject({
        /** Whether the legacy secret of a project signs along. A project can end its own. */
        legacy: flag.default(true),
      })
      .prefault({}),
    /** OIDC issuer of the tokens (RS256 or ES256). Absent: the stack creates a Cognito user pool. */
    issuer: z.url({ protocol: /^https$/, error: 'expected an https URL' }).optional(),
    /** Accepted values of the `aud` claim in tokens of `issuer`. */
    audience: oneOrMore(z.string().min(1)).optional(),
    /** URL of the key set of `issuer`. Absent: its discovery document names it. */
    jwksUri: z.url({ protocol: /^https$/, error: 'expected an https URL' }).optional(),
    /** Which projects a token may use. */
    projects: z
      .strictObject({
        /**
         * `sub`: each user has a project alone. `claim:<name>`: the claim's value is the project. `groups`:
         * groups named `project:<name>:<role>` give a role in a project.
         */
        from: z.string().regex(PROJECTS_FROM, PROJECTS_FROM_EXPECTED),
        /** The claim that lists the groups. */
        groupsClaim: z.string().min(1).max(128).optional(),
      })
      .default({ from: 'sub' }),
    /**
     * How programs sign users in with `issuer`: a public client for the code flow with PKCE. It may send
     * users back to `callbackUrls`, and to ports 8788 to 8790 of localhost. Absent: users need a token from
     * elsewhere.
     */
    signIn: z
      .strictObject({
        clientId: z.string().min(1).max(200),
        /** The client of the console. Absent: `clientId`. Its callback URL is `<API>/console/`. */
        consoleClientId: z.string().min(1).max(200).optional(),
        authorizationEndpoint: Endpoint,
        tokenEndpoint: Endpoint,
        /** The scopes to ask for; `openid` is needed. */
        scopes: oneOrMore(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'expected a scope without spaces')),
      })
      .optional(),
    /**
     * Programs that get tokens by client credentials, by name. The stack's own user pool makes a client for
     * each. With `issuer`, the client is registered there.
     */
    machineClients: MachineClients.default({}),
    /** Whether the stack serves the console. It needs `signIn` beside an own issuer. */
    console: flag.default(true),
    /** A domain of the operator for the API and the console. Absent: the URL that AWS gives. */
    domain: Domain.optional(),
    /** URLs that the user pool's sign-in page may redirect to, with a code to exchange for tokens. */
    callbackUrls: oneOrMore(
      z.string().regex(/^(https:\/\/|http:\/\/localhost[:/])\S+$/, 'expected https, or http://localhost'),
    ),
    /** Origins of pages that may call the API from a browser, beside the console. Absent: none. */
    allowedOrigins: oneOrMore(Origin).optional(),
    /** Requests per second to each route of the API, over all users. */
    requestsPerSec: int(1, 10_000),
    requestBurst: int(1, 5_000),
    /** Limits of one project. The API answers a request beyond them with 429. */
    quotas: Quotas,
    pools: Pools,
    /**
     * `own`: each lane of a pool has a queue. `shared`: all short calls of a pool are in one queue, and long
     * calls in another.
     */
    laneQueues: z.enum(LANE_QUEUES).default('own'),
    /**
     * Reserved concurrency of a function, which is also its maximum. Absent: the function shares the
     * concurrency of the account, which is low in a new account.
     */
    reservedConcurrency: z.partialRecord(z.enum(FUNCTIONS), int(1, 10_000)).default({}),
    /**
     * How a new version of the executor takes over: at once, or a tenth of the invocations first. Alarms that
     * go off meanwhile send all of them back to the old version.
     */
    executorShift: z.enum(EXECUTOR_SHIFTS).default('all-at-once'),
    /** Receives alarms: an email address, or an https URL that confirms its subscription itself. */
    alarmDestination: z
      .union([z.email(), z.url({ protocol: /^https$/ })], 'expected an email address or an https URL')
      .optional(),
    /** Whether a job of the stack's own runs every five minutes, with an alarm if it does not. */
    canary: flag.default(true),
    /** Whether the stack has saved queries of its logs. */
    logQueries: flag.default(true),
    /** `own`: each function has a log group. `shared`: all functions of the pipeline write to one. */
    logGroups: z.enum(LOG_GROUPS).default('own'),
    /**
     * `fewest`: for what users would notice. `essential`: one alarm for each promise. `all`: also one for
     * each cause that another alarm shows later. An alarm is billed for each metric that it watches.
     */
    alarms: z.enum(ALARM_CHOICES).default('essential'),
    /** Whether the messages of alarms are encrypted with a key of the deployment, which is billed. */
    alarmTopicKey: flag.default(false),
    /** Whether Lambda records traces of invocations in X-Ray, which are billed. */
    tracing: flag.default(false),
    /** URL of the runbook. Each alarm links to a section of it, `#section`. */
    runbookUrl: z.string().min(1).max(500),
    /**
     * Which ends of executions are published on the event bus: `failures` (those that no user asked for),
     * `all` or `off`. A million events cost a dollar.
     */
    lifecycleEvents: z.enum(LIFECYCLE_CHOICES),
    /**
     * Whether the ends of all executions are kept by day, for lists and counts over any number of jobs. About
     * a twentieth of a write an end, or up to one while few end.
     */
    journal: flag.default(false),
    /** Where spans of executions are sent. Absent: nowhere, and no trace that begins here is recorded. */
    otlp: Otlp.optional(),
    /** Where what has ended is exported, a line each. Absent: nowhere. */
    historyExport: HistoryExport.optional(),
    /** Also measures executions by pool and priority: five more metrics per queue, each billed. */
    metricsByPriority: flag,
    /**
     * What happens to the tables when the stack is deleted. `protect` keeps them and blocks their deletion
     * too.
     */
    removal: z.enum(['protect', 'retain', 'destroy']),
  })
  .superRefine((config, context) => {
    const reject = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    if (config.targetPolicy === 'loopback' && config.stage !== 'local')
      reject('targetPolicy', 'expected "public" outside the local stage');
    rejectUnreachable(config, reject);
    if (config.stage !== 'local' && config.otlp?.endpoint.startsWith('http:'))
      reject('otlp.endpoint', 'expected https');
    if (config.executorShift !== 'all-at-once' && config.stage === 'local')
      reject('executorShift', 'expected "all-at-once" in the local stage');
    if (config.billing === 'provisioned' && !config.capacity)
      reject('capacity', 'required, because billing is "provisioned"');
    if (config.billing === 'onDemand' && config.capacity)
      reject('capacity', 'expected only with "billing": "provisioned"');
    if (config.issuer && !config.audience) reject('audience', 'required, because issuer is set');
    if (config.signIn && !config.issuer) reject('issuer', 'required, because signIn is set');
    if (config.audience && !config.issuer) reject('issuer', 'required, because audience is set');
    if (config.jwksUri && !config.issuer) reject('issuer', 'required, because jwksUri is set');
    for (const [name, { clientId }] of Object.entries(config.machineClients))
      if (clientId !== undefined && !config.issuer)
        reject(
          `machineClients.${name}.clientId`,
          'expected only with issuer: the user pool gives its clients ids',
        );
    if (config.projects.groupsClaim && config.projects.from !== 'groups')
      reject('projects.groupsClaim', 'expected only with "from": "groups"');
    for (const [name, reserved] of Object.entries(config.reservedConcurrency)) {
      const demand = concurrencyDemand(name, config);
      if (reserved < demand)
        reject(
          `reservedConcurrency.${name}`,
          `expected at least ${demand}, the invocations that its queues may start at once`,
        );
    }
    if (config.stage === 'prod' && config.removal === 'destroy')
      reject('removal', 'expected "protect" or "retain" in prod');
  });

export type StageConfig = z.output<typeof StageConfig>;

/** Names that a stage file may contain. */
export const CONFIG_FIELDS = Object.keys(StageConfig.shape).filter((name) => name !== 'stage');

/**
 * Scanners, and sweepers, that run at once: one per shard. Two on one shard would only race for its cursor.
 */
export const shardConcurrency = (shardCount: number): number => Math.max(2, shardCount);

/**
 * Invocations that the queues of a function may start at once. Lambda throttles those above its reservation.
 */
function concurrencyDemand(
  name: string,
  { pools, laneQueues, shardCount }: Pick<StageConfig, 'pools' | 'laneQueues' | 'shardCount'>,
): number {
  const ofLanes = (calls: Calls) =>
    lanesOf(calls, laneQueues).reduce((sum, lane) => sum + executorsOf(pools[DEFAULT_POOL], lane), 0);
  if (name === 'executor') return ofLanes('short');
  if (name === 'longExecutor') return ofLanes('long');
  return name === 'scanner' || name === 'sweeper' ? shardConcurrency(shardCount) : 1;
}
