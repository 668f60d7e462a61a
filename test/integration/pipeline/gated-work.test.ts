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
