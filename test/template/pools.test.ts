import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExecutorEnv } from '../../lambdas/core/contracts/env';
import { LANES } from '../../lambdas/core/contracts/pools';
import { concurrencyOf } from '../../scripts/preflight/concurrency';
import { listOf, statementsOf } from './statements';
import { createStack, ofType, type Resource, resourcesOf, targetOf, variablesOf } from './synth';

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

const functionStarting = (of: typeof resources, start: string): [string, Resource] =>
  ofType(of, 'AWS::Lambda::Function').find(([id]) => id.startsWith(`${start}Function`))!;
const executorOf = (pool: string, of = resources) => functionStarting(of, `StagesExecutor${pool}`);
const longExecutorOf = (pool: string, of = resources) => functionStarting(of, `StagesLongExecutor${pool}`);
/** Those of a function, or of its alias. */
const mappingsOf = (id: string, of = resources) =>
  ofType(of, 'AWS::Lambda::EventSourceMapping')
    .map(([, { Properties }]) => Properties)
    .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes(`"${id}"`));
/** The queues that invoke a function: `ExecutionsHeavyLong`. */
const queuesOf = (functionId: string, of = resources) =>
  mappingsOf(functionId, of).map(({ EventSourceArn }) =>
    targetOf(EventSourceArn).replace(/Queue[0-9A-F]{8}$/, ''),
  );
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
/** As ids of constructs name them: `default` is left out. */
const POOLS = ['', ...NAMES.map(capital)];

describe('provisioned event pollers', () => {
  const provisionedPollers = { highest: { min: 2, max: 20 }, overflow: { min: 2, max: 4 } };
  const own = resourcesOf({
    pools: { default: configured.default, heavy: { ...HEAVY, provisionedPollers } },
  });
  test('take the place of the maximum concurrency of their queues alone', () => {
    const mappings = [executorOf, longExecutorOf].flatMap((of) => mappingsOf(of('Heavy', own)[0], own));
    const bounds = mappings.map((one) => one.ProvisionedPollerConfig ?? one.ScalingConfig);
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
  const [, heavy] = executorOf('Heavy');

  test('leaves the resources of the pool default as they are, by their logical ids', () => {
    for (const [id, { Type }] of alone) expect([id, resources.get(id)?.Type]).toEqual([id, Type]);
    for (const [id, { Properties }] of ofType(alone, 'AWS::SQS::Queue'))
      expect(resources.get(id)?.Properties).toEqual(Properties);
  });

  test('gives each an executor of its own, which what it leaves out shares with the pool default', () => {
    expect(heavy.Properties).toMatchObject({ MemorySize: 3_008, Timeout: 900 });
    for (const pool of ['Gpu', 'Nightly', 'Longestten']) expect(executorOf(pool)).toBeDefined();
  });

  test.each(POOLS)('the lane for long calls of the pool "%s" has an executor of its own', (pool) => {
    const [shortId] = executorOf(pool);
    const [longId] = longExecutorOf(pool);
    expect(queuesOf(longId)).toEqual([`Executions${pool}Long`]);
    expect(queuesOf(shortId)).toEqual(
      LANES.filter((lane) => lane !== 'long').map((lane) => `Executions${pool}${capital(lane)}`),
    );
  });

  test.each(POOLS)('both executors of the pool "%s" have the same code and settings', (pool) => {
    const settingsOf = ({ Properties }: Resource) => {
      const { Description: _says, LoggingConfig: _log, ...others } = Properties;
      return others;
    };
    expect(settingsOf(longExecutorOf(pool)[1])).toEqual(settingsOf(executorOf(pool)[1]));
  });

  test('executors take one message at a time if their pool says so', () => {
    const mappings = [executorOf, longExecutorOf].flatMap((of) => mappingsOf(of('Heavy')[0]));
    for (const { BatchSize } of mappings) expect(BatchSize).toBe(1);
    for (const { BatchSize } of mappingsOf(executorOf('')[0])) expect(BatchSize).toBe(10);
    expect(mappings.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency)).toEqual([
      8, 4, 4, 2, 2, 2, 2,
    ]);
  });

  test('all executors have one role, so that the policies of targets name one', () => {
    const roles = [executorOf, longExecutorOf].flatMap((of) =>
      POOLS.map((pool) => targetOf(of(pool)[1].Properties.Role)),
    );
    expect(new Set(roles).size).toBe(1);
    const polled = statementsOf(resources, roles[0]!)
      .filter(({ Action }) => listOf(Action).includes('sqs:ReceiveMessage'))
      .flatMap(({ Resource }) => listOf(Resource).map((one) => JSON.stringify(one)));
    for (const pool of ['default', ...NAMES])
      expect(polled).toContainEqual(expect.stringContaining(`:Quarterjack-dev-${pool}-*"`));
    expect(polled).toHaveLength(1 + NAMES.length);
  });

  test.each(['Errors', 'Throttles'])('one alarm of each pool watches the %s of both executors', (name) => {
    for (const pool of POOLS.filter((one) => one !== '')) {
      const prefix = `Alarms${name === 'Errors' ? 'FunctionErrors' : name}${pool}`;
      const [[, alarm] = [], ...others] = ofType(resources, 'AWS::CloudWatch::Alarm').filter(([id]) =>
        id.startsWith(prefix),
      );
      expect(others).toEqual([]);
      const [total, ...watched] = alarm!.Properties.Metrics;
      expect(total.Expression).toBe('SUM([m0, m1])');
      expect(
        watched.map(({ MetricStat: { Metric } }: Record<string, any>) => [
          Metric.MetricName,
          targetOf(Metric.Dimensions[0].Value),
        ]),
      ).toEqual([
        [name, executorOf(pool)[0]],
        [name, longExecutorOf(pool)[0]],
      ]);
    }
  });

  test('a project may hold a quarter of the executors of each lane, unless its pool says otherwise', () => {
    const half = { ...HEAVY, userLanePercent: 50 };
    const own = resourcesOf({
      pools: { default: configured.default, heavy: HEAVY, half, one: { ...HEAVY, userLanePercent: 100 } },
    });
    const { LANE_LIMITS } = variablesOf(own, executorOf('', own)[1]);
    expect(ExecutorEnv.shape.LANE_LIMITS.parse(LANE_LIMITS)).toEqual({
      default: { highest: 10, high: 5, medium: 5, low: 2, lowest: 2 },
      heavy: { highest: 2, high: 2, medium: 2, low: 2, lowest: 2 },
      half: { highest: 4, high: 2, medium: 2, low: 2, lowest: 2 },
    });
  });

  test('functions find every queue by the URL of one, since the environment holds 4 KB', () => {
    const { EXECUTION_QUEUES, USER_RATE_LIMITS } = variablesOf(resources, heavy);
    const text = (EXECUTION_QUEUES['Fn::Join'][1] as unknown[])
      .map((part) =>
        typeof part === 'string'
          ? part
          : `https://sqs/${resources.get(targetOf(part))!.Properties.QueueName}`,
      )
      .join('');
    const urls = ExecutorEnv.shape.EXECUTION_QUEUES.parse(text);
    const names = ofType(resources, 'AWS::SQS::Queue').map(([, { Properties }]) => Properties.QueueName);
    for (const pool of ['default', ...NAMES])
      for (const lane of LANES) {
        expect(urls[pool]![lane]).toBe(`https://sqs/Quarterjack-dev-${pool}-${lane}`);
        expect(names).toContain(`Quarterjack-dev-${pool}-${lane}`);
        expect(names).toContain(`Quarterjack-dev-dead-${pool}-${lane}`);
      }
    expect(Object.keys(urls)).toEqual(['default', ...NAMES]);
    expect(names).toHaveLength(2 * (5 * LANES.length + ['scan', 'sweep'].length));
    expect(JSON.parse(USER_RATE_LIMITS)).toMatchObject({ default: 50, heavy: 50 });
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

test('docs/cost.md states how many alarms a pool has', () => {
  const cost = readFileSync(join(__dirname, '../../docs/cost.md'), 'utf8').replaceAll('\n', ' ');
  const ofHeavy = (of: typeof resources) => {
    const watched = ofType(of, 'AWS::CloudWatch::Alarm').filter(([id]) => /^Alarms[A-Za-z]+Heavy/.test(id));
    const metrics = watched.flatMap(([, { Properties }]) =>
      Properties.Metrics.filter((one: object) => 'MetricStat' in one),
    );
    return `${watched.length} alarms on ${metrics.length} metrics for $${(metrics.length / 10).toFixed(2)}`;
  };
  expect(cost).toContain(
    `It has ${ofHeavy(resourcesOf({ pools }))}, and with \`alarms: "all"\` ${ofHeavy(resources)}.`,
  );
});

test('no name of a pool is taken for another function', () => {
  const names = ['default', 'long', 'longlong', 'executor', 'shift'];
  const own = resourcesOf({
    pools: Object.fromEntries(names.map((name) => [name, name === 'default' ? configured.default : HEAVY])),
    executorShift: 'canary',
    alarms: 'all',
  });
  const ofKind = (type: string, pattern: RegExp) => ofType(own, type).filter(([id]) => pattern.test(id));
  expect(ofKind('AWS::Lambda::Function', /Executor/)).toHaveLength(2 * names.length);
  expect(ofKind('AWS::CodeDeploy::DeploymentGroup', /Executor/)).toHaveLength(2 * names.length);
  const aliases = ofType(own, 'AWS::Lambda::Alias').map(([id, { Properties }]) => [
    targetOf(Properties.FunctionName),
    queuesOf(id, own).length,
  ]);
  expect(Object.fromEntries(aliases)).toEqual(
    Object.fromEntries(
      ['', ...names.slice(1).map(capital)].flatMap((pool) => [
        [executorOf(pool, own)[0], LANES.length - 1],
        [longExecutorOf(pool, own)[0], 1],
      ]),
    ),
  );
});
