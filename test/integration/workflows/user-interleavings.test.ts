import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, sends, setsStatus } from '../../support/kill-between';
import { once } from '../../support/once';
import { ask, writesRun } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const isMark = writesRun('#run.#marks.');
/** A skip of a task that waits, or a retry of one: all marks at once, on the moves seen. */
const isEdit = writesRun('#run.#marks = :marks');
const endsRun = ({ input }: Call): boolean => {
  const values = (input.ExpressionAttributeValues ?? {}) as Record<string, unknown>;
  return values[':seenMoves'] !== undefined && values[':status'] !== undefined;
};
const putsBack = setsStatus('retrying');

/** Something that another process does later. */
function signal(): { given: Promise<void>; give: () => void } {
  let give!: () => void;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

test('frozen-recheck-marks-an-old-round: its late mark changes nothing in the next round', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = FAILED;
  flow.behave.slow = { workMs: 10 * MINUTE_MS };
  const slow = { target: { type: 'http', url: 'https://example.com/hook', timeout: '14m' }, timeout: '14m' };
  const patient = { ...slow, dependsOn: [] };
  await flow.save({ slow, a: patient, b: { dependsOn: ['a'] } }, { timeout: '1h' });
  // The executor is slow to mark what has failed. So a recheck would mark it, too, and is slower still.
  const slowExecutor = once(flow, 'before', isMark, () => flow.world.clock.sleep(MINUTE_MS));
  let marksSeen = 0;
  const second = (call: Call) => isMark(call) && ++marksSeen === 2;
  const frozenRecheck = once(flow, 'before', second, () => flow.world.clock.sleep(3 * MINUTE_MS));
  const execId = await flow.run();
  await flow.world.run(90 * SECOND_MS);
  expect([slowExecutor(), frozenRecheck()]).toEqual([1, 1]);
  expect(await flow.statuses(execId)).toMatchObject({ a: 'failed', b: 'blocked' });
  flow.behave.a = { workMs: 5 * MINUTE_MS };
  expect((await ask(flow, 'retryTask', { execId, taskId: 'a' })).status).toBe(202);
  const { marks } = flow.runRow.run!;
  await flow.world.run(4 * MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ slow: 'running', a: 'running', b: 'waiting' });
  expect(flow.runRow.run!.marks).toEqual(marks);
  await flow.world.run(10 * MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ slow: 'succeeded', a: 'succeeded', b: 'succeeded' });
  expect(flow.called.toSorted()).toEqual(['a', 'a', 'b', 'slow']);
  expect(flow.runRow.status).toBe('succeeded');
});

const RETRY_ORDERS: readonly [order: string, status: number][] = [
  ['the retry is first: the end is refused, and the run goes on', 202],
  ['the end is first: the retry is refused, and names the end', 409],
];

test.each(RETRY_ORDERS)('end-meets-task-retry: %s', async (_, status) => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 5 * SECOND_MS, result: FAILED };
  flow.behave.slow = { workMs: 8 * SECOND_MS };
  await flow.save({ a: {}, b: { dependsOn: ['a'] }, slow: {} });
  const execId = await flow.run();
  let answered: ReturnType<typeof ask> | undefined;
  const retries = () => (answered = ask(flow, 'retryTask', { execId, taskId: 'a' }));
  const ended = signal();
  if (status === 409) {
    once(flow, 'before', isEdit, () => ended.given);
    once(flow, 'before', endsRun, () => void retries());
    once(flow, 'after', endsRun, ended.give);
  } else once(flow, 'before', endsRun, retries);
  await flow.world.run(6 * SECOND_MS);
  delete flow.behave.a;
  await flow.world.run(MINUTE_MS);
  const answer = await answered!;
  expect(answer.status).toBe(status);
  if (status === 409) {
    expect(answer.body.detail).toBe('the run has already ended with status failed');
    expect(flow.called).toEqual(['a', 'slow']);
    expect(flow.runRow).toMatchObject({ status: 'failed', run: { rounds: {} } });
  } else {
    expect(flow.called).toEqual(['a', 'slow', 'a', 'b']);
    expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded', slow: 'succeeded' });
    expect(flow.runRow.status).toBe('succeeded');
  }
});

test('handler-started-then-its-cause-is-retried: that is refused until the handler has ended', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = FAILED;
  flow.behave.handle = { workMs: 10 * SECOND_MS };
  flow.behave.slow = { workMs: 25 * SECOND_MS };
  // The handler is sent and not kept: it has a message before it has a claim.
  const handle = { dependsOn: [{ task: 'a', if: 'failed' }], priority: 'high' };
  await flow.save({ a: {}, b: { dependsOn: ['a'] }, handle, slow: {} });
  const execId = await flow.run();
  const retry = () => ask(flow, 'retryTask', { execId, taskId: 'a' });
  const atWork = { status: 409, body: { detail: expect.stringContaining('handle may be at work') } };
  let whileSent: unknown;
  const asked = once(flow, 'after', isMark, async () => void (whileSent = await retry()));
  await flow.world.run(5 * SECOND_MS);
  expect(asked()).toBe(1);
  expect(whileSent).toMatchObject(atWork);
  expect(await flow.statuses(execId)).toMatchObject({ a: 'failed', handle: 'running' });
  expect(await retry()).toMatchObject(atWork);
  await flow.world.run(10 * SECOND_MS);
  delete flow.behave.a;
  expect(await retry()).toMatchObject({ status: 202, body: { round: 2 } });
  await flow.world.run(MINUTE_MS);
  expect(flow.called.toSorted()).toEqual(['a', 'a', 'b', 'handle', 'slow']);
  expect(await flow.statuses(execId)).toEqual({
    a: 'succeeded',
    b: 'succeeded',
    handle: 'excluded',
    slow: 'succeeded',
  });
  expect(flow.runRow.status).toBe('succeeded');
});

/** A run whose task `bad` fails after five seconds, so that `c` is blocked. A user skips `c` before that. */
async function withSkip(more: Record<string, object> = {}) {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = { workMs: 5 * SECOND_MS, result: FAILED };
  await flow.save({ bad: {}, c: { dependsOn: ['bad'] }, ...more });
  const execId = await flow.run();
  return { flow, execId, skip: () => ask(flow, 'skipTask', { execId, taskId: 'c' }) };
}

test('end-meets-skip: a skip before the last mark counts, and the run ends with it', async () => {
  const { flow, execId, skip } = await withSkip();
  let answer: unknown;
  const skipped = once(flow, 'before', isMark, async () => void (answer = await skip()));
  await flow.world.run(MINUTE_MS);
  expect(skipped()).toBe(1);
  expect(answer).toMatchObject({ status: 202, body: { status: 'skipped' } });
  expect(await flow.statuses(execId)).toEqual({ bad: 'failed', c: 'skipped' });
  expect(flow.runRow).toMatchObject({ status: 'failed', run: { moves: 2 } });
});

test.each([
  ['before', 'the task c is already settled with status blocked'],
  ['after', 'the run has already ended with status failed'],
] as const)('end-meets-skip: a skip that is written right %s the end is refused', async (side, detail) => {
  const { flow, execId, skip } = await withSkip();
  const goesOn = signal();
  const held = once(flow, 'before', isEdit, () => goesOn.given);
  await flow.world.run(3 * SECOND_MS);
  const answering = skip();
  once(flow, side, endsRun, async () => {
    goesOn.give();
    await answering;
  });
  await flow.world.run(MINUTE_MS);
  expect(held()).toBe(1);
  expect(await answering).toMatchObject({ status: 409, body: { detail } });
  expect(await flow.statuses(execId)).toEqual({ bad: 'failed', c: 'blocked' });
  expect(flow.runRow).toMatchObject({ status: 'failed', run: { moves: 1 } });
});

test('skip-of-a-waiting-task-that-becomes-blocked: it is refused, as a handler may be at work', async () => {
  const { flow, execId, skip } = await withSkip({ handle: { dependsOn: [{ task: 'c', if: 'failed' }] } });
  flow.behave.handle = { workMs: 10 * SECOND_MS };
  const goesOn = signal();
  const held = once(flow, 'before', isEdit, () => goesOn.given);
  await flow.world.run(3 * SECOND_MS);
  const answering = skip();
  await flow.world.run(5 * SECOND_MS);
  expect(held()).toBe(1);
  expect(await flow.statuses(execId)).toEqual({ bad: 'failed', c: 'blocked', handle: 'running' });
  goesOn.give();
  const detail = 'the task c is already settled with status blocked';
  expect(await answering).toMatchObject({ status: 409, body: { detail } });
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ bad: 'failed', c: 'blocked', handle: 'succeeded' });
  expect(flow.runRow.status).toBe('failed');
});

/** A run that is paused as its first task is claimed, and resumed before the executor has put that back. */
async function resumedBeforePutBack() {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: {}, b: { dependsOn: ['a'] } });
  const execId = await flow.run();
  const readsRun = ({ command, input }: Call): boolean => {
    const text = command === 'BatchGetCommand' ? JSON.stringify(input.RequestItems) : '';
    return text.includes(execId) && text.includes('"ConsistentRead":true');
  };
  const paused = once(flow, 'before', readsRun, () => ask(flow, 'pauseRun', { execId }));
  const resumed = once(flow, 'before', putsBack, () => ask(flow, 'resumeRun', { execId }));
  return { flow, execId, happened: () => [paused(), resumed()] };
}

test('claim-meets-pause-meets-resume: what is put back after the resumption is sent at once', async () => {
  const { flow, happened } = await resumedBeforePutBack();
  await flow.world.run(5 * SECOND_MS);
  expect(happened()).toEqual([1, 1]);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.taskRows().a).toMatchObject({ fence: 2, failures: 0 });
  expect(flow.runRow.status).toBe('succeeded');
});

test('claim-meets-pause-meets-resume: if its executor dies before it sends that, the recheck does', async () => {
  const { flow, execId, happened } = await resumedBeforePutBack();
  const wasKilled = killBetween(flow.world, 'executor', [putsBack, sends]);
  await flow.world.run(5 * SECOND_MS);
  expect([...happened(), wasKilled()]).toEqual([1, 1, true]);
  expect(flow.called).toEqual([]);
  expect(await flow.statuses(execId)).toEqual({ a: 'retrying', b: 'waiting' });
  await flow.world.run(45 * SECOND_MS);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('cancel-of-a-task-meets-the-start-of-a-retried-run: until it has started, no task of it can end', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = FAILED;
  await flow.save({ a: {} });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  delete flow.behave.a;
  let answered: ReturnType<typeof ask> | undefined;
  const starts = once(flow, 'before', writesRun('#run = :run REMOVE #claimId'), async () => {
    answered = ask(flow, 'cancelTask', { execId, taskId: 'a' });
    await answered;
  });
  expect((await ask(flow, 'retryExecution', { execId })).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(starts()).toBe(1);
  expect(await answered!).toMatchObject({ status: 409, body: { detail: 'the run is about to start again' } });
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});
