import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { concurrencyOf } from '../../scripts/preflight/concurrency';
import { executorsOf, lanesOf } from '../../lib/config/pools';
import { shardConcurrency } from '../../lib/config/stage-config';
import { errandsOf } from '../../lib/constructs/watcher-function';
import { inEachDeployment } from './maximal';
import { functionOf, ofType, resourcesOf, STAGES } from './synth';

const summed = (context: Record<string, unknown>) =>
  concurrencyOf({ Resources: Object.fromEntries(resourcesOf(context)) });

const NAMES = [...STAGES, 'longExecutor'] as const;
const reservedIn = (resources: ReturnType<typeof resourcesOf>) =>
  Object.fromEntries(
    NAMES.map((name) => [name, functionOf(resources, name)[1].Properties.ReservedConcurrentExecutions]),
  );

inEachDeployment(({ config, resources }) => {
  test('concurrency is reserved only where the configuration says so', () => {
    expect(reservedIn(resources)).toEqual({ ...config.reservedConcurrency });
    const reserving = ofType(resources, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => 'ReservedConcurrentExecutions' in Properties,
    );
    expect(reserving).toHaveLength(Object.keys(config.reservedConcurrency).length);
  });

  test('the preflight counts all executors of all pools, scanners, sweepers, watchers, followers and exporters', () => {
    const executors = Object.values(config.pools)
      .flatMap((pool) =>
        (['short', 'long'] as const).flatMap((calls) =>
          lanesOf(calls, config.laneQueues).map((lane) => executorsOf(pool, lane)),
        ),
      )
      .reduce((sum, one) => sum + one, 0);
    const { queues, needed } = concurrencyOf({ Resources: Object.fromEntries(resources) });
    const watchers = errandsOf(config).length > 0 ? 2 : 0;
    const followers = config.journal || config.otlp ? 4 : 0;
    const exporters = config.otlp ? 5 : 0;
    expect(queues).toBe(
      executors + 2 * shardConcurrency(config.shardCount) + watchers + followers + exporters,
    );
    expect(needed).toBeGreaterThanOrEqual(queues);
  });
});

test('executors have a reservation if the configuration gives them one', () => {
  const reservedConcurrency = { api: 50, executor: 105, longExecutor: 12 };
  expect(reservedIn(resourcesOf({ reservedConcurrency }))).toEqual(reservedConcurrency);
});

test('the preflight counts what queues start in versions of a function as in the function', () => {
  expect(summed({ executorShift: 'canary' })).toEqual(summed({}));
});

test('docs/deploy.md states how many executions the queues of each stage may start', () => {
  const deploy = readFileSync(join(__dirname, '../../docs/deploy.md'), 'utf8');
  const [dev, prod] = [summed({ stage: 'dev' }), summed({ stage: 'prod' })];
  expect(deploy).toContain(
    `may start **${dev.queues}** executions at once with dev's file, and **${prod.queues}** with prod's`,
  );
  expect(deploy).toContain(`a quota of ${dev.needed} for dev, and ${prod.needed} for prod`);
  expect(prod.needed).toBeLessThanOrEqual(1_000); // the quota of an account that is not new
});

test('prod reserves concurrency for what all jobs depend on', () => {
  const prod = resourcesOf({ stage: 'prod' });
  const reserving = STAGES.filter(
    (stage) => 'ReservedConcurrentExecutions' in functionOf(prod, stage)[1].Properties,
  );
  expect(reserving).toEqual(['authorizer', 'api', 'tick', 'scanner', 'sweeper', 'worker']);
});
