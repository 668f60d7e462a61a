import { minuteOf } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { throttled } from '../../support/dynamo/errors';
import type { Call, Faults } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { BALANCED, ledgerOf } from '../../support/ledger';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const JOBS = 10;
const WRITES_PER_SEC = 133;

/** How many rows a request writes to Schedule. */
function rowsOf({ command, input }: Call): number {
  if (command === 'BatchWriteCommand') return Object.values(input.RequestItems as object).flat().length;
  return command === 'PutCommand' && input.TableName === 'schedule' ? 1 : 0;
}

/** A table of so many writes a second: a request waits up to 3 s for them, and is throttled then. */
function writeLimit({ clock, random }: PipelineWorld): Faults {
  let freeAtMs = 0;
  return {
    async before(call) {
      const rows = rowsOf(call);
      if (rows === 0) return;
      const nowMs = clock.monotonicMs();
      freeAtMs = Math.max(freeAtMs, nowMs - 1_000);
      if (freeAtMs - nowMs > 3_000) {
        await clock.sleep(100);
        throw throttled();
      }
      freeAtMs += (rows / WRITES_PER_SEC) * 1_000;
      await clock.sleep(Math.max(0, freeAtMs - nowMs));
    },
    backOff: ({ attempt }) => clock.sleep(Math.min(20_000, 50 * 2 ** attempt) * random.fraction()),
  };
}

// A thirtieth of 300 minutely jobs of one shard, on a table that takes 4,000 writes a second.
test('three hours of catch-up are done within minutes where one page is ten seconds of writes', async () => {
  const world = await PipelineWorld.started(1, 30, { maxAttempts: 5 });
  const jobs: Job[] = [];
  for (let index = 0; index < JOBS; index++) {
    const misfire = { policy: 'fire-all', grace: '60s', catchUpWindow: '6h' } as const;
    jobs.push(await world.create(newJobAt(world, { jobId: `job-${index}`, revision: `r${index}`, misfire })));
  }
  await world.run(2 * MINUTE_MS);
  Object.assign(world.on, { tick: false, sweep: false });
  await world.run(3 * HOUR_MS);
  const before = world.calls.length;
  world.dynamo.faults = writeLimit(world);
  Object.assign(world.on, { tick: true, sweep: true });
  await world.run(12 * MINUTE_MS);
  const cursor = (await world.deps.schedule.readCursors('scan', [0])).get(0)!;
  expect(cursor.minute).toBeGreaterThanOrEqual(minuteOf(world.clock.nowMs()));
  expect(world.calls.length - before).toBeGreaterThan(JOBS * 180);
  for (const job of jobs) {
    expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
  }
});
