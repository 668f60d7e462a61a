import { recordSkippedRange } from '../../../lambdas/core/ending/skip-ranges';
import { T0_MS } from '../../support/factories';
import { isClaim } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { recover } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** So long before its occurrence is too old to be claimed, a message is received. */
const BEFORE_LIMIT_MS = 5 * MINUTE_MS + 40_000;

/**
 * The message of the last occurrence of the first entry is received. Its executor looks for a skipped range,
 * freezes before its claim, claims `forMs` later, and dies.
 */
async function claimedAtLimit(forMs: number) {
  const world = await PipelineWorld.started(1, 2);
  const job = await world.create(
    newJobAt(world, {
      schedule: { type: 'interval', every: '10s' },
      misfire: { policy: 'skip', grace: '60s', catchUpWindow: '1h' },
    }),
  );
  world.on.tick = false;
  world.on.sweep = false;
  world.on.executor = false;
  const message = world.queue.messages.filter(({ dueAtMs }) => dueAtMs < T0_MS + MINUTE_MS).at(-1)!;
  const { dueAtMs } = message;
  // The others are lost. This one is received at last.
  world.clock.stepWall(dueAtMs + DAY_MS - BEFORE_LIMIT_MS - world.clock.nowMs());
  for (;;) {
    const batch = world.queue.receive('default', job.priority);
    if (batch.length === 0) break;
    for (const { receiptHandle } of batch) world.queue.delete(receiptHandle);
  }
  await world.queue.send([{ message, delaySec: 0 }]);
  let frozen = false;
  world.dynamo.faults = {
    async before(call) {
      if (!isClaim(call) || frozen) return;
      frozen = true;
      await world.clock.sleep(forMs);
    },
  };
  world.onExecutorCall = (_, kill) => {
    if (frozen) kill();
  };
  world.on.executor = true;
  await world.run(200);
  expect(frozen).toBe(true);
  world.on.executor = false;
  return { world, job, dueAtMs };
}

// The sweeper records a range over all occurrences of the entry meanwhile.
test.each([
  ['after the limit of its occurrence', 7 * MINUTE_MS],
  [
    'before the limit of its occurrence, and after that of the first one of its entry',
    5 * MINUTE_MS + 30_000,
  ],
] as const)('a claim inside a range, %s, does not run for ever', async (_, forMs) => {
  const { world, job, dueAtMs } = await claimedAtLimit(forMs);
  const all = { fromMs: T0_MS + 10_000, toMs: dueAtMs };
  await recordSkippedRange(job, all, { reason: 'misfire' }, world.deps);
  await recover(world, forMs + 10_000);
  const claimed = () => world.executions(job).find((row) => row.dueAtMs === dueAtMs);
  const [range] = world.executions(job);
  expect(range).toMatchObject({ status: 'skipped', reason: 'misfire', skipped: { toMs: dueAtMs } });
  expect(claimed()).toMatchObject({ status: 'running', fence: 1 });
  world.onExecutorCall = undefined;
  world.dynamo.faults = {};
  world.on.executor = true;
  await world.run(30 * MINUTE_MS);
  await world.audit();
  await world.run(30 * MINUTE_MS);
  expect(claimed()?.status).not.toBe('running');
});
