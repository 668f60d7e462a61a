import type { MisfirePolicy, Overlap } from '../../../lambdas/core/domain/job';
import { execIdOfManualRun, jobKeyOf, parseCompactInstant } from '../../../lambdas/core/contracts/tables';
import { SendError } from '../../../lambdas/core/queue/execution-queue';
import { anExecution, T0_MS } from '../../support/factories';
import { BALANCED, ledgerOf } from '../../support/ledger';
import { newJobAt } from '../../support/new-job';
import { outage } from '../../support/outage';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const EVERY_MINUTE = { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS };
const misfire = (policy: MisfirePolicy, grace = '60s') => ({ policy, grace, catchUpWindow: '1h' });
const every = (period: string) => ({
  type: 'interval' as const,
  every: period,
  anchor: new Date(T0_MS).toISOString(),
});

describe('after an outage the history has each planned occurrence, once', () => {
  const outages: [MisfirePolicy, number, number, Overlap][] = [
    ['fire-once', 10, 7.3, 'skip'],
    ['fire-once', 25, 20, 'allow'],
    ['fire-once', 60, 1.5, 'allow'],
    ['fire-all', 10, 20, 'allow'],
    ['fire-all', 25, 4, 'skip'],
    ['fire-all', 150, 7.3, 'skip'],
    ['fire-now', 10, 1.5, 'skip'],
    ['fire-now', 60, 20, 'allow'],
    ['skip', 10, 7.3, 'allow'],
    ['skip', 25, 20, 'skip'],
    ['skip', 60, 4, 'allow'],
  ];
  test.each(outages)('%s, each %i s, %f minutes, overlap %s', async (policy, stepSec, minutes, overlap) => {
    const world = await PipelineWorld.started(1);
    const stepMs = stepSec * 1_000;
    const job = await world.create(
      newJobAt(world, {
        overlap,
        misfire: { ...misfire(policy), catchUpWindow: '10m' },
        schedule: every(`${stepSec}s`),
      }),
    );
    await world.run(MINUTE_MS + 12_000);
    await outage(world, minutes * MINUTE_MS);
    await world.run(6 * MINUTE_MS);
    expect(ledgerOf(world, job, { fromMs: T0_MS + stepMs, stepMs })).toEqual(BALANCED);
  });
});

test('a scanner that was down for 40 minutes does not repeat what ran without it', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('fire-all') }));
  await world.run(MINUTE_MS);
  await outage(world, 40 * MINUTE_MS, ['scan']);
  const done = world.executions(job).length;
  const send = jest.spyOn(world.queue, 'send');
  await world.run(2 * MINUTE_MS);
  const sent = send.mock.calls.flatMap(([messages]) => messages);
  expect(sent.length).toBeLessThanOrEqual(3 * done);
  expect(new Set(world.calls.map(({ execId }) => execId)).size).toBe(world.calls.length);
  expect(ledgerOf(world, job, EVERY_MINUTE)).toEqual(BALANCED);
});

test('a scanner that comes back does not record as skipped what ran or was skipped for another reason', async () => {
  const world = await PipelineWorld.started(1);
  let runs = 0;
  world.behaviour = async (_, signal, clock) => {
    if (runs++ % 4 === 0) await clock.sleep(150_000, signal);
    return { outcome: 'succeeded', statusCode: 200 };
  };
  const target = { ...newJobAt(world, {}).target, timeout: '10m' };
  const job = await world.create(
    newJobAt(world, { overlap: 'skip', target, timeout: '10m', misfire: misfire('fire-once') }),
  );
  await world.run(MINUTE_MS);
  await outage(world, 40 * MINUTE_MS, ['scan']);
  await world.run(3 * MINUTE_MS);
  expect(ledgerOf(world, job, EVERY_MINUTE).twice).toEqual([]);
});

test('a repeated pass does not record as skipped what the first pass sent', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('fire-once') }));
  await world.run(MINUTE_MS);
  world.on.sweep = false;
  await outage(world, 20 * MINUTE_MS, ['tick', 'scan']);
  const send = world.queue.send.bind(world.queue);
  jest.spyOn(world.queue, 'send').mockImplementationOnce(async (messages) => {
    await send(messages);
    throw new SendError([messages[0]!]); // of another job, on the same page
  });
  await world.run(2 * MINUTE_MS);
  world.on.sweep = true;
  await world.run(3 * MINUTE_MS);
  expect(ledgerOf(world, job, EVERY_MINUTE)).toEqual(BALANCED);
});

test('fire-once runs the last planned occurrence of a job whose maxRuns ended in the outage', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { schedule: { type: 'cron', expression: '* * * * *', maxRuns: 12 } }));
  await world.run(MINUTE_MS);
  await outage(world, 30 * MINUTE_MS);
  const before = world.calls.length;
  await world.run(3 * MINUTE_MS);
  const caughtUp = world.calls.slice(before).map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(caughtUp).toEqual([12]);
});

test('a one-time job missed for almost the whole retention is recorded as skipped, once', async () => {
  const retentionDays = 2;
  const world = await PipelineWorld.started(1, retentionDays);
  const at = new Date(T0_MS + 10 * MINUTE_MS).toISOString();
  const job = await world.create(
    newJobAt(world, { schedule: { type: 'at', at }, misfire: misfire('fire-now') }),
  );
  await world.clock.advance(30 * 60 * MINUTE_MS);
  await world.run(6 * MINUTE_MS);
  const entries = world.tables.rows('schedule').length;
  await world.run(5 * MINUTE_MS);
  expect(world.tables.rows('schedule')).toHaveLength(entries);
  expect(world.calls).toEqual([]);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'skipped', reason: 'misfire' })]);
});

test('a manual run within a missed range does not cause endless rechecks', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('skip', '2m'), schedule: every('10s') }));
  await world.run(MINUTE_MS);
  await outage(world, 20 * MINUTE_MS);
  const entryKeys = () => world.tables.rows('schedule').map(({ entry }) => String(entry));
  const owed = entryKeys()
    .filter((key) => key.includes('#o#'))
    .sort()
    .at(-1)!;
  const firstDue = owed.slice(owed.lastIndexOf('#') + 1);
  const execId = execIdOfManualRun(parseCompactInstant(firstDue) + 25_000, 'abc');
  await world.deps.executions.putQueued(
    anExecution({
      jobKey: jobKeyOf(job),
      execId,
      trigger: 'manual',
      status: 'queued',
      fence: 0,
      attempts: [],
    }),
  );
  await world.run(3 * MINUTE_MS);
  const rechecks = () => entryKeys().filter((key) => key.endsWith(`#${firstDue}`)).length;
  const before = rechecks();
  await world.run(6 * MINUTE_MS);
  expect(rechecks()).toBe(before);
});

test.each([
  ['an ordering key', { orderingKey: 'k' }],
  ['a concurrency key', { concurrencyKey: 'db' }],
  ['a derived key', { concurrencyKey: 'db.{{ payload.tenant }}', payload: { tenant: 'a' } }],
])(
  'what waited for %s runs late, whatever the misfire policy, though its release is lost',
  async (_, keys) => {
    const world = await PipelineWorld.started(1);
    const at = (ms: number) => ({ type: 'at' as const, at: new Date(T0_MS + ms).toISOString() });
    world.behaviour = async (_call, signal, clock) => {
      if (world.calls.length <= 1) await clock.sleep(4 * MINUTE_MS, signal);
      return { outcome: 'succeeded', statusCode: 200 };
    };
    const target = { ...newJobAt(world, {}).target, timeout: '10m' };
    const long = { target, timeout: '10m', ...keys };
    await world.create(newJobAt(world, { jobId: 'slow', schedule: at(30_000), ...long }));
    const job = newJobAt(world, { jobId: 'late', schedule: at(60_000), misfire: misfire('skip'), ...keys });
    await world.create(job);
    await world.run(4 * MINUTE_MS);
    const lost = jest.spyOn(world.queue, 'send').mockResolvedValue();
    await world.run(45_000);
    expect(lost).toHaveBeenCalled();
    expect(world.executions(job)).toEqual([]);
    lost.mockRestore();
    await world.run(15 * MINUTE_MS);
    expect(world.executions(job)).toMatchObject([{ status: 'succeeded' }]);
  },
);
