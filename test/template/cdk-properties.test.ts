import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

import { Quarterjack, type QuarterjackProps, ScheduledJob } from '../../lib';
import { Quotas } from '../../lib/config/quotas';
import { CONFIG_FIELDS } from '../../lib/config/stage-config';
import { referencesIn } from './statements';
import { functionOf, ofType, QUICK, resourcesIn, stubBundles, targetOf, variablesOf } from './synth';
import { ALLOWED_ACTIONS, HISTORY, OTLP, OTLP_ARRIVES, SIGNED, type Whole } from './whole-props';

// Each property of the construct, with a value that is not its default, and where it arrives. The types below
// let none be forgotten.

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/11111111-2222-3333-4444-555555555555';
const QUEUE = 'arn:aws:sqs:eu-central-1:111122223333:orders';
const CLUSTER = 'arn:aws:ecs:eu-central-1:111122223333:cluster/jobs';
const LAUNCH = { launchType: 'FARGATE' as const, subnets: ['subnet-0a1b2c3d'], assignPublicIp: true };
const FUNCTION = 'arn:aws:lambda:eu-central-1:111122223333:function:orders:live';
const ROLE = { roleArn: 'arn:aws:iam::111122223333:role/targets', externalId: 'x1' };
const ECS = { clusters: { [CLUSTER]: LAUNCH }, passRoles: [ROLE.roleArn] };
const units = (min: number) => ({ read: { min, max: 20 }, write: { min, max: 30 } });

const quotas: Whole<NonNullable<QuarterjackProps['quotas']>> = {
  ...{ jobs: 11, firesPerMinute: 12 },
  payloadBytes: 130_000,
  requestsPerMinute: 14,
  changesPerMinute: 15,
  runsPerMinute: 16,
  reportsPerMinute: 17,
  liveRuns: 18,
  logBytesPerDay: 190_000,
  logBytesPerAttempt: 200_000,
  writtenBytesPerDay: 20_000_000_000,
};
const pool: Whole<NonNullable<NonNullable<QuarterjackProps['pools']>[string]>> = {
  ...{ memoryMb: 640, timeoutSec: 120, batchSize: 3, userSharePerSec: 21, userLanePercent: 50 },
  maxConcurrency: { highest: 16, high: 12, medium: 8, low: 6, lowest: 4, overflow: 2, long: 3 },
  provisionedPollers: { highest: { min: 2, max: 9 } },
  ...{
    vpc: { subnetIds: ['subnet-0123abcd'], securityGroupIds: ['sg-0123abcd'] },
    privateCidrs: ['10.1.0.0/16'],
  },
};
const signIn: Whole<NonNullable<QuarterjackProps['signIn']>> = {
  ...{ clientId: 'cli', consoleClientId: 'browser', scopes: ['openid', 'jobs'] },
  authorizationEndpoint: 'https://login.example.com/authorize',
  tokenEndpoint: 'https://login.example.com/token',
};

/** With an issuer. Without it, only what the user pool makes of the same properties differs. */
const ALL: Whole<QuarterjackProps> = {
  ...{ stage: 'shop', project: 'billing', shardCount: 32, horizonSec: 240, leadMs: 200, retentionDays: 9 },
  ...{ packs: 'write', billing: 'provisioned', logRetentionDays: 30, targetPolicy: 'public' },
  capacity: { jobs: units(2), executions: units(3), schedule: units(4) },
  ...{ allowedTargetHosts: ['hooks.example.com'], allowedPrivateHosts: ['app.internal'] },
  ...{
    signedCalls: SIGNED,
    allowedActions: ALLOWED_ACTIONS,
    allowedTargetArns: [QUEUE, FUNCTION],
    assumeRole: ROLE,
  },
  errands: { durable: true, allowOverrides: true, ecs: ECS },
  ...{ issuer: 'https://login.example.com', audience: ['jobs'], jwksUri: 'https://login.example.com/keys' },
  ...{ projects: { from: 'groups', groupsClaim: 'roles' }, signIn, signing: { legacy: false } },
  machineClients: { ci: { project: 'shop', role: 'editor', clientId: 'x1' } },
  domain: { name: 'jobs.example.com', certificateArn: CERTIFICATE, inUse: true },
  ...{ callbackUrls: ['https://shop.example.com/callback'], allowedOrigins: ['https://shop.example.com'] },
  ...{ requestsPerSec: 77, requestBurst: 78, quotas, pools: { default: pool, gpu: { memoryMb: 512 } } },
  ...{ reservedConcurrency: { tick: 5 }, executorShift: 'linear', alarmDestination: 'ops@example.com' },
  ...{ laneQueues: 'shared', canary: false, logQueries: false, logGroups: 'shared' },
  ...{ alarms: 'all', alarmTopicKey: true, tracing: true, runbookUrl: 'https://wiki.example.com/runbook' },
  ...{ metricsByPriority: true, lifecycleEvents: 'all', journal: true, otlp: OTLP, removal: 'protect' },
  ...{ historyExport: HISTORY.props, console: true, bundlesDir: stubBundles() },
};

function resourcesWith(props: QuarterjackProps) {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const quarterjack = new Quarterjack(stack, 'Default', { bundlesDir: stubBundles(), ...props });
  const schedule = { type: 'cron', expression: '0 2 * * *' } as const;
  const target = { type: 'http', url: 'https://hooks.example.com/nightly' } as const;
  new ScheduledJob(stack, 'Nightly', { quarterjack, job: { schedule, target } });
  return resourcesIn({ app, stack });
}

const resources = resourcesWith(ALL);
type Stage = Parameters<typeof functionOf>[1];
const variable = (stage: Stage, name: string): unknown =>
  variablesOf(resources, functionOf(resources, stage)[1])[name];
const parsed = (stage: Stage, name: string): unknown => JSON.parse(String(variable(stage, name)));
const textOf = (type: string): string =>
  JSON.stringify(ofType(resources, type).map(([, { Properties }]) => Properties));
const only = (type: string) => ofType(resources, type)[0]![1].Properties;
const tables = () => textOf('AWS::DynamoDB::GlobalTable');
const mappings = () => textOf('AWS::Lambda::EventSourceMapping');

/** What arrives of each property, and what is expected of it. */
const ARRIVES: Record<keyof QuarterjackProps, () => [actual: unknown, expected: unknown]> = {
  stage: () => [variable('api', 'STAGE'), 'shop'],
  project: () => [only('Custom::QuarterjackJob').Project, 'billing'],
  shardCount: () => [variable('tick', 'SHARD_COUNT'), '32'],
  horizonSec: () => [variable('scanner', 'HORIZON_SEC'), '240'],
  leadMs: () => [variable('scanner', 'LEAD_MS'), '200'],
  packs: () => [[variable('scanner', 'PACKS'), variable('sweeper', 'PACKS')].join(), 'write,write'],
  retentionDays: () => [variable('sweeper', 'RETENTION_DAYS'), '9'],
  billing: () => [tables(), expect.stringMatching(/"BillingMode":"PROVISIONED"/)],
  capacity: () => [
    [2, 3, 4].filter((min) => tables().includes(`"MaxCapacity":30,"MinCapacity":${min}`)),
    [2, 3, 4],
  ],
  logRetentionDays: () => [functionOf(resources, 'api') && only('AWS::Logs::LogGroup').RetentionInDays, 30],
  targetPolicy: () => [variable('executor', 'TARGET_POLICY'), 'public'],
  allowedTargetHosts: () => [parsed('executor', 'TARGET_HOSTS'), ['hooks.example.com']],
  signedCalls: () => [parsed('executor', 'SIGNED_CALLS'), { '*': SIGNED }],
  allowedActions: () => [parsed('executor', 'ALLOWED_ACTIONS'), { '*': ALLOWED_ACTIONS }],
  allowedPrivateHosts: () => [parsed('executor', 'PRIVATE_HOSTS'), { '*': ['app.internal'] }],
  allowedTargetArns: () => [parsed('executor', 'TARGET_ARNS'), { '*': [QUEUE, FUNCTION] }],
  assumeRole: () => [parsed('executor', 'TARGET_ROLES'), { '*': ROLE }],
  errands: () => [
    [parsed('executor', 'ERRANDS'), parsed('executor', 'ECS_CLUSTERS')],
    [['durable'], { [CLUSTER]: LAUNCH }],
  ],
  signing: () => [variable('executor', 'SIGNING_LEGACY'), 'off'],
  issuer: () => [variable('authorizer', 'ISSUER'), 'https://login.example.com'],
  audience: () => [parsed('authorizer', 'AUDIENCE'), ['jobs']],
  jwksUri: () => [variable('authorizer', 'JWKS_URI'), 'https://login.example.com/keys'],
  projects: () => [parsed('authorizer', 'PROJECTS'), { from: 'groups', groupsClaim: 'roles' }],
  signIn: () => [
    [parsed('api', 'SIGN_IN'), parsed('api', 'SIGN_IN_LISTS'), textOf('AWS::Lambda::Function')],
    [
      expect.objectContaining({
        clientId: 'cli',
        authorizationEndpoint: signIn.authorizationEndpoint,
        tokenEndpoint: signIn.tokenEndpoint,
      }),
      expect.objectContaining({ scopes: ['openid', 'jobs'] }),
      expect.stringContaining('browser'),
    ],
  ],
  machineClients: () => [
    [parsed('authorizer', 'MACHINE_CLIENTS'), parsed('authorizer', 'MACHINE_CLIENT_IDS')],
    [[{ name: 'ci', project: 'shop', role: 'editor' }], ['x1']],
  ],
  console: () => [textOf('AWS::ApiGatewayV2::Api'), expect.stringContaining('"/console/{proxy+}"')],
  allowedOrigins: () => [
    textOf('AWS::ApiGatewayV2::Api'),
    expect.stringContaining('"allowOrigins":["https://shop.example.com"]'),
  ],
  domain: () => [
    [only('AWS::ApiGatewayV2::DomainName').DomainName, variable('executor', 'CALLBACK_URL')],
    ['jobs.example.com', 'https://jobs.example.com/v1/attempts'],
  ],
  callbackUrls: () => [
    parsed('api', 'SIGN_IN_LISTS'),
    expect.objectContaining({
      callbackUrls: expect.arrayContaining(['https://shop.example.com/callback']) as unknown,
    }),
  ],
  requestsPerSec: () => [only('AWS::ApiGatewayV2::Stage').DefaultRouteSettings.ThrottlingRateLimit, 77],
  requestBurst: () => [only('AWS::ApiGatewayV2::Stage').DefaultRouteSettings.ThrottlingBurstLimit, 78],
  quotas: () => [parsed('api', 'QUOTAS'), quotas],
  pools: () => {
    const { Properties } = functionOf(resources, 'executor')[1];
    const gpu = ofType(resources, 'AWS::Lambda::Function').find(([id]) => id.startsWith('StagesExecutorGpu'));
    const has = (text: string) => [text, mappings().includes(text)];
    return [
      [
        [Properties.MemorySize, Properties.Timeout, gpu?.[1].Properties.MemorySize],
        parsed('executor', 'USER_RATE_LIMITS'),
        ...['"BatchSize":3', '"MaximumConcurrency":3', '"MaximumPollers":9,"MinimumPollers":2'].map(has),
        parsed('executor', 'LANE_LIMITS'),
      ],
      [
        [640, 120, 512],
        { default: 21, gpu: 21 },
        ...['"BatchSize":3', '"MaximumConcurrency":3', '"MaximumPollers":9,"MinimumPollers":2'].map(
          (text) => [text, true],
        ),
        // Half of nine pollers with ten batches each, and of the executors of the others.
        expect.objectContaining({ default: [45, 6, 4, 3, 2] }),
      ],
    ];
  },
  reservedConcurrency: () => [functionOf(resources, 'tick')[1].Properties.ReservedConcurrentExecutions, 5],
  executorShift: () => [textOf('AWS::CodeDeploy::DeploymentGroup'), expect.stringMatching(/LambdaLinear10/)],
  alarmDestination: () => [only('AWS::SNS::Subscription').Endpoint, 'ops@example.com'],
  laneQueues: () => [
    ofType(resources, 'AWS::SQS::Queue').filter(([id]) => /^Executions(?!Gpu).*Queue/.test(id)).length,
    2,
  ],
  canary: () => [[...resources.keys()].filter((id) => /canary/i.test(id)), []],
  logQueries: () => [ofType(resources, 'AWS::Logs::QueryDefinition'), []],
  logGroups: () => [
    // Beside that of the pipeline: the access log, and those of the console and of custom resources.
    ofType(resources, 'AWS::Logs::LogGroup').filter(([id]) => /Stages/.test(id)),
    [],
  ],
  alarms: () => [[...resources.keys()], expect.arrayContaining([expect.stringMatching(/^AlarmsTickSilent/)])],
  alarmTopicKey: () => [
    ofType(resources, 'AWS::KMS::Key').map(([id]) => id),
    [expect.stringMatching(/^AlarmTopic/)],
  ],
  tracing: () => [functionOf(resources, 'api')[1].Properties.TracingConfig, { Mode: 'Active' }],
  runbookUrl: () => [
    textOf('AWS::CloudWatch::Alarm'),
    expect.stringContaining('https://wiki.example.com/runbook#'),
  ],
  metricsByPriority: () => [variable('executor', 'METRICS_BY_PRIORITY'), 'on'],
  lifecycleEvents: () => [variable('executor', 'LIFECYCLE_EVENTS'), 'all'],
  journal: () => [variable('api', 'JOURNAL'), 'on'],
  otlp: () => [
    [parsed('executor', 'SAMPLING'), textOf('AWS::Lambda::Function')],
    [{ ratio: 0.25, maxPerMinute: 7, projects: ['billing'] }, expect.stringMatching(OTLP_ARRIVES)],
  ],
  historyExport: () => [textOf('AWS::Lambda::Function'), expect.stringContaining(HISTORY.arrives)],
  removal: () => [tables(), expect.stringContaining('"DeletionProtectionEnabled":true')],
  bundlesDir: () => [ofType(resources, 'AWS::Lambda::Function').length > 10, true],
};

test('the construct has the fields of the configuration, and three properties of its own', () => {
  expect(Object.keys(ALL).toSorted()).toEqual(
    [...CONFIG_FIELDS, 'stage', 'project', 'bundlesDir'].toSorted(),
  );
  expect(Object.keys(quotas).toSorted()).toEqual(Object.keys(Quotas.shape).toSorted());
});

test.each(Object.keys(ARRIVES) as (keyof QuarterjackProps)[])('the property %s arrives', (name) => {
  const [actual, expected] = ARRIVES[name]();
  expect(actual).toEqual(expected);
});

describe('what is the default above', () => {
  const own = resourcesWith({
    ...{ stage: 'local', targetPolicy: 'loopback', console: false },
    domain: { name: 'jobs.example.com', certificateArn: CERTIFICATE, inUse: false },
  });
  const executor = variablesOf(own, functionOf(own, 'executor')[1]);

  test('targetPolicy, console and inUse of a domain arrive, too', () => {
    expect(executor.TARGET_POLICY).toBe('loopback');
    expect([...own.keys()].filter((id) => id.startsWith('Console'))).toEqual([]);
    expect(JSON.stringify(executor.CALLBACK_URL)).not.toContain('jobs.example.com');
    expect(ofType(own, 'AWS::ApiGatewayV2::DomainName')).toHaveLength(1);
  });
});

describe('what the construct offers', () => {
  const stack = new Stack(new App(QUICK), 'Shop');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
  const orders = new LambdaFunction(stack, 'Orders', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {};'),
  });
  jobs.grantManageJobs(orders, { project: 'billing', role: 'viewer', keyVersion: 3 });
  jobs.addLambdaTarget(orders, { project: 'billing' });
  const template = Template.fromStack(stack);
  const isA = (type: string, id: string) => expect(template.toJSON().Resources[id]?.Type).toBe(type);

  test('its URLs are those of the API', () => {
    const { 'Fn::GetAtt': endpoint } = stack.resolve(jobs.url) as { 'Fn::GetAtt': [string, string] };
    isA('AWS::ApiGatewayV2::Api', endpoint[0]);
    expect(JSON.stringify(stack.resolve(jobs.consoleUrl))).toMatch(/ApiEndpoint.*\/console\/"/);
    const without = new Quarterjack(new Stack(new App(QUICK), 'Shop'), 'Jobs', {
      ...{ bundlesDir: stubBundles(), console: false },
    });
    expect(without.consoleUrl).toBeUndefined();
  });

  test('its topic, bus and role are resources of the stack', () => {
    isA('AWS::SNS::Topic', targetOf(stack.resolve(jobs.alarmTopic.topicArn)));
    isA('AWS::Events::EventBus', targetOf(stack.resolve(jobs.eventBus.eventBusName)));
    isA('AWS::IAM::Role', targetOf(stack.resolve(jobs.executorRole.roleArn)));
  });

  test('its metric has the name of the deployment, and options of its own', () => {
    const { namespace, metricName, dimensions, statistic } = jobs
      .metricLateness({ statistic: 'p50' })
      .toMetricConfig().metricStat!;
    expect([namespace, metricName, statistic]).toEqual(['Quarterjack', 'LatenessMs', 'p50']);
    expect(dimensions).toEqual([{ name: 'deployment', value: 'Shop-Jobs' }]);
  });

  test('a key has the project, the role and the version that are given', () => {
    const [key] = Object.values(template.findResources('Custom::QuarterjackKey'));
    expect(key!.Properties).toMatchObject({ Project: 'billing', Role: 'viewer', Rotation: '3' });
  });

  test('a function is a target in the project that is given', () => {
    const added = Object.values(template.findResources('AWS::Lambda::Function')).flatMap(
      ({ Properties }) => Properties.Environment?.Variables.ADDED_TARGET_ARNS ?? [],
    );
    expect(added.length).toBeGreaterThan(1);
    for (const arns of added) {
      expect(JSON.stringify(arns)).toContain('billing');
      expect(referencesIn(arns)).toEqual([expect.stringMatching(/^Orders/)]);
    }
  });
});
