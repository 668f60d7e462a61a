import { PLAIN, childrenOf, putsChild, startedWithChild } from '../../support/child-world';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, sends, setsStatus } from '../../support/kill-between';

const MINUTE_MS = 60_000;
const ITEMS = 55;
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
const endsChild = setsStatus('succeeded');

/** A run whose task starts a child for each item, and whose executor dies once, between two writes. */
async function killed(first: (call: Call) => boolean, second: (call: Call) => boolean, concurrency = 3) {
  const forEach = { items: numbers(ITEMS), concurrency };
  const flow = await startedWithChild(PLAIN, {
    tasks: { load: { target: null, job: 'child', forEach }, after: { dependsOn: ['load'] } },
  });
  const wasKilled = killBetween(flow.world, 'executor', [first, second]);
  await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  return { flow, wasKilled };
}

test.each([
  ['before the first children are started', putsHead, putsChild],
  ['between the row of a child and its message', putsChild, sends],
  ['between the end of a child and the mark of its item', endsChild, marksItem],
  ['between a mark and the next item', marksItem, takesNext],
  ['before the child of the item that was taken is started', takesNext, putsChild],
  ['before the sum of a full segment', marksItem, writesSum],
  ['before the row of the task', writesSum, putsRow],
  ['between the row of the task and its mark', putsRow, marksTask],
] as const)(
  'an executor that dies %s: a recheck goes on, and no item has two children',
  async (_, first, second) => {
    const { flow, wasKilled } = await killed(first, second);
    expect(wasKilled()).toBe(true);
    expect(flow.runRow.status).toBe('succeeded');
    expect(flow.called.filter((one) => one === 'after')).toHaveLength(1);
    expect(flow.called).toHaveLength(ITEMS + 1);
    expect(childrenOf(flow).map(({ parent }) => parent!.item)).toHaveLength(ITEMS);
    expect(flow.taskRows().load!.items).toMatchObject({ count: ITEMS, succeeded: ITEMS });
  },
);

test('a window of one goes on soon after a death between a mark and the next item', async () => {
  const { flow, wasKilled } = await killed(marksItem, takesNext, 1);
  expect(wasKilled()).toBe(true);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.called).toHaveLength(ITEMS + 1);
});

test('rows of items and children that a read leaves unprocessed count as neither gone nor begun', async () => {
  const forEach = { items: numbers(4), concurrency: 2 };
  const flow = await startedWithChild(PLAIN, { tasks: { load: { target: null, job: 'child', forEach } } });
  flow.behave.child = { workMs: 15_000 };
  let left = 12;
  flow.world.dynamo.faults = {
    leaves: (table, key) => table === 'executions' && String(key.jobId).endsWith('/child') && left-- > 0,
  };
  await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(left).toBeLessThan(1);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.called).toHaveLength(4);
});
