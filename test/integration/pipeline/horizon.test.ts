import { HORIZON } from '../../../lambdas/core/contracts/horizon';
import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { BALANCED, ledgerOf } from '../../support/ledger';
import { newJobAt } from '../../support/new-job';
import { outage } from '../../support/outage';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const startedWith = (horizonSec: number) => PipelineWorld.started(2, undefined, { horizonSec });
const latenessOf = (world: PipelineWorld): number[] => world.calls.map(({ atMs, dueAtMs }) => atMs - dueAtMs);

/** No call is early, and none is a second late. */
function expectInTime(world: PipelineWorld): void {
  expect(Math.min(...latenessOf(world))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...latenessOf(world))).toBeLessThan(1_000);
  expect(world.errors()).toEqual([]);
}

describe.each([HORIZON.minSec, HORIZON.maxSec])('a horizon of %i s', (horizonSec) => {
  const horizonMs = horizonSec * 1_000;

  test('keeps jobs on time, at whatever second of its minute the tick comes', async () => {
    const world = await startedWith(horizonSec);
    world.on.tick = false;
    const job = await world.create(newJobAt(world, {}));
    for (const minutes of [1, 4, 8, 13, 15, 18])
      await world.create(
        newJobAt(world, { jobId: `in-${minutes}`, schedule: at(T0_MS + minutes * MINUTE_MS + 30_000) }),
      );
    for (let minute = 1; minute <= 10; minute++) {
      await world.tick();
      await world.run(2 * MINUTE_MS - 1_000); // from the start of one minute to the end of the next
      await world.tick();
      await world.run(1_000);
    }
    expect(world.calls).toHaveLength(26);
    expectInTime(world);
    expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
  });

  test('a retry that is due near the horizon starts on time', async () => {
    const world = await startedWith(horizonSec);
    const waitsMs = horizonMs + 2 * MINUTE_MS;
    world.behaviour = ({ attempt }) =>
      attempt === 1
        ? { outcome: 'retriable', error: 'busy', retryAfterMs: waitsMs }
        : { outcome: 'succeeded' };
    await world.create(newJobAt(world, { schedule: at(T0_MS + MINUTE_MS) }));
    await world.run(waitsMs + 5 * MINUTE_MS);
    expect(world.calls.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const waitedMs = world.calls[1]!.atMs - world.calls[0]!.atMs;
    expect(waitedMs).toBeGreaterThanOrEqual(waitsMs);
    expect(waitedMs).toBeLessThan(waitsMs + 1_000);
  });

  test('the API dispatches a new job that is due up to two minutes beyond it; later ones wait for the scanner', async () => {
    const world = await startedWith(horizonSec);
    const bound = horizonMs + 2 * MINUTE_MS;
    const sent = (job: Job) => world.queue.messages.filter(({ jobKey }) => jobKey === jobKeyOf(job)).length;
    const within = newJobAt(world, { jobId: 'within', schedule: at(T0_MS + bound - 1) });
    const beyond = newJobAt(world, { jobId: 'beyond', schedule: at(T0_MS + bound) });
    await world.create(within);
    await world.create(beyond);
    expect([sent(within), sent(beyond)]).toEqual([1, 0]);
    await world.run(2 * MINUTE_MS - 1_000);
    expect(sent(beyond)).toBe(0);
    await world.run(2_000); // the tick that comes in between finds it within the horizon
    expect(sent(beyond)).toBe(1);
    await world.run(bound);
    expect(world.calls).toHaveLength(2);
    expectInTime(world);
  });

  test('the longest delay of a message is within the limit of SQS', async () => {
    const world = await startedWith(horizonSec);
    await world.run(100); // so that the last bucket within the bound is as far away as it gets
    const dueAtMs = T0_MS + horizonMs + 3 * MINUTE_MS - 1;
    await world.create(newJobAt(world, { schedule: at(dueAtMs) }));
    const visibleInMs = world.queue.nextVisibleAtMs()! - world.clock.monotonicMs();
    expect(dueAtMs - world.clock.nowMs() - visibleInMs).toBeLessThan(1_200);
  });

  test('a stop takes effect within it: nothing is called, and no message is left in the queues', async () => {
    const world = await startedWith(horizonSec);
    const job = await world.create(
      newJobAt(world, { misfire: { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' } }),
    );
    await world.run(2 * MINUTE_MS + 30_000);
    expect(world.queue.messages.length).toBeGreaterThan(0);
    await world.api('stopDeployment');
    const before = world.calls.length;
    await world.run(horizonMs + 3 * MINUTE_MS);
    expect(world.calls).toHaveLength(before);
    expect(world.queue.messages).toEqual([]);
    await world.run(MINUTE_MS);
    await world.api('startDeployment');
    await world.run(5 * MINUTE_MS);
    expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
    expect(world.executions(job).every(({ status }) => status === 'succeeded')).toBe(true);
  });
});

test('a longer horizon covers a longer outage of the scheduler', async () => {
  const world = await startedWith(HORIZON.maxSec);
  await world.create(newJobAt(world, {}));
  await world.run(20 * MINUTE_MS); // by now the scanner sends, no longer the API
  await outage(world, 11 * MINUTE_MS);
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(32);
  expectInTime(world);
});
