import { newJobAt } from '../../support/new-job';
import { DUE_MS, offered, SECOND_MS, target as WORKER } from '../../support/offered-work';

test('workers get one execution of each derived key at a time', async () => {
  const keys = { concurrencyKey: 'crm.{{ payload.tenant }}', payload: { tenant: 'a' } };
  const { world, claim, report } = await offered({ jobId: 'a1', ...keys });
  const later = {
    schedule: { type: 'at', at: new Date(DUE_MS + 5_000).toISOString() },
    target: WORKER,
  } as const;
  await world.create(newJobAt(world, { jobId: 'a2', ...later, ...keys }));
  await world.create(newJobAt(world, { jobId: 'b', ...later, ...keys, payload: { tenant: 'b' } }));
  await world.run(10 * SECOND_MS);
  const work = await claim({ max: 5 });
  expect(work.map(({ jobId }) => jobId).sort()).toEqual(['a1', 'b']);
  for (const one of work) expect((await report('completeAttempt', one)).status).toBe(200);
  await world.run(10 * SECOND_MS);
  expect((await claim({ max: 5 })).map(({ jobId }) => jobId)).toEqual(['a2']);
});
