import type { Call } from '../../support/dynamo/memory-dynamo';
import { childrenOf, PLAIN, put, taskOf } from '../../support/child-world';
import { putsAttemptEntry, rowsPut } from '../../support/kill-between';
import { ask } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const ITEMS = { forEach: { items: ['x', 'y'] } };
const CHILD = { target: null, job: 'child' };

/** Tasks that have no execution of their own which could wait. */
const KINDS: [kind: string, task: object, called: string[]][] = [
  ['a fan-out', ITEMS, ['later.0', 'later.1']],
  ['a job', CHILD, ['child']],
  ['a job for each item', { ...CHILD, ...ITEMS }, ['child', 'child']],
];

/** A workflow whose task `later` has this time of its own, and follows on the task `first`. */
const started = (task: object, time: object, fields: object = {}): Promise<WorkflowWorld> =>
  saved({ first: {}, later: { dependsOn: ['first'], ...task, ...time } }, fields);

async function saved(tasks: Record<string, object>, fields: object = {}, workflow: object = {}) {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', PLAIN);
  await flow.save(tasks, fields, workflow);
  return flow;
}

const lateCalls = (flow: WorkflowWorld): string[] => flow.called.filter((task) => task !== 'first').sort();
const later = (flow: WorkflowWorld, execId: string) => taskOf(flow, execId, 'later');

/** When the first execution that the task has led to was claimed. */
function begunAtMs(flow: WorkflowWorld): number {
  const own = Object.entries(flow.taskRows()).filter(([id]) => id.startsWith('later.'));
  const rows = [...own.map(([, row]) => row), ...childrenOf(flow)];
  return Math.min(...rows.map(({ startedAtMs = Number.POSITIVE_INFINITY }) => startedAtMs));
}

describe.each(KINDS)('%s with a time of its own', (_, task, called) => {
  test('begins that long after it is ready, and the run says until when it waits', async () => {
    const flow = await started(task, { delay: '10m' });
    const execId = await flow.run();
    await flow.world.run(MINUTE_MS);
    const waiting = await later(flow, execId);
    expect(waiting).toMatchObject({ status: 'queued', reason: 'delayed' });
    const startAtMs = Date.parse(waiting.nextAttemptAt as string);
    const readyAtMs = flow.taskRows().first!.finishedAtMs!;
    expect(startAtMs - readyAtMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(startAtMs - readyAtMs).toBeLessThanOrEqual(10 * MINUTE_MS + SECOND_MS);
    await flow.world.run(startAtMs - flow.world.clock.nowMs() - SECOND_MS);
    expect(lateCalls(flow)).toEqual([]);
    await flow.world.run(10 * SECOND_MS);
    expect(lateCalls(flow)).toEqual(called);
    expect(begunAtMs(flow) - startAtMs).toBeGreaterThanOrEqual(0);
    expect(begunAtMs(flow) - startAtMs).toBeLessThan(2 * SECOND_MS);
    expect(flow.runRow.status).toBe('succeeded');
    expect(await later(flow, execId)).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    expect(flow.world.errors()).toEqual([]);
  });

  test('begins not before an instant, by a template', async () => {
    const flow = await started(task, { notBefore: "{{ run.dueAt | shift('30m') }}" });
    const execId = await flow.run();
    await flow.world.run(MINUTE_MS);
    const dueAtMs = flow.runRow.dueAtMs + 30 * MINUTE_MS;
    expect(Date.parse((await later(flow, execId)).nextAttemptAt as string)).toBe(dueAtMs);
    await flow.world.run(HOUR_MS);
    expect(lateCalls(flow)).toEqual(called);
    expect(begunAtMs(flow) - dueAtMs).toBeGreaterThanOrEqual(0);
    expect(begunAtMs(flow) - dueAtMs).toBeLessThan(2 * SECOND_MS);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('begins at once if its time is past, and fails if that cannot be rendered', async () => {
    const past = await started(task, { notBefore: '00:00' });
    await past.run();
    await past.world.run(20 * SECOND_MS);
    expect(lateCalls(past)).toEqual(called);
    const wrong = await started(task, { notBefore: '{{ run.jobId }}' });
    const execId = await wrong.run();
    await wrong.world.run(20 * SECOND_MS);
    expect(await later(wrong, execId)).toMatchObject({ status: 'failed', reason: 'bad-input' });
    expect(lateCalls(wrong)).toEqual([]);
  });

  test('the message of its alarm is lost: the recheck of that entry begins it', async () => {
    const flow = await started(task, { delay: '40s' });
    await flow.run();
    await flow.world.run(10 * SECOND_MS);
    flow.world.queue.purge();
    await flow.world.run(2 * MINUTE_MS);
    expect(lateCalls(flow)).toEqual(called);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('an executor that dies before it has filed the alarm: the recheck of the run files it', async () => {
    const flow = await started(task, { delay: '10m' });
    let kills = 0;
    flow.world.onCall = (stage, call: Call, kill) => {
      const isAlarm =
        putsAttemptEntry(call) && rowsPut(call, 'schedule').some(({ rechecks }) => rechecks === undefined);
      if (stage !== 'executor' || kills > 0 || !isAlarm) return;
      kills += 1;
      kill();
    };
    await flow.run();
    await flow.world.run(12 * MINUTE_MS);
    expect(kills).toBe(1);
    expect(lateCalls(flow)).toEqual(called);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('a cancel and the end of the time of its run reach it while it waits', async () => {
    const flow = await started(task, { delay: '1h' }, { timeout: '10m' });
    const cancelled = await flow.run();
    await flow.world.run(MINUTE_MS);
    await ask(flow, 'cancelExecution', { execId: cancelled });
    await flow.world.run(MINUTE_MS);
    expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
    expect(await later(flow, cancelled)).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
    const late = await flow.run();
    await flow.world.run(12 * MINUTE_MS);
    expect(flow.runRow).toMatchObject({ execId: late, status: 'failed', reason: 'timed-out' });
    await flow.world.run(2 * HOUR_MS);
    expect(lateCalls(flow)).toEqual([]);
  });

  test('a skip ends the wait; a retry waits again', async () => {
    const flow = await started(task, { delay: '1h' });
    const execId = await flow.run();
    await flow.world.run(MINUTE_MS);
    expect((await ask(flow, 'skipTask', { execId, taskId: 'later' })).status).toBe(202);
    await flow.world.run(MINUTE_MS);
    expect(flow.runRow.status).toBe('succeeded');
    await ask(flow, 'retryExecution', { execId }, { mode: 'from', tasks: ['later'] });
    await flow.world.run(MINUTE_MS);
    expect(await later(flow, execId)).toMatchObject({ status: 'queued', reason: 'delayed' });
    await flow.world.run(HOUR_MS);
    expect(lateCalls(flow)).toEqual(called);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('while its run is held its time may pass; it begins once the run is resumed', async () => {
    const flow = await started(task, { notBefore: "{{ run.dueAt | shift('5m') }}" });
    const execId = await flow.run();
    await flow.world.run(MINUTE_MS);
    await ask(flow, 'pauseRun', { execId });
    await flow.world.run(30 * MINUTE_MS);
    expect(lateCalls(flow)).toEqual([]);
    await ask(flow, 'resumeRun', { execId });
    await flow.world.run(20 * SECOND_MS);
    expect(lateCalls(flow)).toEqual(called);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('waits without the work of rechecks: they become rare', async () => {
    const flow = await started(task, { delay: '10h' });
    await flow.run();
    await flow.world.run(5 * MINUTE_MS);
    let entries = 0;
    flow.world.dynamo.faults = {
      before: (call) => {
        entries += rowsPut(call, 'schedule').filter(({ rechecks }) => rechecks !== undefined).length;
      },
    };
    await flow.world.run(9 * HOUR_MS);
    expect(entries).toBeGreaterThan(0);
    expect(entries).toBeLessThan(40);
    await flow.world.run(55 * MINUTE_MS + 10 * SECOND_MS);
    expect(lateCalls(flow)).toEqual(called);
  });
});

const AT = { notBefore: "{{ run.dueAt | shift('10m') }}" };
const TWO = { a: { ...ITEMS, ...AT }, b: { ...CHILD, ...AT }, c: { target: null, dependsOn: ['a', 'b'] } };

test('two tasks that begin at the same instant have one alarm', async () => {
  const flow = await saved(TWO);
  await flow.run();
  const alarms: unknown[] = [];
  flow.world.dynamo.faults = {
    before: (call) => {
      const entries = rowsPut(call, 'schedule').filter(({ entry }) => String(entry).includes('#a#'));
      alarms.push(...entries.filter(({ rechecks }) => rechecks === undefined));
    },
  };
  await flow.world.run(9 * MINUTE_MS);
  expect(flow.called).toEqual([]);
  expect(alarms).toHaveLength(1);
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called.toSorted()).toEqual(['a.0', 'a.1', 'child']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('maxParallel holds for tasks that begin at the same instant', async () => {
  const flow = await saved(TWO, {}, { maxParallel: 1 });
  for (const task of ['a', 'child']) flow.behave[task] = { workMs: 20 * SECOND_MS };
  await flow.run();
  await flow.world.run(12 * MINUTE_MS);
  const { 'a.0': first, 'a.1': second } = flow.taskRows();
  const itemsEndedAtMs = Math.max(first!.finishedAtMs!, second!.finishedAtMs!);
  expect(childrenOf(flow)[0]!.startedAtMs).toBeGreaterThanOrEqual(itemsEndedAtMs);
  expect(flow.runRow.status).toBe('succeeded');
});
