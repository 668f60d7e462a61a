import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, rowsPut } from '../../support/kill-between';
import { actions } from '../../support/offered-work';
import { ask } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const target = { type: 'worker', queue: 'warehouse', startWithin: '30s' };

async function started() {
  const flow = await WorkflowWorld.started();
  return { flow, world: flow.world, ...actions(flow.world) };
}

describe('a task for which no worker comes has failed as not-started after startWithin, once offered', () => {
  test.each([
    ['a task', {}, 'work'],
    ['an item', { forEach: { items: [1, 2, 3] } }, 'work.1'],
    ['a task with a delay', { delay: '5s' }, 'work'],
    ['a task that the scanner sends', { delay: '1h' }, 'work'],
    ['a task after another', { dependsOn: ['before'] }, 'work'],
  ])('%s', async (_, fields, shown) => {
    const { flow, world, tickets } = await started();
    await flow.save({
      before: {},
      work: { target, ...fields },
      after: { dependsOn: [{ task: 'work', if: 'failed' }] },
    });
    await flow.run();
    if ('delay' in fields && fields.delay === '1h') await world.run(60 * MINUTE_MS);
    await world.run(20 * SECOND_MS);
    const offers = 'forEach' in fields ? 3 : 1;
    expect(tickets()).toHaveLength(offers);
    expect(flow.taskRows()[shown]).toMatchObject({ status: 'queued', detail: { queue: 'warehouse' } });
    await world.run(MINUTE_MS);
    expect(flow.taskRows()[shown]).toMatchObject({
      status: 'failed',
      reason: 'not-started',
      attempt: 1,
      fence: 0,
      attempts: [],
    });
    expect(tickets()).toEqual([]);
    expect(flow.called).toContain('after');
    expect(flow.runRow.status).toBe('failed');
    expect(world.errors()).toEqual([]);
  });
});

test('a task that has waited for hours ends at its limit', async () => {
  const { flow, world } = await started();
  await flow.save({ work: { target: { ...target, startWithin: '4h' } } });
  await flow.run();
  await world.run(4 * 60 * MINUTE_MS + MINUTE_MS);
  expect(flow.taskRows().work).toMatchObject({ status: 'failed', reason: 'not-started' });
});

test('a task waits in its queue with one ticket, however long, and has its first attempt then', async () => {
  const { flow, world, tickets, claim, report } = await started();
  const patient = { ...target, startWithin: '6h' };
  await flow.save({
    plain: { target: patient },
    items: { target: patient, forEach: { items: [1, 2, 3], concurrency: 2 } },
    later: { target: patient, delay: '20s' },
    after: { dependsOn: ['plain', 'items', 'later'] },
  });
  await flow.run();
  await world.run(2 * 60 * MINUTE_MS);
  expect(tickets()).toHaveLength(4);
  const [work, ...others] = await claim({ max: 4 });
  expect(others).toHaveLength(3);
  for (const one of [work!, ...others]) {
    expect(one).toMatchObject({ attempt: 1, fence: 1 });
    expect((await report('completeAttempt', one, {})).status).toBe(200);
  }
  await world.run(20 * SECOND_MS);
  const [last] = await claim();
  expect((await report('completeAttempt', last!, {})).status).toBe(200);
  await world.run(20 * SECOND_MS);
  expect(flow.called).toEqual(['after']);
  expect(flow.runRow.status).toBe('succeeded');
  expect(tickets()).toEqual([]);
});

test('what a worker loses or fails is offered again, and never claimed by an executor', async () => {
  const { flow, world, tickets, claim, report } = await started();
  const retry = { maxAttempts: 3, initialDelay: '1s', jitter: 'none' };
  const patient = { ...target, startWithin: '2m', heartbeatTimeout: '15s' };
  await flow.save({ work: { target: patient, retry } });
  await flow.run();
  await world.run(5 * SECOND_MS);
  const [lost] = await claim();
  expect(lost).toMatchObject({ attempt: 1, fence: 1 });
  await world.run(MINUTE_MS);
  const [again] = await claim();
  expect(again).toMatchObject({ attempt: 2, fence: 2 });
  expect((await report('failAttempt', again!, { error: 'no' })).status).toBe(200);
  await world.run(10 * SECOND_MS);
  expect(tickets()).toHaveLength(1);
  await world.run(3 * MINUTE_MS);
  expect(flow.taskRows().work).toMatchObject({
    status: 'failed',
    reason: 'not-started',
    attempt: 3,
    fence: 2,
  });
  expect(flow.runRow.status).toBe('failed');
});

test.each([
  ['', false],
  [', also if a worker asks meanwhile', true],
])('a resumed run offers its work again, and the time of its pause does not count%s', async (_, asks) => {
  const { flow, world, tickets, claim } = await started();
  await flow.save({ work: { target }, items: { target, forEach: { items: [1, 2] } } });
  const execId = await flow.run();
  await world.run(5 * SECOND_MS);
  expect((await ask(flow, 'pauseRun', { execId })).status).toBe(202);
  await world.run(10 * MINUTE_MS);
  if (asks) expect(await claim({ max: 10 })).toEqual([]);
  expect((await ask(flow, 'resumeRun', { execId })).status).toBe(202);
  await world.run(20 * SECOND_MS);
  expect(tickets()).toHaveLength(3);
  expect(await claim({ max: 3 })).toHaveLength(3);
});

test('a message that comes again makes no second ticket, and none of a task that has ended', async () => {
  const { flow, world, tickets } = await started();
  const send = jest.spyOn(world.queue, 'send');
  await flow.save({ work: { target } });
  await flow.run();
  await world.run(5 * SECOND_MS);
  const again = send.mock.calls
    .flatMap(([messages]) => messages)
    .filter(({ message }) => message.trigger === 'task')
    .map((outgoing) => {
      const { startAtMs } = outgoing.message;
      return { ...outgoing, message: { ...outgoing.message, dueAtMs: startAtMs + SECOND_MS } };
    });
  expect(again).toHaveLength(1);
  await world.queue.send(again);
  await world.run(5 * SECOND_MS);
  expect(tickets()).toHaveLength(1);
  await world.run(2 * MINUTE_MS);
  expect(flow.runRow.status).toBe('failed');
  await world.queue.send(again);
  await world.run(5 * SECOND_MS);
  expect(tickets()).toEqual([]);
});

test('an offer that dies between its row and its ticket is made again', async () => {
  const { flow, world, tickets } = await started();
  const isTicket = ({ input }: Call) =>
    String((input.Key as { bucket?: string })?.bucket).startsWith('#work#');
  const putsWaiting = (call: Call) => rowsPut(call, 'executions').some(({ status }) => status === 'queued');
  await flow.save({ work: { target: { ...target, startWithin: '10m' } } });
  const isKilled = killBetween(world, 'executor', [putsWaiting, isTicket]);
  await flow.run();
  await world.run(5 * SECOND_MS);
  expect(isKilled()).toBe(true);
  expect(tickets()).toEqual([]);
  await world.run(MINUTE_MS);
  expect(tickets()).toHaveLength(1);
});
