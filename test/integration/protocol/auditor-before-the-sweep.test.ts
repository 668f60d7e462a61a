import { Metric } from '../../../lambdas/core/contracts/metrics';
import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { killBetween, putsEntryOf, sends } from '../../support/kill-between';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const JOB = { userId: 'alice', jobId: 'minutely' };
const BODY = {
  schedule: { type: 'cron', expression: '* * * * *' },
  target: { type: 'http', url: 'https://example.com/hook' },
};
const due = (minutes: number) => T0_MS + minutes * MINUTE_MS;

/**
 * A job whose series ends with the entry of minute 2, which no scanner reads: the API died while it
 * dispatched ahead of the scanner. The time is that entry's.
 */
async function cutOff() {
  const world = await PipelineWorld.started(1);
  await world.run(SECOND_MS);
  const wasKilled = killBetween(world, 'api', [putsEntryOf(due(2)), sends]);
  void world.api('putJob', { jobId: JOB.jobId }, BODY);
  await world.run(2 * MINUTE_MS - SECOND_MS);
  expect(wasKilled()).toBe(true);
  return world;
}

const ran = (world: PipelineWorld) =>
  world
    .executions(JOB)
    .filter(({ status }) => status === 'succeeded')
    .map(({ execId }) => execId);

test('the auditor takes no series for lost that the next sweep continues', async () => {
  const world = await cutOff();
  await world.run(5 * SECOND_MS);
  expect(await world.audit()).toMatchObject({ jobs: 1, repaired: 0 });
  await world.run(2 * MINUTE_MS);
  expect(await world.audit()).toMatchObject({ repaired: 0 });
  expect(world.meter.total(Metric.didNotRun)).toBe(0);
  expect(ran(world)).toEqual([1, 2, 3, 4].map((minutes) => execIdOfOccurrence(due(minutes))));
});

test('the auditor continues a series whose sweep has not come for a minute', async () => {
  const world = await cutOff();
  world.on.sweep = false;
  await world.run(MINUTE_MS + SECOND_MS);
  expect(await world.audit()).toMatchObject({ repaired: 1 });
  await world.run(MINUTE_MS);
  expect(ran(world)).toContain(execIdOfOccurrence(due(4)));
});
