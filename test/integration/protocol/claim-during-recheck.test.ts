import { execIdOfOccurrence, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { isPut } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DUE_MS = T0_MS + MINUTE_MS / 2;

const readsCoverage = ({ command, input }: Call): boolean =>
  command === 'QueryCommand' && input.TableName === 'executions';
const recordsSkipped = (call: Call): boolean => isPut(call, 'executions');

/**
 * A world in which an executor claims the only occurrence in the middle of its recheck, and dies.
 * @param isPoint the call of the recheck that the claim precedes
 */
async function claimedDuringRecheck(isPaused: boolean, isPoint = readsCoverage) {
  const world = await PipelineWorld.started(1);
  world.on.executor = false;
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule }));
  await world.run(MINUTE_MS / 3);
  if (isPaused) expect((await world.api('pauseJob', { jobId: job.jobId })).status).toBe(200);
  const seen = { claims: 0 };
  world.dynamo.faults = {
    async before(call) {
      if (seen.claims > 0 || !isPoint(call)) return;
      seen.claims += 1;
      await world.deps.executions.claim({
        jobKey: jobKeyOf(job),
        execId: execIdOfOccurrence(DUE_MS),
        trigger: 'schedule',
        dueAtMs: DUE_MS,
        attempt: 1,
        claimId: 'claim',
        nowMs: world.clock.nowMs(),
        revision: job.revision,
      });
    },
  };
  await world.run(MINUTE_MS);
  return { world, job, seen };
}

test('an execution that is claimed in the middle of its recheck is rechecked again', async () => {
  const { world, job, seen } = await claimedDuringRecheck(false);
  world.on.executor = true;
  await world.run(3 * MINUTE_MS);
  expect(seen.claims).toBe(1);
  const [row] = world.executions(job);
  expect(row).toMatchObject({ status: 'succeeded', fence: 2 });
  expect(row!.attempts.map(({ outcome }) => outcome)).toEqual(['lost', 'succeeded']);
});

test.each([
  ['its coverage is read', readsCoverage],
  ['it is recorded as skipped', recordsSkipped],
])('so is one whose entry is outdated, and that is claimed just before %s', async (_, isPoint) => {
  const { world, job, seen } = await claimedDuringRecheck(true, isPoint);
  world.on.executor = true;
  await world.run(3 * MINUTE_MS);
  expect(seen.claims).toBe(1);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'cancelled', reason: 'paused' })]);
});
