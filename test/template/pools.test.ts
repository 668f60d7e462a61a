import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

import { ExecutorEnv } from '../../lambdas/core/contracts/env';
import { LANES } from '../../lambdas/core/contracts/pools';
import { concurrencyOf } from '../../scripts/preflight/concurrency';
import { listOf, referencesIn, statementsOf } from './statements';
import { createStack, ofType, type Resource, resourcesOf, targetOf } from './synth';

const HEAVY = {
  memoryMb: 3_008,
  batchSize: 1,
  maxConcurrency: { highest: 8, high: 4, medium: 4, low: 2, lowest: 2, overflow: 2 },
};
const { pools: configured } = createStack().config;
const NAMES = ['heavy', 'gpu', 'nightly', 'longestten'];
const pools = Object.fromEntries([['default', configured.default], ...NAMES.map((name) => [name, HEAVY])]);
const alone = resourcesOf({ alarms: 'all' });
const resources = resourcesOf({ pools, alarms: 'all' });

const executorOf = (pool: string): [string, Resource] =>
  ofType(resources, 'AWS::Lambda::Function').find(([id]) => id.startsWith(`StagesExecutor${pool}Function`))!;
const mappingsOf = (functionId: string) =>
  ofType(resources, 'AWS::Lambda::EventSourceMapping')
    .map(([, { Properties }]) => Properties)
    .filter(({ FunctionName }) => targetOf(FunctionName) === functionId);

describe('provisioned event pollers', () => {
  const provisionedPollers = { highest: { min: 2, max: 20 }, overflow: { min: 2, max: 4 } };
  const own = resourcesOf({
    pools: { default: configured.default, heavy: { ...HEAVY, provisionedPollers } },
  });
  const [heavyId] = ofType(own, 'AWS::Lambda::Function').find(([id]) =>
    id.startsWith('StagesExecutorHeavyF'),
  )!;

  test('take the place of the maximum concurrency of their queues alone', () => {
    const bounds = ofType(own, 'AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => targetOf(Properties.FunctionName) === heavyId)
      .map(([, { Properties }]) => Properties.ProvisionedPollerConfig ?? Properties.ScalingConfig);
    expect(bounds).toEqual([
      { MinimumPollers: 2, MaximumPollers: 20 },
      { MaximumConcurrency: 4 },
      { MaximumConcurrency: 4 },
      { MaximumConcurrency: 2 },
      { MaximumConcurrency: 2 },
      { MinimumPollers: 2, MaximumPollers: 4 },
      { MaximumConcurrency: 2 },
    ]);
  });

  test('count ten executors each where the concurrency of the account is summed', () => {
    const without = resourcesOf({ pools: { default: configured.default, heavy: HEAVY } });
    const queuesOf = (all: typeof own) => concurrencyOf({ Resources: Object.fromEntries(all) }).queues;
    expect(queuesOf(own) - queuesOf(without)).toBe(20 * 10 - 8 + 4 * 10 - 2);
  });

  test.each([
    [{ highest: { min: 1, max: 4 } }, 'min'],
    [{ highest: { min: 2, max: 2_001 } }, 'max'],
    [{ highest: { min: 5, max: 4 } }, 'max'],
    [{ urgent: { min: 2, max: 4 } }, 'urgent'],
  ])('%j is refused by the name of the field', (refused, field) => {
    const heavy = { ...HEAVY, provisionedPollers: refused };
    expect(() => resourcesOf({ pools: { default: configured.default, heavy } })).toThrow(field);
  });
});

describe('a deployment with five pools', () => {
  const [heavyId, heavy] = executorOf('Heavy');

  test('leaves the resources of the pool default as they are, by their logical ids', () => {
    for (const [id, { Type }] of alone) expect([id, resources.get(id)?.Type]).toEqual([id, Type]);
    for (const [id, { Properties }] of ofType(alone, 'AWS::SQS::Queue'))
      expect(resources.get(id)?.Properties).toEqual(Properties);
  });

  test('gives each an executor of its own, which what it leaves out shares with the pool default', () => {
    expect(heavy.Properties).toMatchObject({ MemorySize: 3_008, Timeout: 900 });
    for (const pool of ['Gpu', 'Nightly', 'Longestten']) expect(executorOf(pool)).toBeDefined();
  });

  test('an executor is invoked by the queues of its pool alone, one message at a time if it says so', () => {
    const mappings = mappingsOf(heavyId);
    expect(mappings.map(({ EventSourceArn }) => targetOf(EventSourceArn)).toSorted()).toEqual(
      ofType(resources, 'AWS::SQS::Queue')
        .flatMap(([id]) => (/^ExecutionsHeavy\w+Queue[0-9A-F]{8}$/.test(id) ? id : []))
        .toSorted(),
    );
    expect(mappings).toHaveLength(LANES.length);
    for (const { BatchSize } of mappings) expect(BatchSize).toBe(1);
    for (const { BatchSize } of mappingsOf(executorOf('')[0])) expect(BatchSize).toBe(10);
    expect(mappings.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency)).toEqual([
      8, 4, 4, 2, 2, 2, 2,
    ]);
  });

  test('all executors have one role, so that the policies of targets name one', () => {
    const roles = [executorOf(''), executorOf('Heavy'), executorOf('Gpu')].map(([, { Properties }]) =>
      targetOf(Properties.Role),
    );
    expect(new Set(roles).size).toBe(1);
    const polled = statementsOf(resources, roles[0]!)
      .filter(({ Action }) => listOf(Action).includes('sqs:ReceiveMessage'))
      .flatMap(({ Resource }) => referencesIn(Resource));
    for (const { EventSourceArn } of mappingsOf(heavyId)) expect(polled).toContain(targetOf(EventSourceArn));
  });

  test('functions find every queue by the URL of one, since the environment holds 4 KB', () => {
    const { EXECUTION_QUEUES, USER_RATE_LIMITS } = heavy.Properties.Environment.Variables;
    const text = (EXECUTION_QUEUES['Fn::Join'][1] as unknown[])
      .map((part) => (typeof part === 'string' ? part : `https://sqs/${nameOf(targetOf(part))}`))
      .join('');
    const urls = ExecutorEnv.shape.EXECUTION_QUEUES.parse(text);
    expect(Object.keys(urls)).toEqual(['default', ...NAMES]);
    const names = ofType(resources, 'AWS::SQS::Queue').flatMap(
      ([, { Properties }]) => Properties.QueueName ?? [],
    );
    expect(names).toHaveLength(NAMES.length * LANES.length);
    for (const pool of NAMES)
      for (const lane of LANES) {
        expect(urls[pool]![lane]).toBe(`https://sqs/Quarterjack-dev-${pool}-${lane}`);
        expect(names).toContain(`Quarterjack-dev-${pool}-${lane}`);
      }
    expect(JSON.parse(USER_RATE_LIMITS)).toMatchObject({ default: 50, heavy: 50 });
    expect(text.length).toBeLessThan(1_500);
  });

  test('each has alarms, and a row on one of the dashboards of up to 50 metrics, which are free', () => {
    for (const alarm of ['Backlog', 'DeadLetters', 'FunctionErrors', 'Throttles'])
      expect(
        ofType(resources, 'AWS::CloudWatch::Alarm').filter(([id]) => id.startsWith(`Alarms${alarm}Heavy`)),
      ).toHaveLength(1);
    const bodiesOf = (from: Map<string, Resource>, prefix: string) =>
      ofType(from, 'AWS::CloudWatch::Dashboard')
        .filter(([id]) => id.startsWith(prefix))
        .map(([, { Properties }]) => JSON.stringify(Properties));
    expect(bodiesOf(resources, 'Dashboard')).toEqual(bodiesOf(alone, 'Dashboard'));
    const shown = bodiesOf(resources, 'PoolDashboard').map(
      (body) => body.split('ApproximateNumberOfMessagesVisible').length - 1,
    );
    expect(shown).toEqual([3 * LANES.length * 2, (NAMES.length - 3) * LANES.length * 2]);
    expect(Math.max(...shown)).toBeLessThanOrEqual(50);
  });
});

/** The name of a queue in the URL: generated ones do not matter. */
const nameOf = (logicalId: string): string =>
  (resources.get(logicalId)?.Properties.QueueName as string | undefined) ?? logicalId;

test('five pools pass the AWS Solutions checks and the CloudFormation schemas', () => {
  const created = createStack(
    { '@aws-cdk/core:failSynthOnValidationErrors': false, pools, executorShift: 'canary' },
    { builtinCloudFormationValidation: true },
  );
  Validations.of(created.app).addPlugins(new AwsSolutionsChecks(created.app));
  const report = readFileSync(join(created.app.synth().directory, 'validation-report.json'), 'utf8');
  const { pluginReports } = JSON.parse(report) as { pluginReports: { violations: unknown[] }[] };
  expect(pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
});
