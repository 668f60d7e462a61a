import { throttled } from '../../support/dynamo/errors';
import { T0_MS } from '../../support/factories';
import { isPut } from '../../support/fault-points';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const target = { type: 'http', url: 'https://example.com/hook' };
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
test.each<[string, Change[], Change]>([
  ['a resume', [pause], resume],
  ['a new end', [], endTomorrow],
  ['every second minute', [], everySecondMinute],
])('the series goes on after %s whose dispatch ahead failed once', async (_, before, change) => {
  const world = await PipelineWorld.started(1);
  const body = { jobId: 'minutely', schedule: { type: 'cron', expression: '* * * * *' }, target };
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
  await world.run(9 * MINUTE_MS); // the auditor is not asked: the pipeline itself must go on
  const dues = world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(dues.at(-1)).toBeGreaterThanOrEqual(12);
});
