import { App, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { Quarterjack, type QuarterjackProps, ScheduledJob } from '../../lib';
import type { StageConfig } from '../../lib/config/stage-config';
import { ProviderEnv } from '../../lambdas/core/contracts/env';
import { listOf, statementsOf } from './statements';
import { ofType, QUICK, type Resource, settingsIn, stubBundles, targetOf } from './synth';

const app = (): App => new App({ ...QUICK, context: { '@aws-cdk/core:enablePartitionLiterals': true } });
const functionIn = (scope: Construct, id: string): LambdaFunction =>
  new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {};'),
  });
const quarterjack = (scope: Construct, id: string, props: QuarterjackProps = {}): Quarterjack =>
  new Quarterjack(scope, id, { bundlesDir: stubBundles(), ...props });

type Resources = Map<string, Resource & { DependsOn?: string[] }>;
const resourcesOf = (stack: Stack): Resources => {
  const { Resources } = Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource> };
  return new Map(Object.entries(Resources));
};
const one = (resources: Resources, type: string, id: RegExp) => {
  const found = ofType(resources, type).filter(([logicalId]) => id.test(logicalId));
  expect(found.map(([logicalId]) => logicalId)).toEqual([expect.stringMatching(id)]);
  return found[0]!;
};
const roleOfFunction = (resources: Resources, id: RegExp) =>
  targetOf(one(resources, 'AWS::Lambda::Function', id)[1].Properties.Role);
const resourcesFor = (resources: Resources, roleId: string, action: string) =>
  statementsOf(resources, roleId)
    .filter(({ Action }) => listOf(Action).includes(action))
    .flatMap(({ Resource }) => listOf(Resource));

describe("a shop's stack: its functions are called by jobs, and make jobs", () => {
  const stack = new Stack(app(), 'Shop');
  const jobs = quarterjack(stack, 'Jobs', { stage: 'shop', quotas: { jobs: 7 }, removal: 'destroy' });
  const orders = functionIn(stack, 'Orders');
  const queue = new Queue(stack, 'Queue', { encryptionMasterKey: new Key(stack, 'Key') });
  jobs.grantManageJobs(orders, { role: 'operator' });
  new ScheduledJob(stack, 'Nightly', {
    quarterjack: jobs,
    job: {
      schedule: { type: 'cron', expression: '0 2 * * *' },
      target: jobs.addLambdaTarget(orders),
      payload: { bus: jobs.eventBus.eventBusName },
    },
    removalPolicy: RemovalPolicy.RETAIN,
  });
  jobs.addQueueTarget(queue, { project: 'billing' });
  new Alarm(stack, 'Late', { metric: jobs.metricLateness(), threshold: 500, evaluationPeriods: 3 });
  const resources = resourcesOf(stack);
  const [, provider] = one(resources, 'AWS::Lambda::Function', /Provider/);

  test('what it leaves out has the value of the stage dev, field by field', () => {
    const { Variables } = one(resources, 'AWS::Lambda::Function', /^JobsStagesApi/)[1].Properties.Environment;
    const { QUOTAS } = settingsIn(Stage.of(stack)!.outdir, resources);
    expect(QUOTAS).toMatchObject({ jobs: 7, firesPerMinute: 100_000 });
    expect(Variables).toMatchObject({ STAGE: 'shop', SHARD_COUNT: '4', DEPLOYMENT: 'Shop-Jobs' });
  });

  test('fixed names begin with those of the stack and the construct, so that a stack can have several', () => {
    expect(one(resources, 'AWS::Events::EventBus', /^Jobs/)[1].Properties.Name).toBe('Shop-Jobs-Lifecycle');
    const scan = one(resources, 'AWS::Scheduler::Schedule', /^JobsClockScan/);
    expect(scan[1].Properties.Name).toBe('Shop-Jobs-Scan');
    const [, domain] = one(resources, 'AWS::Cognito::UserPoolDomain', /^Jobs/);
    expect(JSON.stringify(domain.Properties.Domain)).toMatch(/quarterjack-[0-9a-f]{12}-/);
  });

  test('the executor may invoke the function and send to the encrypted queue, and nothing else of the shop', () => {
    const role = roleOfFunction(resources, /^JobsStagesExecutor/);
    const [ordersId] = one(resources, 'AWS::Lambda::Function', /^Orders/);
    const [queueId] = one(resources, 'AWS::SQS::Queue', /^Queue/);
    const arn = { 'Fn::GetAtt': [ordersId, 'Arn'] };
    expect(resourcesFor(resources, role, 'lambda:InvokeFunction')).toEqual([
      arn,
      { 'Fn::Join': ['', [arn, ':*']] },
    ]);
    expect(resourcesFor(resources, role, 'sqs:SendMessage')).toContainEqual({
      'Fn::GetAtt': [queueId, 'Arn'],
    });
    expect(resourcesFor(resources, role, 'kms:GenerateDataKey')).toHaveLength(1);
  });

  test('the API and the executor accept both as targets: the queue in one project alone', () => {
    for (const id of [/^JobsStagesApi/, /^JobsStagesExecutor/]) {
      const { Variables } = one(resources, 'AWS::Lambda::Function', id)[1].Properties.Environment;
      const text = JSON.stringify(Variables.ADDED_TARGET_ARNS);
      expect(text).toMatch(/\{\\"\*\\":\[\\"",\{"Fn::GetAtt":\["Orders/);
      expect(text).toMatch(/\\"billing\\":\[\\"",\{"Fn::GetAtt":\["Queue/);
    }
  });

  test('the job is a resource that outlives neither the API nor its own provider', () => {
    const [, job] = one(resources, 'Custom::QuarterjackJob', /^Nightly/);
    expect(job.Properties).toMatchObject({ Project: 'app', JobId: 'Shop-Nightly' });
    const [before, fn] = job.Properties.Definition['Fn::Join'][1];
    expect(before).toBe(
      '{"schedule":{"type":"cron","expression":"0 2 * * *"},"target":{"type":"lambda","functionArn":"',
    );
    expect(targetOf(fn)).toMatch(/^Orders/);
    expect(job.DeletionPolicy).toBe('Retain');
    const { DependsOn = [] } = resources.get(one(resources, 'Custom::QuarterjackJob', /./)[0])!;
    for (const id of [/^JobsStagesApiFunction/, /^JobsStagesApiRole/, /ProviderRoleDefaultPolicy/])
      expect(DependsOn).toContainEqual(expect.stringMatching(id));
  });

  test('the provider may invoke the API and write the one secret, and reads only its own environment', () => {
    const role = targetOf(provider.Properties.Role);
    const [secretId] = one(resources, 'AWS::SecretsManager::Secret', /^JobsCustomResources\w*Secret/);
    expect(resourcesFor(resources, role, 'lambda:InvokeFunction').map(targetOf)).toEqual([
      expect.stringMatching(/^JobsStagesApiFunction/),
    ]);
    expect(resourcesFor(resources, role, 'secretsmanager:PutSecretValue')).toEqual([{ Ref: secretId }]);
    expect(Object.keys(provider.Properties.Environment.Variables).toSorted()).toEqual(
      Object.keys(ProviderEnv.shape).toSorted(),
    );
  });

  test('a function that manages jobs gets the URL, and the secret with a key of its role', () => {
    const [secretId] = one(resources, 'AWS::SecretsManager::Secret', /^JobsCustomResources\w*Secret/);
    const { Variables } = one(resources, 'AWS::Lambda::Function', /^Orders/)[1].Properties.Environment;
    expect(Variables.QUARTERJACK_KEY_SECRET).toEqual({ Ref: secretId });
    expect(targetOf(Variables.QUARTERJACK_URL)).toMatch(/^JobsHttpApi/);
    expect(one(resources, 'Custom::QuarterjackKey', /./)[1].Properties).toMatchObject({
      Project: 'app',
      Role: 'operator',
      SecretArn: { Ref: secretId },
    });
    const role = roleOfFunction(resources, /^Orders/);
    expect(resourcesFor(resources, role, 'secretsmanager:GetSecretValue')).toEqual([{ Ref: secretId }]);
  });

  test('lateness is the p99 of this deployment', () => {
    const [metric] = one(resources, 'AWS::CloudWatch::Alarm', /^Late/)[1].Properties.Metrics;
    expect(metric.MetricStat).toMatchObject({
      Metric: { MetricName: 'LatenessMs', Dimensions: [{ Name: 'deployment', Value: 'Shop-Jobs' }] },
      Stat: 'p99',
    });
  });
});

test('two deployments in one stack, below a construct of their own, share no name', () => {
  const stack = new Stack(app(), 'Platform');
  const group = new Construct(stack, 'Scheduling');
  for (const id of ['Fast', 'Slow']) quarterjack(group, id, { console: false });
  const resources = resourcesOf(stack);
  const names = [...resources.values()].flatMap(({ Type, Properties }) =>
    ['AWS::Events::EventBus', 'AWS::Scheduler::Schedule', 'AWS::Logs::LogGroup'].includes(Type)
      ? (Properties.Name ?? Properties.LogGroupName ?? [])
      : [],
  );
  expect(names).toContain('Platform-SchedulingFast-Scan');
  expect(new Set(names).size).toBe(names.length);
  expect(ofType(resources, 'AWS::Lambda::Function').filter(([id]) => id.includes('Provider'))).toEqual([]);
});

test('jobs and functions of another stack depend on the stack of the deployment', () => {
  const parent = app();
  const platform = new Stack(parent, 'Platform');
  const jobs = quarterjack(platform, 'Jobs', { issuer: 'https://login.example.com', audience: ['jobs'] });
  const team = new Stack(parent, 'Team');
  jobs.grantManageJobs(functionIn(team, 'Planner'));
  new ScheduledJob(team, 'Ping', {
    quarterjack: jobs,
    project: 'team',
    jobId: 'ping',
    job: {
      schedule: { type: 'interval', every: '5m' },
      target: { type: 'http', url: 'https://example.com' },
    },
  });
  const [, job] = one(resourcesOf(team), 'Custom::QuarterjackJob', /^Ping/);
  expect(job.Properties).toMatchObject({ Project: 'team', JobId: 'ping' });
  expect(team.dependencies).toContain(platform);
  expect(ofType(resourcesOf(platform), 'AWS::Cognito::UserPool')).toEqual([]);
});

describe('what cannot work fails the synthesis with a reason', () => {
  const inShop = () => new Stack(app(), 'Shop');
  const job = {
    schedule: { type: 'delay', delay: '1m' },
    target: { type: 'http', url: 'https://a.test' },
  } as const;

  test.each([
    [{ shardCount: 0 }, 'Shop/Jobs is not configured correctly:\n  shardCount = 0: expected a whole number'],
    [{ pools: { default: { memoryMb: 1 } } }, 'pools.default.memoryMb = 1'],
    [
      { allowedTargetArns: ['arn:aws:lambda:eu-central-1:111122223333:function:Sh*'] },
      'may be a resource of the deployment itself; expected a name that differs from Shop before its first *',
    ],
    ...['Sh*:live', '*:live', 'Shop-J*:*'].map((name) => [
      { allowedTargetArns: [`arn:aws:lambda:eu-central-1:111122223333:function:${name}`] },
      'may be a resource of the deployment itself',
    ]),
  ] as [QuarterjackProps, string][])('%j', (props, message) => {
    expect(() => quarterjack(inShop(), 'Jobs', props)).toThrow(message);
  });

  test('but a pattern of versions or aliases says nothing about names', () => {
    const entries = ['orders:*', 'orders:Sh*'].map(
      (name) => `arn:aws:lambda:eu-central-1:111122223333:function:${name}`,
    );
    expect(() => quarterjack(inShop(), 'Jobs', { allowedTargetArns: entries })).not.toThrow();
  });

  test('names that are too long', () => {
    expect(() => quarterjack(inShop(), 'J'.repeat(60))).toThrow(/has 65 characters; expected at most 53/);
  });

  test('a second key, and a job with a bad id', () => {
    const stack = inShop();
    const jobs = quarterjack(stack, 'Jobs');
    const fn = functionIn(stack, 'Fn');
    jobs.grantManageJobs(fn);
    for (const one of [jobs, quarterjack(stack, 'Other')])
      expect(() => one.grantManageJobs(fn)).toThrow('Shop/Fn manages jobs already');
    expect(() => new ScheduledJob(stack, 'A', { quarterjack: jobs, jobId: 'a b', job })).toThrow(
      'jobId is "a b"; expected 1 to 64 letters, digits',
    );
  });

  test('a job or a key in a project of the deployment itself', () => {
    const stack = inShop();
    const jobs = quarterjack(stack, 'Jobs');
    const project = 'quarterjack-canary';
    const message = 'project is "quarterjack-canary"; expected a project';
    expect(() => new ScheduledJob(stack, 'A', { quarterjack: jobs, project, job })).toThrow(message);
    expect(() => jobs.grantManageJobs(functionIn(stack, 'Fn'), { project })).toThrow(message);
  });

  test('a target in the stack of a construct with the id Default', () => {
    const stack = inShop();
    expect(() => quarterjack(stack, 'Default').addLambdaTarget(functionIn(stack, 'Fn'))).toThrow(
      'give the construct another id',
    );
  });
});

/** Compiles only if the construct has a property for each field of the configuration. */
test('every field of the configuration is a property', () => {
  type Missing = Exclude<keyof StageConfig, keyof QuarterjackProps>;
  const missing: Missing[] = [];
  expect(missing).toEqual([]);
});
