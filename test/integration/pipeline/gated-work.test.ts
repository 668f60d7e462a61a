import { newJobAt } from '../../support/new-job';
import { DUE_MS, MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';

test('work that waits for its ordering key has an entry: it is offered again though the release is lost', async () => {
  const { world, claim, report, tickets } = await offered({ orderingKey: 'orders' });
  const schedule = { type: 'at' as const, at: new Date(DUE_MS + 3 * SECOND_MS).toISOString() };
  await world.create(newJobAt(world, { jobId: 'second', schedule, target, orderingKey: 'orders' }));
  // The entry of its occurrence is rechecked meanwhile, and filed again for the end of its time.
  await world.run(3 * MINUTE_MS);
  const [first] = await claim({ max: 10 });
  expect(tickets()).toEqual([]);
  const lost = jest.spyOn(world.queue, 'send').mockResolvedValue();
  await report('completeAttempt', first!);
  await world.run(2 * MINUTE_MS); // the recheck of that end repeats its release
  expect(lost.mock.calls.length).toBeGreaterThanOrEqual(2);
  lost.mockRestore();
  await world.run(12 * MINUTE_MS);
  expect(await claim()).toMatchObject([{ jobId: 'second', attempt: 1 }]);
});

test('what a worker has released, and a pause has held then, passes the gates of its job again', async () => {
  const { world, job, claim, report } = await offered({ schedule: { type: 'none' }, overlap: 'queue' });
  const { jobId } = job;
  for (const key of ['a', 'b']) await world.api('runJob', { jobId }, { delay: '2s', key });
  await world.run(5 * SECOND_MS);
  const [released] = await claim();
  await report('releaseWork', released!);
  await world.run(SECOND_MS);
  expect((await world.api('pauseJob', { jobId })).status).toBe(200);
  expect(await claim({ max: 10 })).toEqual([]);
  expect(world.executions(job).map(({ heldAtMs }) => heldAtMs)).not.toContain(undefined);
  expect((await world.api('resumeJob', { jobId })).status).toBe(200);
  await world.run(3 * MINUTE_MS);
  const [first, ...beside] = await claim({ max: 10 });
  expect(beside).toEqual([]);
  await report('completeAttempt', first!);
  await world.run(MINUTE_MS);
  const [second] = await claim({ max: 10 });
  await report('completeAttempt', second!);
  expect(world.executions(job)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
});

test('work that a gate refuses after a new schedule leaves no entry of a time that this one never planned', async () => {
  const schedule = { type: 'cron' as const, expression: '* * * * *' };
  const patient = { ...target, heartbeatTimeout: '10m' };
  const { world, job, claim } = await offered({ schedule, overlap: 'skip', target: patient });
  await world.run(MINUTE_MS / 2);
  await claim();
  await world.run(MINUTE_MS + 9 * SECOND_MS); // the next one is offered at 08:32, and is not late yet
  const { jobId } = job;
  const later = { schedule: { ...schedule, jitter: '9s' } };
  expect((await world.api('patchJob', { jobId }, later)).status).toBe(200);
  expect(await claim()).toEqual([]);
  const times = world.tables
    .rows('schedule')
    .map(({ entry }) => /^20261201T0832\d\d.*#o#/.exec(String(entry))?.[0].slice(9, 15));
  expect(times.filter((time) => time !== undefined)).toEqual(['083200']);
});
