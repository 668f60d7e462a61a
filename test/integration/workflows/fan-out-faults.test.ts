import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, sends, setsStatus } from '../../support/kill-between';
import { once } from '../../support/once';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const updates =
  (text: string) =>
  ({ command, input }: Call): boolean =>
    command === 'UpdateCommand' && String(input.UpdateExpression).includes(text);
const marksItem = updates('SET #m');
const takesNext = updates('#next = #next + :items');
const writesSum = updates('SET #s');
const marksTask = updates('#run.#marks');
const putsHead = ({ command, input }: Call): boolean =>
  command === 'PutCommand' && String((input.Item as { execId?: string }).execId).startsWith('#map#');
const putsRow = ({ command, input }: Call): boolean =>
  command === 'PutCommand' && (input.Item as { items?: { count?: number } }).items?.count !== undefined;
const endsItem = setsStatus('succeeded');

/** A run with one fan-out of 60 items, three at once, whose executor dies once, between two writes. */
async function killed(first: (call: Call) => boolean, second: (call: Call) => boolean, concurrency = 3) {
  const flow = await WorkflowWorld.started();
  await flow.save({ load: { forEach: { items: numbers(60), concurrency } }, after: { dependsOn: ['load'] } });
  const wasKilled = killBetween(flow.world, 'executor', [first, second]);
  await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  return { flow, wasKilled };
}

test.each([
  ['before the head is written', updates('#run = :run'), putsHead],
  ['before the first items are sent', putsHead, sends],
  ['between the end of an item and its mark', endsItem, marksItem],
  ['between a mark and the next item', marksItem, takesNext],
  ['dispense-dies-after-add: before the item that was taken is sent', takesNext, sends],
  ['before the sum of a full segment', marksItem, writesSum],
  ['before the row of the task', writesSum, putsRow],
  ['between the row of the task and its mark', putsRow, marksTask],
] as const)(
  'an executor that dies %s: the recheck goes on, and no item is called twice',
  async (_, first, second) => {
    const { flow, wasKilled } = await killed(first, second);
    expect(wasKilled()).toBe(true);
    expect(flow.runRow.status).toBe('succeeded');
    expect(flow.called.filter((one) => one === 'after')).toHaveLength(1);
    expect(new Set(flow.called).size).toBe(61);
    expect(flow.called).toHaveLength(61);
    expect(flow.taskRows().load!.items).toMatchObject({ count: 60, succeeded: 60 });
  },
);

test('a window of one goes on after a death between a mark and the next item', async () => {
  const { flow, wasKilled } = await killed(marksItem, takesNext, 1);
  expect(wasKilled()).toBe(true);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.called.slice(0, 60)).toEqual(numbers(60).map((item) => `load.${item}`));
});

test('lost messages of items are sent again', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ load: { forEach: { items: numbers(20) } } });
  await flow.run();
  await flow.world.run(300);
  flow.world.queue.purge();
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.called).toHaveLength(20);
});

test('an item whose executor dies is taken over', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave['load.1'] = { workMs: 20_000 };
  await flow.save({ load: { forEach: { items: numbers(3) } } });
  let kills = 0;
  flow.world.onExecutorCall = ({ command, input }, kill) => {
    const isHeartbeat =
      command === 'UpdateCommand' && input.UpdateExpression === 'SET #heartbeatAtMs = :nowMs';
    if (!isHeartbeat || kills > 0) return;
    kills += 1;
    kill();
  };
  await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  expect(kills).toBe(1);
  expect(flow.taskRows()['load.1']).toMatchObject({ status: 'succeeded', fence: 2 });
  expect(flow.runRow.status).toBe('succeeded');
});

test('two-lay-out-one-fan-out: the items are called once', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: {}, load: { dependsOn: ['a'], forEach: { items: numbers(55), concurrency: 4 } } });
  // The head waits until a recheck has laid the fan-out out too.
  const times = once(flow, 'before', putsHead, () => flow.world.clock.sleep(MINUTE_MS));
  await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(times()).toBe(1);
  expect(flow.called.toSorted()).toEqual(['a', ...numbers(55).map((item) => `load.${item}`)].toSorted());
  expect(flow.runRow.status).toBe('succeeded');
});

test('segment-fills-twice: the answer of the mark that fills it is lost, and the fan-out ends once', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ load: { forEach: { items: numbers(2) } } });
  const times = once(flow, 'after', marksItem, () => {
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  });
  await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(times()).toBe(1);
  expect(flow.called).toHaveLength(2);
  expect(flow.taskRows().load!.items).toMatchObject({ succeeded: 2 });
  expect(flow.runRow.status).toBe('succeeded');
});

test('stop-meets-layout: a fan-out that is laid out as its run stops begins no item', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: {}, load: { dependsOn: ['a'], forEach: { items: numbers(5) } } });
  let execId = '';
  const times = once(flow, 'before', putsHead, () =>
    flow.world.api('cancelExecution', { jobId: flow.jobId, execId }),
  );
  execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(times()).toBe(1);
  expect(flow.called).toEqual(['a']);
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(Object.keys(flow.taskRows()).toSorted()).toEqual(['a', 'load']);
});

test('a fan-out that its user cancels ends as cancelled, and the run goes on', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = { workMs: MINUTE_MS };
  // So the two that run then see the cancel at different times.
  flow.behave['load.0'] = { workMs: 2_000 };
  await flow.save({
    load: { forEach: { items: numbers(60), concurrency: 2 } },
    after: { dependsOn: [{ task: 'load', if: 'failed' }] },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  const path = { jobId: flow.jobId, execId, taskId: 'load' };
  expect((await flow.world.api('skipTask', path)).status).toBe(409);
  expect((await flow.world.api('cancelTask', path)).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['load.0', 'load.1', 'load.2', 'after']);
  expect(flow.taskRows().load).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled-by-user',
    items: { count: 60, succeeded: 1, cancelled: 59 },
  });
});

test('a stop that lets what runs finish waits for the items that run', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = { workMs: 10_000 };
  flow.behave.bad = { workMs: 1_000, result: FAILED };
  await flow.save(
    { bad: {}, load: { forEach: { items: numbers(9), concurrency: 2 } } },
    {},
    { onTaskFailure: 'stop' },
  );
  await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(flow.taskRows()['load.0']!.status).toBe('succeeded');
  expect(flow.taskRows().load).toMatchObject({ status: 'cancelled', items: { succeeded: 2, cancelled: 7 } });
});
