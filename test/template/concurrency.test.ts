import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { concurrencyOf } from '../../scripts/preflight/concurrency';
import { functionOf, resourcesOf, STAGES } from './synth';

const summed = (context: Record<string, unknown>) =>
  concurrencyOf({ Resources: Object.fromEntries(resourcesOf(context)) });

test('concurrency is reserved only where the configuration says so', () => {
  const own = resourcesOf({ reservedConcurrency: { api: 50, executor: 105, longExecutor: 12 } });
  const names = [...STAGES, 'longExecutor'] as const;
  const reserved = names.map((name) => functionOf(own, name)[1].Properties.ReservedConcurrentExecutions);
  expect(Object.fromEntries(names.map((name, n) => [name, reserved[n]]))).toEqual({
    api: 50,
    executor: 105,
    longExecutor: 12,
  });
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
