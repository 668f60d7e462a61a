import { noAnswer } from '../../support/dynamo/errors';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const TEN = Array.from({ length: 10 }, (_, index) => `t${index}`);

const isMark = ({ command, input }: Call): boolean =>
  command === 'UpdateCommand' && String(input.UpdateExpression).includes(':mark');

/** Ten tasks that end at the same instant, and one after all of them. */
async function tenAtOnce(onMark: (count: number) => void = () => undefined) {
  const flow = await WorkflowWorld.started();
  let marks = 0;
  flow.world.dynamo.faults = {
    before(call) {
      if (isMark(call)) onMark(++marks);
    },
  };
  const ten = Object.fromEntries(TEN.map((id) => [id, {}]));
  await flow.save({ ...ten, after: { dependsOn: TEN.map((task) => ({ task, if: 'done' })) } });
  return { flow, marks: () => marks };
}

test('ten tasks that end together are two marks, and the task after them is sent once', async () => {
  const { flow, marks } = await tenAtOnce();
  const sent: string[] = [];
  flow.world.onCall = (_, { command, input }) => {
    if (command === 'SendMessages') sent.push(JSON.stringify(input));
  };
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called.toSorted()).toEqual(['after', ...TEN]);
  expect(flow.runRow.status).toBe('succeeded');
  expect(marks()).toBe(3);
  expect(flow.runRow.run!.moves).toBe(3);
  expect(sent.filter((messages) => messages.includes('/after'))).toHaveLength(1);
});

test('each of them is marked as it has ended', async () => {
  const { flow } = await tenAtOnce();
  flow.behave.t3 = FAILED;
  flow.behave.t7 = FAILED;
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  const succeeded = Object.fromEntries(TEN.map((id) => [id, 'succeeded']));
  expect(await flow.statuses(execId)).toEqual({
    ...succeeded,
    t3: 'failed',
    t7: 'failed',
    after: 'succeeded',
  });
});

test('marks whose write gets no answer are left to the recheck of the run', async () => {
  const { flow } = await tenAtOnce((count) => {
    if (count === 2) throw noAnswer();
  });
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).not.toContain('after');
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called.toSorted()).toEqual(['after', ...TEN]);
  expect(flow.runRow.status).toBe('succeeded');
});

test('the items of a fan-out that end together are marked together, and it ends once', async () => {
  const { flow, marks } = await tenAtOnce();
  await flow.save({ load: { forEach: { items: TEN } }, after: { dependsOn: ['load'] } });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toHaveLength(11);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded', after: 'succeeded' });
  // Two of the ten items, one of the segment, and one of each task.
  expect(marks()).toBe(5);
});
