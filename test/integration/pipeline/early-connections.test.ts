import { Metric } from '../../../lambdas/core/contracts/metrics';
import { executeBatch } from '../../../lambdas/executor/execute-batch';
import { aMessage, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const DUE_MS = T0_MS + 10 * SECOND_MS;
const ORIGIN = 'https://example.com';
const LIMITS = { remainingMs: () => 60 * SECOND_MS };

/** What an executor does that receives the message of one job so long before its time. */
async function received(
  earlyMs: number,
  change: (world: PipelineWorld) => Promise<unknown> = async () => null,
) {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { schedule: { type: 'at', at: new Date(DUE_MS).toISOString() } });
  await world.deps.jobs.create(job);
  Object.assign(world.on, { tick: false, sweep: false, executor: false });
  await change(world);
  await world.run(DUE_MS - earlyMs - world.clock.nowMs());
  const log: [string, number][] = [];
  const note = (what: string) => void log.push([what, world.clock.nowMs() - DUE_MS]);
  world.behaviour = (_, __, clock) => {
    note('call');
    return { outcome: 'succeeded', statusCode: 200, sentAtMs: clock.nowMs() + 3 };
  };
  const connectEarly = (userId: string, origin: string) => {
    note(`connect ${userId} ${origin}`);
    return () => note('close');
  };
  const message = aMessage({ dueAtMs: DUE_MS, revision: job.revision, origin: ORIGIN });
  const executing = executeBatch([{ id: 'm', message }], { ...world.deps, connectEarly }, LIMITS);
  await world.run(Math.max(earlyMs, 0) + 30 * SECOND_MS);
  await executing;
  return { world, log };
}

test.each([
  ['at once', 300, -300],
  ['half a second before the start', 1_500, -500],
])('an executor connects %s if it has %i ms', async (_when, earlyMs, atMs) => {
  const { log } = await received(earlyMs);
  expect(log).toEqual([
    [`connect alice ${ORIGIN}`, atMs],
    ['call', 0],
    ['close', 0],
  ]);
});

test('one that comes at its time, or late, connects with its call alone', async () => {
  for (const earlyMs of [0, -100]) {
    const { log } = await received(earlyMs);
    expect(log.map(([what]) => what)).toEqual(['call']);
  }
});

test('what is not called is closed: its job was deleted meanwhile', async () => {
  const { log } = await received(300, async ({ deps }) =>
    deps.jobs.remove({ userId: 'alice', jobId: 'nightly-report' }),
  );
  expect(log.map(([what]) => what)).toEqual([`connect alice ${ORIGIN}`, 'close']);
});

test('the metric says when the first request left, of planned executions', async () => {
  const { world } = await received(300);
  expect(world.meter.values(Metric.requestLatenessMs)).toEqual([3]);
});
