import type { ExecutionMessage } from '../../../lambdas/core/contracts/messages';
import { MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';

const within = (startWithin: string) => ({ target: { ...target, startWithin } });

test('a longer time to start holds for work that waits', async () => {
  const { world, job, claim } = await offered(within('1m'));
  await world.api('patchJob', { jobId: job.jobId }, { target: { startWithin: '1h' } });
  await world.run(10 * MINUTE_MS);
  expect(world.executions(job)).toEqual([]);
  expect(await claim()).toMatchObject([{ attempt: 1 }]);
});

test('a shorter time to start holds for a claim of work that waits', async () => {
  const { world, job, claim } = await offered(within('6h'));
  await world.run(11 * MINUTE_MS);
  await world.api('patchJob', { jobId: job.jobId }, { target: { startWithin: '10m' } });
  expect(await claim()).toEqual([]);
  expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'not-started' }]);
});

test('a message from before the change does not bring the old time back', async () => {
  const { world, job, claim, tickets } = await offered(within('1m'));
  const message = JSON.parse(String(tickets()[0]!.message)) as ExecutionMessage;
  await world.api('patchJob', { jobId: job.jobId }, { target: { startWithin: '1h' } });
  await world.queue.send([{ message, delaySec: 0 }]);
  await world.run(10 * MINUTE_MS);
  expect(world.executions(job)).toEqual([]);
  expect(await claim()).toMatchObject([{ attempt: 1 }]);
});

// The sweeper has offered it in the new queue, and its time to start begins anew there.
test('work that stays behind in a queue does not end there for want of a worker', async () => {
  const { world, job, claim } = await offered(within('1m'));
  world.dynamo.faults.before = async ({ command, input }) => {
    if (command === 'QueryCommand' && JSON.stringify(input).includes('#work#')) throw new Error('no answer');
  };
  const edited = { queue: 'other', startWithin: '1h' };
  expect((await world.api('patchJob', { jobId: job.jobId }, { target: edited })).status).toBe(200);
  world.dynamo.faults.before = undefined;
  await world.run(5 * MINUTE_MS);
  expect(await claim()).toEqual([]);
  await world.run(2 * SECOND_MS);
  expect(await claim({ queue: 'other' })).toMatchObject([{ attempt: 2 }]);
});
