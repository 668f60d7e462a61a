import {
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '../../../lambdas/core/store/dynamo/commands';

import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import { T0_MS } from '../../support/factories';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { isPut } from '../../support/fault-points';
import { killBetween, putsAttemptEntry, rowsPut, setsStatus } from '../../support/kill-between';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

// The API writes an entry, and then the row that it is for. The write of the row is on its way for so long
// that the entry has been rechecked.

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
/** After the first recheck of the entry, and before the second. */
const LATE_MS = 32_000;

/** An execution that failed an hour ago. Its user retries it, and the row of the retry comes late. */
async function retriedLate(lateMs: number, headers: Record<string, string> = {}) {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400, error: '400' });
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  await world.run(60 * MINUTE_MS);
  world.behaviour = () => ({ outcome: 'succeeded', statusCode: 200 });
  const [failed] = world.executions(job);
  const isRow = setsStatus('retrying');
  let row: UpdateCommandInput | undefined;
  const killed = killBetween(world, 'api', [
    putsAttemptEntry,
    (call) => {
      if (isRow(call)) row = call.input as never;
      return isRow(call);
    },
  ]);
  const retry = () =>
    world.api('retryExecution', { jobId: job.jobId, execId: failed!.execId }, undefined, headers);
  void retry();
  await world.run(lateMs);
  expect(killed()).toBe(true);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'failed' })]);
  await world.dynamo.send(new UpdateCommand(row!));
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'retrying' })]);
  return { world, job, retry };
}

test('a user retry whose row comes after the first recheck of its entry runs', async () => {
  const { world, job } = await retriedLate(LATE_MS);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});

test.each([
  ['without an Idempotency-Key', {}],
  ['with an Idempotency-Key', { 'idempotency-key': 'k' }],
])('a user retry whose row comes after all rechecks runs once it is repeated, %s', async (_, headers) => {
  const { world, job, retry } = await retriedLate(5 * MINUTE_MS, headers);
  await world.run(5 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  expect((await retry()).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});

test('a manual run whose row comes after all rechecks runs once its request is repeated', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 600 * MINUTE_MS) }));
  let row: PutCommandInput | undefined;
  const killed = killBetween(world, 'api', [
    putsAttemptEntry,
    (call) => {
      if (!isPut(call, 'executions')) return false;
      row = call.input as never;
      return true;
    },
  ]);
  const run = () => world.api('runJob', { jobId: job.jobId }, undefined, { 'idempotency-key': 'k' });
  void run();
  await world.run(5 * MINUTE_MS);
  expect(killed()).toBe(true);
  await world.dynamo.send(new PutCommand(row!));
  expect((await run()).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});

test.each([
  ['starts at once', {}],
  ['waits for later events', { debounce: '5s' }],
])(
  'a run that %s, and whose row comes after all rechecks, starts once its event is repeated',
  async (_, how) => {
    const world = await PipelineWorld.started(1);
    const schedule = { type: 'event' as const, name: 'order.paid', ...how };
    const job = await world.create(newJobAt(world, { schedule }));
    let row: PutCommandInput | undefined;
    const killed = killBetween(world, 'api', [
      putsAttemptEntry,
      (call) => {
        const [put] = rowsPut(call, 'executions');
        if (put?.status !== 'queued') return false;
        row = call.input as never;
        return true;
      },
    ]);
    const send = () => world.api('sendEvent', {}, { name: 'order.paid', id: 'evt-1' });
    void send();
    await world.run(5 * MINUTE_MS);
    expect(killed()).toBe(true);
    await world.dynamo.send(new PutCommand(row!));
    await world.run(5 * MINUTE_MS);
    expect(world.calls).toEqual([]);
    expect((await send()).status).toBe(202);
    await world.run(MINUTE_MS);
    expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  },
);

// The first request of the event is slow, and its row comes right before that of the second one.
test('a run whose event two requests send keeps the ordering key of its row, or none', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'event' as const, name: 'order.paid' };
  const job = await world.create(newJobAt(world, { schedule }));
  let row: PutCommandInput | undefined;
  const isRow = (call: Call) => rowsPut(call, 'executions').some(({ status }) => status === 'queued');
  const killed = killBetween(world, 'api', [
    putsAttemptEntry,
    (call) => {
      if (isRow(call)) row = call.input as never;
      return isRow(call);
    },
  ]);
  const send = () => world.api('sendEvent', {}, { name: 'order.paid', id: 'evt-1' });
  void send();
  await world.run(1_000);
  expect(killed()).toBe(true);
  expect((await world.api('patchJob', { jobId: job.jobId }, { orderingKey: 'k' })).status).toBe(200);
  let arrived: Promise<unknown> | undefined;
  world.onCall = (_, call) => {
    if (!arrived && isRow(call)) arrived = world.dynamo.send(new PutCommand(row!));
  };
  expect((await send()).status).toBe(202);
  await arrived;
  await world.run(MINUTE_MS);
  const [execution] = world.executions(job);
  expect(execution).toMatchObject({ status: 'succeeded' });
  expect(execution).not.toHaveProperty('orderingKey');
});

test('a job whose row comes after the first recheck of its entry runs', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { schedule: at(T0_MS + 1_000) });
  await world.deps.schedule.putEntries([firstEntry(job, scheduleOf(job), 0, T0_MS)!]);
  await world.run(LATE_MS);
  await world.deps.jobs.create(job);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});

test('an entry that is acknowledged nine seconds after its time does not lie behind the sweep', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { jobId: 'slow', schedule: at(T0_MS + 3_000) });
  const entry = firstEntry(job, scheduleOf(job), 0, T0_MS)!;
  // The sweep goes past a later entry as soon as it has settled it.
  const neighbour = await world.create(newJobAt(world, { schedule: at(T0_MS + 5_000) }));
  await world.run(12_000);
  expect(world.executions(neighbour)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  await world.deps.schedule.putEntries([entry]);
  await world.deps.jobs.create(job);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});
