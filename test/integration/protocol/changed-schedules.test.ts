import type { WorkMessage } from '../../../lambdas/core/contracts/messages';
import { throttled } from '../../support/dynamo/errors';
import { T0_MS } from '../../support/factories';
import { isPut } from '../../support/fault-points';
import { actions } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const target = { type: 'http', url: 'https://example.com/hook' };
const toWorkers = { type: 'worker', queue: 'warehouse', startWithin: '1h' };
const minutely = { jobId: 'minutely' };

type Change = (world: PipelineWorld) => ReturnType<PipelineWorld['api']>;

const patchSchedule =
  (schedule: object): Change =>
  (world) =>
    world.api('patchJob', minutely, { schedule });
const endTomorrow = patchSchedule({ endAt: new Date(T0_MS + DAY_MS).toISOString() });
const everySecondMinute = patchSchedule({ expression: '*/2 * * * *' });

const pause: Change = (world) => world.api('pauseJob', minutely);
const resume: Change = (world) => world.api('resumeJob', minutely);

// The new schedule shares due times with the old one, whose messages are sent minutes ahead. Their claims say
// nothing about the entries of the new series.
test.each<[string, Change[], Change, object]>([
  ['a resume', [pause], resume, {}],
  ['a new end', [], endTomorrow, {}],
  ['every second minute', [], everySecondMinute, {}],
  // Tickets of the old revision are left, without their messages. They say nothing of the new series.
  ['a resume of an ordered job', [pause], resume, { orderingKey: 'key' }],
  ['a new end of an ordered job', [], endTomorrow, { orderingKey: 'key' }],
  // So do offers to workers, none of whom comes.
  ['a resume of a worker job', [pause], resume, { target: toWorkers }],
  ['a new end of a worker job', [], endTomorrow, { target: toWorkers }],
])('the series goes on after %s whose dispatch ahead failed once', async (_, before, change, definition) => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'cron', expression: '* * * * *' };
  const body = { jobId: 'minutely', schedule, target, ...definition };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  await world.run(5 * MINUTE_MS + 5_000);
  for (const earlier of before) expect((await earlier(world)).status).toBe(200);
  let entries = 0;
  world.dynamo.faults = {
    before(call) {
      if (isPut(call, 'schedule') && ++entries === 2) throw throttled(); // of the next occurrence
    },
  };
  expect((await change(world)).status).toBe(200);
  expect(entries).toBeGreaterThanOrEqual(2);
  world.dynamo.faults = {};
  if ('orderingKey' in definition) world.queue.purge();
  await world.run(9 * MINUTE_MS); // the auditor is not asked: the pipeline itself must go on
  const offered = actions(world)
    .tickets()
    .map(({ message }) => JSON.parse(message as string) as WorkMessage);
  const dues = [...world.calls, ...offered].map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(Math.max(...dues)).toBeGreaterThanOrEqual(12);
});
