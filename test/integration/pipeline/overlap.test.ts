import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Overlap } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { isOverlapLockRelease } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

/** Runs a one-minute job for `minutes`. Its first run takes `firstMs`, later ones take `laterMs`. */
async function overlapping(overlap: Overlap, firstMs: number, laterMs = 1_000, minutes = 8) {
  const world = await PipelineWorld.started(1);
  const spans: { execId: string; beginMs: number; endMs: number }[] = [];
  world.behaviour = async ({ execId }, signal, clock) => {
    const span = { execId, beginMs: clock.nowMs(), endMs: Number.POSITIVE_INFINITY };
    spans.push(span);
    await clock.sleep(spans.length === 1 ? firstMs : laterMs, signal);
    span.endMs = clock.nowMs();
    return signal.aborted
      ? { outcome: 'retriable', error: 'call aborted' }
      : { outcome: 'succeeded', statusCode: 200 };
  };
  const target = { ...newJobAt(world, {}).target, timeout: '10m' };
  const job = await world.create(newJobAt(world, { overlap, target, timeout: '10m' }));
  await world.run(minutes * MINUTE_MS);
  const overlaps = spans.filter((span, index) =>
    spans.some((other, at) => at < index && other.endMs > span.beginMs),
  );
  const status = new Map(world.executions(job).map((row) => [(row.dueAtMs - T0_MS) / MINUTE_MS, row]));
  return { world, job, spans, overlaps, status };
}

test('allow: executions of a job run side by side, without an overlap lock', async () => {
  const { spans, overlaps, world } = await overlapping('allow', 150_000);
  expect(overlaps.length).toBeGreaterThanOrEqual(2);
  expect(spans.length).toBeGreaterThanOrEqual(7);
  expect(world.tables.rows('jobs')).toHaveLength(1);
});

test('skip: occurrences that fall due meanwhile are skipped, as one record', async () => {
  const { overlaps, job, world } = await overlapping('skip', 150_000, 1_000, 4.5);
  expect(overlaps).toEqual([]);
  const { body } = await world.api('listExecutions', { jobId: job.jobId });
  const ended = (body as { items: { status: string }[] }).items.filter(
    ({ status }) => status !== 'scheduled',
  );
  expect(ended).toEqual([
    expect.objectContaining({ status: 'succeeded' }),
    expect.objectContaining({
      status: 'skipped',
      reason: 'overlap',
      skipped: { from: '2026-12-01T08:32:00.000Z', to: '2026-12-01T08:33:00.000Z', count: 2 },
    }),
    expect.objectContaining({ status: 'succeeded' }),
  ]);
  expect(world.errors()).toEqual([]);
});

test('queue: the oldest waits for the overlap lock and then runs; later ones are skipped', async () => {
  const { overlaps, spans, status, world } = await overlapping('queue', 210_000);
  expect(overlaps).toEqual([]);
  expect(status.get(2)).toMatchObject({ status: 'succeeded' });
  expect(status.get(3)).toMatchObject({ status: 'skipped', reason: 'overlap' });
  expect(spans[1]!.beginMs - spans[0]!.endMs).toBeLessThan(1_000);
  expect(world.errors()).toEqual([]);
});

test('replace: the running execution is cancelled at its next heartbeat, and the newest runs', async () => {
  const { overlaps, status, spans, world } = await overlapping('replace', 400_000);
  expect(overlaps).toEqual([]);
  expect(status.get(1)).toMatchObject({ status: 'cancelled', reason: 'overlap' });
  expect(status.get(2)).toMatchObject({ status: 'succeeded' });
  expect(spans[1]!.beginMs - spans[0]!.endMs).toBeLessThan(1_000);
  expect(spans[0]!.endMs - (T0_MS + 2 * MINUTE_MS)).toBeLessThan(10_000);
  expect(world.errors()).toEqual([]);
});

test.each(['skip', 'queue', 'replace'] as const)(
  '%s: an executor that dies before it releases the overlap lock does not block the job',
  async (overlap) => {
    const world = await PipelineWorld.started(1);
    let died = 0;
    world.dynamo.faults = {
      before(call) {
        if (!isOverlapLockRelease(call)) return;
        died += 1;
        throw new Error('died');
      },
    };
    const job = await world.create(newJobAt(world, { overlap }));
    await world.run(6 * MINUTE_MS);
    const rows = world.executions(job);
    expect(rows.length).toBeGreaterThanOrEqual(5);
    expect(rows.every(({ status }) => status === 'succeeded')).toBe(true);
    expect(died).toBeGreaterThanOrEqual(5);
  },
);

test('an execution that begins leaves the place beside the lock to the next one', async () => {
  const { world, job, overlaps, status } = await overlapping('queue', 100_000, 100_000, 4.5);
  // The third one runs since 260 s; until then it waited, and the fourth was skipped for it.
  const lock = await world.deps.overlapLocks.get(jobKeyOf(job));
  expect(lock.holder).toBe(status.get(3)?.execId);
  expect(lock.waiter).toBeUndefined();
  await world.run(5 * MINUTE_MS);
  const rows = world.executions(job).map((row) => [(row.dueAtMs - T0_MS) / MINUTE_MS, row.status]);
  expect(rows.slice(0, 5)).toEqual([
    [1, 'succeeded'],
    [2, 'succeeded'],
    [3, 'succeeded'],
    [4, 'skipped'],
    [5, 'succeeded'],
  ]);
  expect(overlaps).toEqual([]);
  expect(world.errors()).toEqual([]);
});
