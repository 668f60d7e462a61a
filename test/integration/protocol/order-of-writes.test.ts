import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import type { SkippedRange } from '../../../lambdas/core/domain/execution';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { isPut } from '../../support/fault-points';
import {
  killBetween,
  movesSweepCursor,
  putsAttemptEntry,
  putsCatchUps,
  putsEntries,
  putsEntryOf,
  putsTickets,
  rowsPut,
  sends,
  setsStatus,
} from '../../support/kill-between';
import { BALANCED, ledgerOf } from '../../support/ledger';
import { longJob } from '../../support/long-job';
import { newJobAt } from '../../support/new-job';
import { dueOnce, orderedWorld, story } from '../../support/ordered';
import { PipelineWorld } from '../../support/pipeline-world';

// Each test kills a process exactly between two writes. Had the process written them in the other order, what
// the first one promises would be missing. The auditor is not asked.

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const MINUTELY = { type: 'cron' as const, expression: '* * * * *' };
const target = { type: 'http', url: 'https://example.com/hook' };

/** The due times that were called, in minutes after T0. */
const minutesCalled = (world: PipelineWorld): number[] =>
  world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS).sort((a, b) => a - b);

const SECOND_ENTRY = putsEntryOf(T0_MS + 2 * MINUTE_MS);

test('next entry, then messages: an API that dies between them loses no occurrence', async () => {
  const world = await PipelineWorld.started(1);
  const killed = killBetween(world, 'api', [SECOND_ENTRY, sends]);
  void world.api('createJob', {}, { jobId: 'minutely', schedule: MINUTELY, target });
  await world.run(10 * MINUTE_MS + 30_000);
  expect(killed()).toBe(true);
  expect(minutesCalled(world)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('next entry, then messages: a sweeper that dies between them loses no occurrence', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, {});
  await world.deps.schedule.putEntries([firstEntry(job, scheduleOf(job), 0, T0_MS)!]);
  await world.deps.jobs.create(job); // its writer dies before it dispatches
  const killed = killBetween(world, 'sweeper', [SECOND_ENTRY, sends]);
  await world.run(10 * MINUTE_MS + 30_000);
  expect(killed()).toBe(true);
  expect(minutesCalled(world)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

/** A minutely job after half an hour without scanner and sweeper. */
async function afterOutage(policy: 'fire-all' | 'skip') {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: { policy, grace: '60s', catchUpWindow: '1h' } }));
  Object.assign(world.on, { tick: false, sweep: false });
  await world.run(30 * MINUTE_MS);
  world.on.tick = true; // the scanner comes first
  return { world, job };
}

/** The step that decides all of the outage. Another one before it decides one occurrence. */
const putsSeveralCatchUps = (call: Call) => putsCatchUps(call) && rowsPut(call, 'schedule').length > 1;
const putsRangeOfSeveral = (call: Call) =>
  rowsPut(call, 'executions').some(({ skipped }) => (skipped as SkippedRange).count > 1);

test.each([
  ['catch-ups', 'fire-all', putsSeveralCatchUps],
  ['skipped range', 'skip', putsRangeOfSeveral],
] as const)(
  '%s, then next entry: a scanner that dies between them loses no occurrence',
  async (_, policy, write) => {
    const { world, job } = await afterOutage(policy);
    const killed = killBetween(world, 'scanner', [write, putsEntries('#o#')]);
    await world.run(MINUTE_MS);
    expect(killed()).toBe(true);
    // The scan is repeated within the same minute: it finds the next entry, if that was written.
    await world.run(20_000);
    await world.scan();
    world.on.sweep = true;
    await world.run(10 * MINUTE_MS);
    expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
  },
);

test('recheck, then cursor: what a sweeper has begun when it dies is rechecked again', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  world.queue.purge();
  const killed = killBetween(world, 'sweeper', [sends, movesSweepCursor]);
  await world.run(3 * MINUTE_MS);
  expect(killed()).toBe(true);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});

test('entry, then job: an API that dies between them leaves no job that never fires', async () => {
  const world = await PipelineWorld.started(1);
  const killed = killBetween(world, 'api', [putsEntries('#o#'), (call) => isPut(call, 'jobs')]);
  const create = () =>
    world.api('createJob', {}, { schedule: at(T0_MS + 5 * MINUTE_MS), target }, { 'idempotency-key': 'k' });
  void create();
  await world.run(1_000);
  expect(killed()).toBe(true);
  expect((await create()).status).toBe(201);
  await world.run(6 * MINUTE_MS);
  expect(minutesCalled(world)).toEqual([5]);
});

test('entry, then change: an API that dies between them leaves no changed job that never fires', async () => {
  const world = await PipelineWorld.started(1);
  await world.api('createJob', {}, { jobId: 'a', schedule: at(T0_MS + 3 * MINUTE_MS), target });
  const killed = killBetween(world, 'api', [putsEntries('#o#'), (call) => isPut(call, 'jobs')]);
  const change = () => world.api('patchJob', { jobId: 'a' }, { schedule: at(T0_MS + 5 * MINUTE_MS) });
  void change();
  await world.run(1_000);
  expect(killed()).toBe(true);
  expect((await change()).status).toBe(200);
  await world.run(6 * MINUTE_MS);
  expect(minutesCalled(world)).toEqual([5]);
});

test('ticket, then message: an API that dies between them keeps the order of the key', async () => {
  const { world, spans } = await orderedWorld();
  const killed = killBetween(world, 'api', [putsTickets, sends], () => world.queue.purge());
  const { userId: _, ...first } = dueOnce(world, 'a', 30);
  const { jobId, schedule, orderingKey, misfire } = first;
  void world.api('createJob', {}, { jobId, schedule, orderingKey, misfire, target });
  await world.run(1_000);
  expect(killed()).toBe(true);
  await world.create(dueOnce(world, 'b', 40));
  await world.run(3 * MINUTE_MS);
  expect(story(spans)).toEqual(['a@30', 'b@40']);
});

test('entry, then row of a reported retry: the target that reports again gets its retry', async () => {
  const { world, fail } = await longJob({ heartbeatTimeout: '2h' });
  await world.run(MINUTE_MS);
  const killed = killBetween(world, 'api', [putsAttemptEntry, setsStatus('retrying')]);
  void fail();
  await world.run(1_000);
  expect(killed()).toBe(true);
  await fail();
  await world.run(MINUTE_MS);
  expect(world.calls.map(({ attempt }) => attempt)).toEqual([1, 2]);
});

test('entry, then row of a takeover: the next sweep takes over', async () => {
  const world = await PipelineWorld.started(1);
  world.onExecutorCall = ({ command }, kill) => {
    if (command !== 'BatchGetCommand') return;
    world.onExecutorCall = undefined;
    kill();
  };
  let killedAtMs = 0;
  const killed = killBetween(world, 'sweeper', [putsAttemptEntry, setsStatus('retrying')], () => {
    killedAtMs = world.clock.nowMs();
  });
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  await world.run(5 * MINUTE_MS);
  expect(killed()).toBe(true);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', takeovers: 1 })]);
  expect(world.calls[0]!.atMs - killedAtMs).toBeLessThanOrEqual(15_000);
});

test('entry, then row of a user retry: nothing waits for ever', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400, error: '400' });
  const { jobId, userId } = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  await world.run(MINUTE_MS);
  const { execId } = world.executions({ userId, jobId })[0]!;
  const killed = killBetween(world, 'api', [putsAttemptEntry, setsStatus('retrying')]);
  void world.api('retryExecution', { jobId, execId });
  await world.run(10 * MINUTE_MS);
  expect(killed()).toBe(true);
  expect(world.executions({ userId, jobId })).toEqual([expect.objectContaining({ status: 'failed' })]);
});

test('entry, then row of a manual run: nothing waits for ever', async () => {
  const world = await PipelineWorld.started(1);
  const { jobId, userId } = await world.create(newJobAt(world, { schedule: at(T0_MS + 60 * MINUTE_MS) }));
  const killed = killBetween(world, 'api', [
    putsAttemptEntry,
    (call) => rowsPut(call, 'executions').some(({ status }) => status === 'queued'),
  ]);
  void world.api('runJob', { jobId });
  await world.run(10 * MINUTE_MS);
  expect(killed()).toBe(true);
  expect(world.executions({ userId, jobId })).toEqual([]);
});

/** A waits for a retry and holds the key. B has waited for the key for so long that its rechecks are rare. */
async function waitingBehind(retryAfterMs: number) {
  const ordered = await orderedWorld(({ jobId, attempt }) => ({
    ms: 1_000,
    answer:
      jobId === 'a' && attempt === 1 ? { outcome: 'retriable', error: 'busy', retryAfterMs } : undefined,
  }));
  const { world } = ordered;
  const retry = { maxAttempts: 3, initialDelay: '10s', maxDelay: '2h', multiplier: 2, maxAge: '24h' };
  const a = await world.create(dueOnce(world, 'a', 30, { retry }));
  await world.create(dueOnce(world, 'b', 40));
  await world.run(25 * MINUTE_MS);
  expect(world.executions(a)).toEqual([expect.objectContaining({ status: 'retrying' })]);
  return { ...ordered, execId: world.executions(a)[0]!.execId };
}

test('entry, then end of a gated execution: the next one of its key starts within a minute', async () => {
  const { world, spans, execId } = await waitingBehind(60 * MINUTE_MS);
  const killed = killBetween(world, 'api', [putsAttemptEntry, setsStatus('cancelled')]);
  const cancel = () => world.api('cancelExecution', { jobId: 'a', execId });
  void cancel();
  await world.run(1_000);
  expect(killed()).toBe(true);
  expect((await cancel()).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(story(spans)).toEqual(['a@30', 'b@40']);
});

test('end, then follow-ups: an executor that dies between them delays the next one of the key by a minute', async () => {
  const { world, spans } = await waitingBehind(26 * MINUTE_MS);
  let hasEnded = false;
  let died = false;
  world.onExecutorCall = (call, kill) => {
    if (hasEnded) {
      died = true;
      world.onExecutorCall = undefined;
      kill();
    }
    hasEnded = setsStatus('succeeded')(call);
  };
  await world.run(3 * MINUTE_MS);
  expect(died).toBe(true);
  expect(story(spans)).toEqual(['a@30', 'a@30', 'b@40']);
  expect(spans[2]!.beginMs - spans[1]!.endMs).toBeLessThanOrEqual(MINUTE_MS);
});
