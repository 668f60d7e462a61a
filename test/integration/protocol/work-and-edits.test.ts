import type { ExecutionMessage } from '../../../lambdas/core/contracts/messages';
import { actions, MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';
import { eventOf, nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';
import { MACHINE } from '../../support/fake-errands';
import { putDays } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const BUSY = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' } as const;
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

// Each success counts by the index of its target. What is asked for now is the first target of the list.
test.each([
  ['a worker', target],
  ['an errand', { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true }],
])('%s that takes the place of a target that has succeeded gets no work', async (_, other) => {
  const world = await PipelineWorld.started(1);
  world.behaviour = (call) => (call.target === 0 ? { outcome: 'succeeded', statusCode: 200 } : BUSY);
  const jobId = 'several';
  const http = { type: 'http', url: 'https://example.com/hook' };
  const put = async (body: object) =>
    expect(
      (await world.api('putJob', { jobId }, { schedule: { type: 'none' }, ...body })).status,
    ).toBeLessThan(202);
  await put({ targets: [http, http] });
  await world.api('runJob', { jobId });
  await world.run(2 * SECOND_MS);
  const job = { userId: 'alice', jobId };
  expect(world.executions(job)).toMatchObject([{ status: 'retrying', attempt: 2 }]);
  await put({ target: other });
  await world.run(2 * MINUTE_MS);
  expect(await actions(world).claim()).toEqual([]);
  expect(world.errands.started).toEqual([]);
  expect(world.executions(job)).toMatchObject([
    { status: 'succeeded', attempts: [{ target: 0 }, { target: 1 }] },
  ]);
});

// The claim has read the new definition, and its function dies before it compares the two.
test('a claim that breaks off before its checks proves no call, even when its time is over', async () => {
  const { world, job, claim, tickets } = await offered({ timeout: '30s' });
  await world.api('patchJob', { jobId: job.jobId }, { schedule: { type: 'none' } });
  expect(tickets()).toHaveLength(1);
  let isClaimed = false;
  world.dynamo.faults.before = async ({ input }) => {
    if (isClaimed) throw new Error('no answer');
    isClaimed = JSON.stringify(input).includes(':claimId') || JSON.stringify(input).includes('"claimId"');
  };
  expect((await world.api('claimWork', {}, { queue: 'warehouse' })).status).toBe(500);
  world.dynamo.faults.before = undefined;
  expect(world.executions(job)).toMatchObject([{ status: 'running', fence: 1 }]);
  await world.run(2 * MINUTE_MS);
  expect(await claim()).toEqual([]);
  expect(world.executions(job)).toMatchObject([
    { status: 'cancelled', reason: 'superseded', attempts: [{ outcome: 'retriable', unheard: true }] },
  ]);
});

// The message says that its claim may start an errand. The job asks for a worker by then.
test.each(['before its first attempt', 'after an errand that has failed'])(
  'an execution that may have started an errand goes to workers, %s',
  async (when) => {
    const { world, job } = await worldWith();
    const { jobId, schedule, retry } = job;
    if (when.startsWith('after')) {
      await untilStarted(world);
      await world.errands.watch(eventOf(nameOf(world, job), 'failed'));
    }
    expect((await world.api('putJob', { jobId }, { schedule, target, retry })).status).toBe(200);
    await world.run(2 * MINUTE_MS);
    expect(await actions(world).claim()).toHaveLength(1);
    expect(rowOf(world, job).openErrand).toBeUndefined();
    expect(rowOf(world, job).attempt).toBeLessThan(4);
  },
);

// The calendar is current with its row. What it changes for jobs is written later.
test('a worker gets no work that a calendar excludes whose job is not replanned yet', async () => {
  const world = await PipelineWorld.started(1);
  await putDays(world, ['2020-01-01']);
  const jobId = 'nightly';
  const schedule = { type: 'cron', expression: '* * * * *', exclude: [{ calendar: 'days' }] };
  expect((await world.api('createJob', {}, { jobId, schedule, target })).status).toBe(201);
  await world.run(MINUTE_MS);
  const { claim, tickets } = actions(world);
  expect(tickets()).toHaveLength(1);
  let isChanged = false;
  world.dynamo.faults.before = async ({ command, input }) => {
    if (isChanged) throw new Error('no answer');
    isChanged = command === 'PutCommand' && JSON.stringify(input).includes('"changing"');
  };
  await putDays(world, ['2026-12-01']);
  world.dynamo.faults.before = undefined;
  expect(await claim()).toEqual([]);
  expect(world.executions({ userId: 'alice', jobId })).toMatchObject([
    { status: 'skipped', reason: 'superseded' },
  ]);
});
