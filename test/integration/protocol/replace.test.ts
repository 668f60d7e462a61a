import type { Execution } from '../../../lambdas/core/domain/execution';
import { put, TARGET } from '../../support/child-world';
import { T0_MS } from '../../support/factories';
import { WorkflowWorld } from '../../support/workflow-world';

/** `replace` ends whatever of the job waits or runs when a newer execution of it is due. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const secondsOf = ({ dueAtMs }: Pick<Execution, 'dueAtMs'>) => (dueAtMs - T0_MS) / SECOND_MS;

/** Job `slow` keeps the key from 30 s to 95 s. Job `rep` is due each 20 s from 40 s on, four times. */
async function behindSlow(keys: object, overlap: string) {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  expect((await world.api('putConcurrencyKey', { key: 'db' }, { limit: 1 })).status).toBeLessThan(300);
  const at = (seconds: number) => new Date(T0_MS + seconds * SECOND_MS).toISOString();
  const target = { ...TARGET, timeout: '2m' };
  await put(flow, 'slow', { schedule: { type: 'at', at: at(30) }, target, timeout: '5m', ...keys });
  const schedule = { type: 'interval', every: '20s', anchor: at(40), startAt: at(40), endAt: at(101) };
  await put(flow, 'rep', { schedule, target, timeout: '5m', overlap, ...keys });
  flow.behave.slow = { workMs: 65 * SECOND_MS };
  await world.run(10 * MINUTE_MS);
  expect(world.errors()).toEqual([]);
  return world
    .executions({ userId: 'alice', jobId: 'rep' })
    .flatMap((row) => rowsIn(row).map((seconds) => [seconds, row.status, row.reason]));
}

/** Skipped neighbours may share a row. */
const rowsIn = (row: Execution): number[] =>
  Array.from({ length: row.skipped?.count ?? 1 }, (_, index) => secondsOf(row) + 20 * index);

const KEYS = [
  ['concurrency key', { concurrencyKey: 'db' }],
  ['ordering key', { orderingKey: 'k' }],
] as const;

test.each(KEYS)('an occurrence that waits for a %s is ended by each newer one', async (_, keys) => {
  expect(await behindSlow(keys, 'replace')).toEqual([
    [40, 'skipped', 'overlap'],
    [60, 'skipped', 'overlap'],
    [80, 'succeeded', undefined],
    [100, 'succeeded', undefined],
  ]);
});

test.each(KEYS)('with skip and queue, the oldest occurrence waits for a %s alone', async (_, keys) => {
  for (const overlap of ['skip', 'queue'])
    expect(await behindSlow(keys, overlap)).toEqual([
      [40, 'succeeded', undefined],
      [60, 'skipped', 'overlap'],
      [80, 'skipped', 'overlap'],
      [100, 'succeeded', undefined],
    ]);
});

test.each([
  ['an approval', { approval: { timeout: '1h' } }],
  ['a time', { target: TARGET, delay: '30m' }],
  ['another job', { await: { job: 'other', window: 'same-day' } }],
])('a run that waits for %s ends when the next one is due', async (_, task) => {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  const later = new Date(T0_MS + 60 * MINUTE_MS).toISOString();
  await put(flow, 'other', { schedule: { type: 'at', at: later }, target: TARGET });
  await put(flow, 'rep', {
    schedule: { type: 'interval', every: '5m', maxRuns: 2 },
    overlap: 'replace',
    workflow: { tasks: { wait: task } },
  });
  await world.run(12 * MINUTE_MS);
  const [first, second] = world.executions({ userId: 'alice', jobId: 'rep' });
  expect(first).toMatchObject({ status: 'cancelled', reason: 'overlap' });
  expect(second).toMatchObject({ status: 'running' });
  // As a user's cancel: at once, not at a recheck.
  expect(first!.finishedAtMs! - second!.dueAtMs).toBeLessThan(SECOND_MS);
  expect(second!.claimedAtMs ?? second!.startAtMs ?? 0).toBeLessThan(second!.dueAtMs + 2 * SECOND_MS);
  expect(world.errors()).toEqual([]);
});
