import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween } from '../../support/kill-between';
import { WorkflowWorld } from '../../support/workflow-world';
import type { WorldOptions } from '../../support/world-options';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SEQUENCE = { a: {}, b: { dependsOn: ['a'] }, c: { dependsOn: ['b'] } };

/** A world whose executors' messages are counted. */
async function counted(options?: WorldOptions) {
  const flow = await WorkflowWorld.started(options);
  const sent: string[] = [];
  flow.world.onCall = (stage, { command, input }) => {
    if (stage === 'executor' && command === 'SendMessages') sent.push(JSON.stringify(input));
  };
  return { flow, sent };
}

test('a sequence of tasks goes on in one invocation: nothing is sent, and nothing is repaired', async () => {
  const { flow, sent } = await counted();
  await flow.save(SEQUENCE);
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['a', 'b', 'c']);
  expect(sent).toEqual([]);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
  expect(flow.runRow).toMatchObject({ status: 'succeeded', run: { moves: 3 } });
  expect(flow.world.meter.total('RunsRepaired')).toBe(0);
  expect(flow.world.meter.total('TasksStarted')).toBe(3);
});

test('of two tasks that become ready at once, both are sent; the task after both goes on', async () => {
  const { flow, sent } = await counted();
  flow.behave.c = { workMs: SECOND_MS };
  await flow.save({ a: {}, b: { dependsOn: ['a'] }, c: { dependsOn: ['a'] }, d: { dependsOn: ['b', 'c'] } });
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['a', 'b', 'c', 'd']);
  expect(sent).toHaveLength(1);
  expect(flow.runRow.status).toBe('succeeded');
});

test('a run whose calls take long goes through its queue again', async () => {
  const { flow, sent } = await counted();
  flow.behave.a = { workMs: 3 * SECOND_MS };
  await flow.save(SEQUENCE);
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['a', 'b', 'c']);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('/b');
});

test('beside a message of its batch that is at work, a task goes through its queue, and does not wait', async () => {
  const { flow, sent } = await counted();
  flow.behave.slow = { workMs: 20 * SECOND_MS };
  await flow.save({ slow: {}, ...SEQUENCE });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await flow.statuses(execId)).toMatchObject({ a: 'succeeded', c: 'succeeded', slow: 'running' });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toContain('/b');
});

test('kept tasks count against the limit of their user: what is sent after them overflows', async () => {
  const { flow, sent } = await counted({ userSharePerSec: 2 });
  await flow.save({ ...SEQUENCE, d: { dependsOn: ['b'] } });
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('"overflow"');
  expect(flow.runRow.status).toBe('succeeded');
});

test('die-between-mark-and-claim: the recheck sends what has become ready', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SEQUENCE);
  const marks = ({ command, input }: Call) =>
    command === 'UpdateCommand' && String(input.UpdateExpression).includes('#run.#marks');
  const claimsB = ({ command, input }: Call) =>
    command === 'UpdateCommand' && (input.Key as { execId?: string }).execId === 'b';
  const wasKilled = killBetween(flow.world, 'executor', [marks, claimsB]);
  const execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['a', 'b', 'c']);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
  expect(flow.world.meter.total('RunsRepaired')).toBe(1);
});

test('a run that is paused while a task is at work: the next task is not called before it is resumed', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: SECOND_MS };
  await flow.save(SEQUENCE);
  const execId = await flow.run();
  await flow.world.run(500);
  await flow.world.api('pauseRun', { jobId: flow.jobId, execId });
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['a']);
  await flow.world.api('resumeRun', { jobId: flow.jobId, execId });
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['a', 'b', 'c']);
});
