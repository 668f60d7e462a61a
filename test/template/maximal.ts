import dev from '../../config/dev.json';
import prod from '../../config/prod.json';
import { parseConfig } from '../../lib/config/parse-config';
import type { StageConfig } from '../../lib/config/stage-config';
import { createStackOf, resourcesIn } from './synth';

// The largest deployments, beside the smallest: limits of AWS are reached by names and numbers that no usual
// configuration has.

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const number = (index: number, digits = 3) => String(index).padStart(digits, '0');

const units = { min: 5, max: 50 };
const table = { read: units, write: units };
const pool = {
  maxConcurrency: { highest: 8, high: 4, medium: 4, low: 2, lowest: 2, overflow: 2 },
  provisionedPollers: { highest: { min: 2, max: 20 }, long: { min: 2, max: 4 } },
};
const DOMAIN = `${many(3, () => 'j'.repeat(60)).join('.')}.${'e'.repeat(50)}.example.com`;
const queue = (index: number) =>
  `arn:aws:sqs:eu-central-1:111122223333:orders-of-the-shop-${number(index)}-*`;

const CLUSTER = 'arn:aws:ecs:eu-central-1:111122223333:cluster/jobs-of-the-shop';

const COMMON = {
  ...prod,
  stage: 'longeststage',
  pools: {
    ...prod.pools,
    ...Object.fromEntries(
      ['heavyheavy', 'gpugpugpug', 'nightnight', 'longestten'].map((name) => [name, pool]),
    ),
  },
  alarms: 'all',
  alarmTopicKey: true,
  alarmDestination: 'ops@example.com',
  tracing: true,
  metricsByPriority: true,
  lifecycleEvents: 'all',
  journal: true,
  otlp: {
    endpoint: 'https://otel.observability.shop.example.com/collectors/jobs',
    headersSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:otel/headers-of-jobs-a1B2c3',
    sampleRatio: 1,
    projects: many(40, (index) => `project-${number(index)}`),
  },
  historyExport: {
    bucket: 'history-of-all-jobs.shop.example.com',
    prefix: 'quarterjack/production/history/',
    partitionBy: 'project',
    include: ['payload', 'output'],
  },
  executorShift: 'canary',
  billing: 'provisioned',
  capacity: { jobs: table, executions: table, schedule: table },
  domain: {
    name: DOMAIN,
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
  },
  projects: { from: 'groups' },
  callbackUrls: many(90, (index) => `https://shop.example.com/${number(index)}/callback`),
  allowedTargetHosts: many(200, (index) => `service-${number(index)}.internal.example.com`),
  allowedTargetArns: {
    ...Object.fromEntries(many(40, (index) => [`project-${number(index)}`, [queue(index)]])),
    shop: [
      'arn:aws:states:eu-central-1:111122223333:stateMachine:orders-of-the-shop-*',
      'arn:aws:ecs:eu-central-1:111122223333:task-definition/reports-of-the-shop-*',
      CLUSTER,
      'arn:aws:batch:eu-central-1:111122223333:job-definition/reports-of-the-shop-*',
      'arn:aws:batch:eu-central-1:111122223333:job-queue/reports-of-the-shop',
      'arn:aws:glue:eu-central-1:111122223333:job/loads-of-the-shop-*',
      'arn:aws:codebuild:eu-central-1:111122223333:project/sites-of-the-shop-*',
    ],
  },
  errands: {
    allowOverrides: true,
    ecs: {
      clusters: { [CLUSTER]: { launchType: 'FARGATE', subnets: ['subnet-0123456789abcdef0'] } },
      passRoles: ['arn:aws:iam::111122223333:role/reports-of-the-shop'],
    },
  },
  assumeRole: Object.fromEntries(
    many(20, (index) => [
      `project-${number(index)}`,
      { roleArn: `arn:aws:iam::111122223333:role/quarterjack-targets-of-project-${number(index)}` },
    ]),
  ),
} as const;

const clients = (more: (index: number) => object) =>
  Object.fromEntries(
    many(12, (index) => [
      `${'m'.repeat(29)}${number(index)}`,
      { project: 'p'.repeat(128), role: 'approver', ...more(index) },
    ]),
  );

/** Everything on, in five pools, with the longest names and full lists: with a user pool of its own. */
export const MAXIMAL: StageConfig = parseConfig(
  { ...COMMON, machineClients: clients(() => ({})) },
  'the largest deployment',
);

/** As `MAXIMAL`, but with an issuer of the operator, whose ids are long. */
export const MAXIMAL_ISSUER: StageConfig = parseConfig(
  {
    ...COMMON,
    machineClients: clients((index) => ({ clientId: `${'c'.repeat(150)}${number(index)}` })),
    issuer: 'https://login.example.com/realms/the-shop',
    audience: 'https://jobs.example.com',
    signIn: {
      clientId: 'c'.repeat(200),
      authorizationEndpoint: `https://login.example.com/${'a'.repeat(200)}`,
      tokenEndpoint: `https://login.example.com/${'t'.repeat(200)}`,
      scopes: many(40, (index) => `quarterjack/scope-${number(index)}`),
    },
  },
  'the largest deployment with an issuer',
);

/** The least that a stage can have. */
export const SMALLEST: StageConfig = parseConfig(
  { ...prod, stage: 'a', console: false, lifecycleEvents: 'off', reservedConcurrency: {} },
  'the smallest deployment',
);

export const SIZES: readonly (readonly [name: string, config: StageConfig])[] = [
  ['smallest', SMALLEST],
  ['largest', MAXIMAL],
  ['largest with an issuer', MAXIMAL_ISSUER],
];

/** The stage that a checkout deploys first, as its file is. */
const DEV: StageConfig = parseConfig({ ...dev, stage: 'dev' }, 'config/dev.json');

const made = new Map<StageConfig, ReturnType<typeof resourcesIn>>();

/** The resources of a configuration. Each is synthesized once in a worker. */
export function resourcesOfSize(config: StageConfig): ReturnType<typeof resourcesIn> {
  const known = made.get(config) ?? resourcesIn(createStackOf(config));
  made.set(config, known);
  return known;
}

/** A configuration with the resources that it becomes. */
export interface Sized {
  readonly config: StageConfig;
  readonly resources: ReturnType<typeof resourcesIn>;
}

/** Registers tests for the stage `dev`, the smallest deployment, and the largest ones. */
export function inEachDeployment(tests: (deployment: Sized) => void): void {
  describe.each([['dev', DEV] as const, ...SIZES])('in the %s deployment', (_name, config) =>
    tests({ config, resources: resourcesOfSize(config) }),
  );
}
