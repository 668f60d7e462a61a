import { execIdOfOccurrence, jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { recordSkippedRange } from '../../../lambdas/core/ending/skip-ranges';
import { T0_MS } from '../../support/factories';
import { isClaim, isOrderingKeyAcquisition, isOverlapLockAcquisition } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { dueOnce, orderedWorld, overlapping, type Span } from '../../support/ordered';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

// The executor freezes before its claim. The schedule changes, and a recheck settles the entry. The claim
// then makes a row whose lease is over at once. No process dies.
test.each([
  ['* * * * *', 'active'],
  ['*/20 * * * *', 'active'],
  ['0 3 * * *', 'active'],
  ['*/2 * * * *', 'paused'],
  ['*/2 * * * *', 'deleted'],
] as const)(
  'a claim that thaws after a change to %s does not run for ever; the job is %s',
  async (expression, job) => {
    const world = await PipelineWorld.started(1);
    const { jobId, userId } = await world.create(
      newJobAt(world, { schedule: { type: 'interval', every: '97s' } }),
    );
    let frozen = false;
    world.dynamo.faults = {
      async before(call) {
        if (frozen || !isClaim(call)) return;
        frozen = true;
        await world.clock.sleep(40_000);
      },
    };
    await world.run(90_000);
    const change = { schedule: { type: 'cron', expression } };
    expect((await world.api('patchJob', { jobId }, change)).status).toBe(200);
    await world.run(3 * MINUTE_MS);
    expect(frozen).toBe(true);
    if (job === 'paused') expect((await world.api('pauseJob', { jobId })).status).toBe(200);
    if (job === 'deleted') expect((await world.api('deleteJob', { jobId })).status).toBe(204);
    for (let pass = 0; pass < 24; pass++) {
      await world.run(10 * MINUTE_MS);
      await world.audit();
    }
    expect(world.executions({ userId, jobId })[0]?.status).not.toBe('running');
  },
);

// Two occurrences fall due during a pause, and one record covers both. The first one has it as its own row.
// The second one is claimed after its entry was settled, by an executor that dies.
test.each(['resumeJob', 'deleteJob'] as const)(
  'a claim that thaws after %s finds a record of its occurrence, which was skipped with others',
  async (operation) => {
    const world = await PipelineWorld.started(1);
    const job = await world.create(newJobAt(world, { schedule: { type: 'interval', every: '10s' } }));
    const { jobId } = job;
    await world.run(81_000);
    world.on.executor = false;
    expect((await world.api('pauseJob', { jobId })).status).toBe(200);
    await world.run(20_000);
    expect((await world.api(operation, { jobId })).status).toBeLessThan(300);
    await world.run(2 * MINUTE_MS);
    const dueAtMs = T0_MS + 100_000;
    const claim = await world.deps.executions.claim({
      jobKey: jobKeyOf(job),
      execId: execIdOfOccurrence(dueAtMs),
      trigger: 'schedule',
      dueAtMs,
      attempt: 1,
      claimId: 'claim',
      nowMs: dueAtMs,
      revision: job.revision,
    });
    const row = { status: 'skipped', reason: 'paused', insideRange: true };
    expect(claim).toMatchObject({ outcome: 'refused', current: row });
  },
);

/**
 * Freezes the claim of the first message that an executor receives, until the instant. It kills each executor
 * at all other calls.
 */
function freezeClaimUntil(world: PipelineWorld, untilMs: number): () => boolean {
  let claims = 0;
  world.dynamo.faults = {
    async before(call) {
      if (!isClaim(call)) return;
      claims += 1;
      await world.clock.sleep(untilMs - world.clock.nowMs());
    },
  };
  world.onExecutorCall = (_, kill) => {
    if (claims > 0) kill();
  };
  return () => claims > 0;
}

function thaw(world: PipelineWorld): void {
  world.onExecutorCall = undefined;
  world.dynamo.faults = {};
}

// Both schedules plan minute 2. The series of the new one has not reached it when the entry of the old one is
// rechecked.
test('a claim of what the changed schedule still plans is taken over, if its executor dies', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: { type: 'cron', expression: '*/2 * * * *' } }));
  const { jobId } = job;
  await world.run(110_000);
  const dueAtMs = T0_MS + 2 * MINUTE_MS;
  const isFrozen = freezeClaimUntil(world, dueAtMs + 35_000);
  const change = { schedule: { type: 'cron', expression: '* * * * *' } };
  expect((await world.api('patchJob', { jobId }, change)).status).toBe(200);
  const { entries } = await world.deps.schedule.readBucket({ minute: minuteOf(dueAtMs), shard: 0, limit: 9 });
  const ofNewSeries = entries.find((entry) => 'revision' in entry && entry.revision !== job.revision);
  await world.deps.schedule.removeEntry(ofNewSeries!);
  await world.run(50_000);
  expect(isFrozen()).toBe(true);
  const claimed = () => world.executions(job).find((row) => row.dueAtMs === dueAtMs);
  expect(claimed()).toMatchObject({ status: 'running', fence: 1 });
  thaw(world);
  await world.run(5 * MINUTE_MS);
  expect(claimed()).toMatchObject({ status: 'succeeded', fence: 2 });
});

// The misfire policy skips the first two occurrences in one record. The claim of the second one does not see
// it, and comes after the recheck of its entry.
test('a claim inside a range that was skipped meanwhile does not run for ever', async () => {
  const world = await PipelineWorld.started(1);
  world.on.executor = false;
  const job = await world.create(newJobAt(world, { schedule: { type: 'interval', every: '70s' } }));
  const range = { fromMs: T0_MS + 70_000, toMs: T0_MS + 140_000 };
  await world.run(130_000);
  world.queue.receive('default', job.priority);
  world.on.executor = true;
  const isFrozen = freezeClaimUntil(world, range.toMs + 4 * MINUTE_MS);
  await world.run(20_000);
  expect(isFrozen()).toBe(true);
  await recordSkippedRange(job, range, { reason: 'misfire' }, world.deps);
  await world.run(4 * MINUTE_MS);
  const claimed = () => world.executions(job).find((row) => row.dueAtMs === range.toMs);
  expect(claimed()).toMatchObject({ status: 'running', fence: 1 });
  thaw(world);
  await world.run(17 * MINUTE_MS);
  expect(claimed()).toMatchObject({ status: 'skipped', reason: 'misfire', insideRange: true });
});

// A message of a user retry comes again after TTL has removed the row of its execution, and of its job.
test('a user retry whose row has expired leaves no record as if it had never run', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400, error: '400' });
  const job = await world.create(dueOnce(world, 'once', 30));
  await world.run(MINUTE_MS);
  const [{ execId }] = world.executions(job) as [Execution];
  world.on.executor = false;
  expect((await world.api('retryExecution', { jobId: 'once', execId })).status).toBe(202);
  const message = world.queue.messages.find(({ userRetries }) => userRetries === 1)!;
  world.on.executor = true;
  await world.run(MINUTE_MS);
  expect((await world.api('deleteJob', { jobId: 'once' })).status).toBe(204);
  world.tables.expire('executions', 'expiresAtSec', Number.POSITIVE_INFINITY);
  await world.queue.send([{ message, delaySec: 0 }]);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([]);
});

/** A world whose queue seems long, so that no recheck sends a message again, and whose target takes 4 min. */
async function slowWorld() {
  const world = await PipelineWorld.started(1);
  const spans: Pick<Span, 'execId' | 'beginMs' | 'endMs'>[] = [];
  world.behaviour = async ({ execId }, signal, clock) => {
    const span = { execId, beginMs: clock.nowMs(), endMs: Number.POSITIVE_INFINITY };
    spans.push(span);
    await clock.sleep(4 * MINUTE_MS, signal);
    span.endMs = clock.nowMs();
    return signal.aborted
      ? { outcome: 'retriable', error: 'aborted' }
      : { outcome: 'succeeded', statusCode: 200 };
  };
  const backlog = world.queue.backlog.bind(world.queue);
  world.queue.backlog = async (pool, lane) => ({ ...(await backlog(pool, lane)), visible: 5_000 });
  return { world, spans };
}

test.each(['skip', 'queue', 'replace'] as const)(
  'overlap %s: an executor frozen between the overlap lock and its claim does not run beside another',
  async (overlap) => {
    const { world, spans } = await slowWorld();
    let frozen = false;
    world.dynamo.faults = {
      async after(call) {
        if (frozen || !isOverlapLockAcquisition(call)) return;
        frozen = true;
        await world.clock.sleep(200_000);
      },
    };
    const target = { ...newJobAt(world, {}).target, timeout: '10m' };
    const schedule = { type: 'cron' as const, expression: '*/3 * * * *' };
    await world.create(newJobAt(world, { overlap, target, timeout: '10m', schedule }));
    await world.run(12 * MINUTE_MS);
    expect(frozen).toBe(true);
    expect(spans.length).toBeGreaterThan(0);
    const beside = spans.filter((span, index) =>
      spans.some((other, at) => at < index && other.endMs > span.beginMs),
    );
    expect(beside).toEqual([]);
  },
);

test('a holder whose executor died before its claim gets its message again from the next occurrence', async () => {
  const { world, spans } = await slowWorld();
  let died = false;
  world.onExecutorCall = (call, kill) => {
    if (!isClaim(call)) return;
    died = true;
    world.onExecutorCall = undefined;
    kill();
  };
  const schedule = { type: 'cron' as const, expression: '*/3 * * * *' };
  await world.create(newJobAt(world, { overlap: 'queue', schedule }));
  await world.run(7 * MINUTE_MS);
  expect(died).toBe(true);
  const [first] = spans;
  expect(first?.execId).toBe(execIdOfOccurrence(T0_MS + 3 * MINUTE_MS));
  expect(first!.beginMs).toBeLessThan(T0_MS + 6 * MINUTE_MS + 5_000);
});

// The message of A is received twice. One executor runs A, which fails. The other one is frozen between the
// key and its claim. B runs. The user retries A, whose attempts begin at 1 again and which waits for the key.
test('a frozen claim of a failed attempt does not start the user retry ahead of the key holder', async () => {
  let failing = true;
  const { world, spans } = await orderedWorld(({ jobId }) => {
    if (jobId === 'b') return { ms: 100_000 };
    return failing ? { ms: 500, answer: { outcome: 'fatal', statusCode: 400 } } : { ms: 20_000 };
  });
  const a = await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 40));
  const message = world.queue.messages.find(({ jobKey }) => jobKey.endsWith('/a'))!;
  await world.queue.send([{ message, delaySec: 30, lane: 'highest' }]);
  let acquired = 0;
  world.dynamo.faults = {
    async after(call) {
      if (!isOrderingKeyAcquisition(call)) return;
      const { ':jobKey': jobKey } = call.input.ExpressionAttributeValues as Record<string, unknown>;
      if (jobKey === message.jobKey && ++acquired === 2) await world.clock.sleep(50_000);
    },
  };
  await world.run(MINUTE_MS);
  expect(acquired).toBe(2);
  failing = false;
  const [row] = world.executions(a);
  expect((await world.api('retryExecution', { jobId: 'a', execId: row!.execId })).status).toBe(202);
  await world.run(5 * MINUTE_MS);
  expect(world.executions(a)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(overlapping(spans)).toEqual([]);
});
