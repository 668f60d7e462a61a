import type { Context, SQSEvent } from 'aws-lambda';

import { ExecutionMessage, MESSAGE_VERSION } from '../../../lambdas/core/contracts/messages';
import { parseCompactInstant } from '../../../lambdas/core/contracts/tables';
import { RECHECK_AFTER_MS } from '../../../lambdas/core/domain/timing';
import { sqsBatchHandler } from '../../../lambdas/core/platform/sqs-handler';
import { attemptEntry } from '../../../lambdas/core/queue/attempt-entries';
import { noAnswer } from '../../support/dynamo/errors';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { once } from '../../support/once';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';
import { writesRun } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SEQUENCE = { a: {}, b: { dependsOn: ['a'] } };
const ASYNC = { type: 'http', url: 'https://example.com/hook', mode: 'async' };

const isMark = writesRun('#run.#marks');
const isStop = writesRun('#stop = :stop');
const isStart = writesRun('#run = :run');

const cancel = (flow: WorkflowWorld, execId: string) =>
  flow.world.api('cancelExecution', { jobId: flow.jobId, execId });

test('diamond-both-parents-see-ready: the task after both is called once', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.b = { workMs: SECOND_MS };
  flow.behave.c = { workMs: SECOND_MS };
  const tasks = { b: { dependsOn: ['a'] }, c: { dependsOn: ['a'] }, d: { dependsOn: ['b', 'c'] } };
  await flow.save({ a: {}, ...tasks });
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(flow.taskRows().d).toMatchObject({ fence: 1, status: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('mark-answer-lost-and-retried: the second try finds its own mark, and the run goes on at once', async () => {
  const flow = await WorkflowWorld.started({ maxAttempts: 3 });
  await flow.save(SEQUENCE);
  const lost = once(flow, 'after', isMark, () => {
    throw noAnswer();
  });
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(lost()).toBe(1);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow).toMatchObject({ status: 'succeeded', run: { moves: 2 } });
});

test('stop-meets-mark: a stop that has not seen the mark is refused, and nothing new is called', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = { workMs: SECOND_MS, result: FAILED };
  flow.behave.b = { workMs: 1_200 };
  await flow.save({ bad: {}, b: {}, c: { dependsOn: ['b'] } }, {}, { onTaskFailure: 'stop' });
  const delayed = once(flow, 'before', isStop, () => flow.world.clock.sleep(2 * SECOND_MS));
  const execId = await flow.run();
  await flow.world.run(20 * SECOND_MS);
  expect(delayed()).toBe(1);
  expect(await flow.statuses(execId)).toEqual({ bad: 'failed', b: 'succeeded', c: 'cancelled' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(flow.taskRows().c).toMatchObject({ reason: 'stopped' });
  expect(flow.called.toSorted()).toEqual(['b', 'bad']);
});

test('cancel-meets-claim: a task that was claimed before the cancel, and has read its run after it, is not called', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SEQUENCE);
  const execId = await flow.run();
  const readsRun = ({ command, input }: Call): boolean => {
    const text = command === 'BatchGetCommand' ? JSON.stringify(input.RequestItems) : '';
    return text.includes(execId) && text.includes('"ConsistentRead":true');
  };
  const cancelled = once(flow, 'before', readsRun, async () => void (await cancel(flow, execId)));
  await flow.world.run(MINUTE_MS);
  expect(cancelled()).toBe(1);
  expect(flow.called).toEqual([]);
  expect(flow.taskRows().a).toMatchObject({ status: 'cancelled', reason: 'stopped', fence: 1 });
  expect(flow.runRow.status).toBe('cancelled');
});

test('cancel-in-the-finally-phase: finally tasks that run go on, by the outcome that they started with', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.thanks = { workMs: 10 * SECOND_MS };
  await flow.save({ a: {}, thanks: { finally: 'succeeded' }, alarm: { finally: 'failed' } });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect((await cancel(flow, execId)).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', thanks: 'succeeded', alarm: 'excluded' });
  expect(flow.runRow.status).toBe('cancelled');
});

test('any-join-starts-then-its-other-parent-is-stopped: the join stays, and may finish', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = { workMs: 2 * SECOND_MS, result: FAILED };
  flow.behave.slow = { workMs: 8 * SECOND_MS };
  flow.behave.joined = { workMs: 12 * SECOND_MS };
  await flow.save(
    {
      a: {},
      bad: {},
      slow: {},
      other: { dependsOn: ['slow'] },
      after: { dependsOn: ['other'] },
      joined: { dependsOn: ['a', 'other'], join: 'any' },
    },
    {},
    { onTaskFailure: 'stop' },
  );
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({
    a: 'succeeded',
    bad: 'failed',
    slow: 'succeeded',
    other: 'stopped',
    after: 'stopped',
    joined: 'succeeded',
  });
  expect(flow.called.filter((task) => task === 'joined')).toHaveLength(1);
});

test('report-after-stop: the report of a 202 counts, and the run ends as the stop says', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { outcome: 'accepted', statusCode: 202 };
  flow.behave.bad = { workMs: 3 * SECOND_MS, result: FAILED };
  const tasks = { a: { target: ASYNC, timeout: '1h' }, b: { dependsOn: ['a'] }, bad: {} };
  let token = '';
  const { observe } = flow.world;
  flow.world.observe = (delivery, target) => {
    token = delivery.headers['quarterjack-token'] ?? token;
    observe?.(delivery, target);
  };
  await flow.save(tasks, { timeout: '3h' }, { onTaskFailure: 'stop' });
  const execId = await flow.run();
  await flow.world.run(8 * SECOND_MS);
  expect(flow.runRow).toMatchObject({ status: 'running', run: { stop: { why: 'task-failed' } } });
  const report = await flow.world.api('completeAttempt', {}, undefined, { authorization: `Bearer ${token}` });
  expect(report.status).toBeLessThan(300);
  await flow.world.run(2 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'stopped', bad: 'failed' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('takeover-by-recheck-while-the-old-one-marks: the late mark changes nothing', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SEQUENCE);
  const frozen = once(flow, 'before', isMark, () => flow.world.clock.sleep(2 * MINUTE_MS));
  await flow.run();
  await flow.world.run(MINUTE_MS + 30 * SECOND_MS);
  expect(frozen()).toBe(1);
  expect(flow.runRow.status).toBe('succeeded');
  const { moves } = flow.runRow.run!;
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow.run!.moves).toBe(moves);
});

test('definition-changed-between-claim-and-start: the run has the version that its claim has read', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SEQUENCE);
  const changed = once(flow, 'before', isStart, () => flow.save({ other: {} }));
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(changed()).toBe(1);
  expect(flow.called).toEqual(['a', 'b']);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded' });
  expect(flow.runRow.run!.number).toBe(1);
});

test('rechecks-of-one-run-fall-together: several series of entries become one', async () => {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  flow.behave.a = { workMs: 10 * MINUTE_MS };
  await flow.save({ a: { target: { ...ASYNC, mode: 'sync', timeout: '14m' }, timeout: '14m' } });
  const execId = await flow.run();
  await world.run(5 * SECOND_MS);
  for (const offsetMs of [1_000, 7_000, 13_000]) {
    const entry = await attemptEntry(
      { ...flow.runRow, startAtMs: world.clock.nowMs() + offsetMs },
      world.deps,
    );
    await world.deps.schedule.putEntries([entry]);
  }
  await world.run(2 * MINUTE_MS);
  const isPending = (entry: string) => parseCompactInstant(entry) + RECHECK_AFTER_MS > world.clock.nowMs();
  const entries = world.tables.rows('schedule').map(({ entry }) => String(entry));
  const pending = entries.filter((entry) => entry.includes(execId) && isPending(entry));
  expect(flow.runRow.status).toBe('running');
  expect(pending).toHaveLength(1);
});

/** A task that does not share the lane of its run: it is sent, and not kept. */
const SENT = { a: { priority: 'low' } };

/** The messages of a run's first tasks, which no executor has received. */
async function firstMessages(flow: WorkflowWorld): Promise<ExecutionMessage[]> {
  flow.world.onCall = (stage, { command }) => {
    if (stage === 'executor' && command === 'SendMessages') flow.world.on.executor = false;
  };
  await flow.run();
  await flow.world.run(SECOND_MS);
  return flow.world.queue.receive('default', 'low').map(({ message }) => message);
}

test('old-executor-gets-a-newer-message: it returns to its queue alone, and a new executor takes it', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SENT);
  const [ofTask] = await firstMessages(flow);
  const newer = { ...ofTask!, v: MESSAGE_VERSION + 1 };
  const plain = { ...ofTask!, execId: flow.runRow.execId, trigger: 'manual' };
  const seen: string[] = [];
  const telemetry = {
    log: Object.assign(new RecordingLog(), { begin: () => undefined }),
    meter: Object.assign(new RecordingMeter(), { flush: () => undefined }),
  };
  const handler = sqsBatchHandler(ExecutionMessage, telemetry, async (batch) => {
    seen.push(...batch.map(({ message }) => message.execId));
    return { failedIds: [] };
  });
  const record = (messageId: string, message: object) => ({
    messageId,
    body: JSON.stringify(message),
    attributes: { ApproximateReceiveCount: '1' },
  });
  const event = { Records: [record('task', newer), record('plain', plain)] } as unknown as SQSEvent;
  const context = { awsRequestId: 'r', getRemainingTimeInMillis: () => 1_000 } as Context;
  expect(await handler(event, context)).toEqual({ batchItemFailures: [{ itemIdentifier: 'task' }] });
  expect(seen).toEqual([flow.runRow.execId]);
  await flow.world.deps.queue.send([{ message: ofTask!, delaySec: 0 }]);
  Object.assign(flow.world.on, { executor: true });
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['a']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('ttl-took-a-row-the-dead-letter-queue-kept: a task without its run is not called', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SENT);
  const [message] = await firstMessages(flow);
  const { jobKey, execId } = flow.runRow;
  const later = Math.ceil(flow.world.clock.nowMs() / SECOND_MS) + 400 * 86_400;
  flow.world.tables.apply(
    'DeleteCommand',
    { TableName: 'executions', Key: { jobId: jobKey, execId } },
    () => false,
  );
  await flow.world.deps.queue.send([{ message: message!, delaySec: 0 }]);
  Object.assign(flow.world.on, { executor: true });
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual([]);
  expect(flow.taskRows().a).toMatchObject({ status: 'cancelled', reason: 'stopped' });
  expect(flow.taskRows().a!.expiresAtSec!).toBeLessThan(later);
});
