import { newJobAt } from '../../support/new-job';
import { MINUTE_MS, target } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

test('what has failed before it held its ordering key blocks it, until a user unblocks the key', async () => {
  const world = await PipelineWorld.started(1);
  const blocks = { schedule: { type: 'none' }, orderingKey: 'customer/42', onFailure: 'block' } as const;
  await world.create(newJobAt(world, { ...blocks, jobId: 'a', target: { ...target, startWithin: '1m' } }));
  const b = await world.create(newJobAt(world, { ...blocks, jobId: 'b' }));
  for (const jobId of ['a', 'b']) expect((await world.api('runJob', { jobId })).status).toBe(202);
  await world.run(5 * MINUTE_MS);
  const query = new Map([['orderingKey', ['customer/42']]]);
  const key = await world.api('getOrderingKey', {}, undefined, {}, { query });
  expect(key.body).toMatchObject({
    holder: { jobId: 'a', status: 'failed' },
    blocked: true,
    waiting: [{ jobId: 'b' }],
  });

  await world.api('unblockOrderingKey', {}, { orderingKey: 'customer/42' });
  await world.run(MINUTE_MS);
  expect(world.executions(b)).toMatchObject([{ status: 'succeeded' }]);
});
