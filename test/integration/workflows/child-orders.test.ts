import { afterChild } from '../../../lambdas/core/ending/runs/task-ends';
import type { Call } from '../../support/dynamo/memory-dynamo';
import {
  PLAIN,
  TARGET,
  childrenOf,
  put,
  putsChild,
  startedWithChild,
  taskOf,
  workflow,
} from '../../support/child-world';
import { isClaim } from '../../support/fault-points';
import { killBetween, sends } from '../../support/kill-between';
import { once } from '../../support/once';
import { ask } from '../../support/run-requests';
import { FAILED } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

test('child-ends-before-its-row-is-known-to-the-parent: the process that started it goes on later, and it runs once', async () => {
  const flow = await startedWithChild(PLAIN);
  let isFrozen = false;
  flow.world.dynamo.faults = {
    after: async (call: Call) => {
      if (isFrozen || !putsChild(call)) return;
      isFrozen = true;
      await flow.world.clock.sleep(50 * SECOND_MS);
    },
  };
  const execId = await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  expect(isFrozen).toBe(true);
  expect(flow.called).toEqual(['child']);
  expect(childrenOf(flow)).toHaveLength(1);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test('the end of a child, published again while its run is claimed once more, starts nothing before that run', async () => {
  const flow = await startedWithChild(PLAIN);
  flow.behave.child = FAILED;
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  const [ended] = childrenOf(flow);
  expect([flow.runRow.status, ended!.status]).toEqual(['failed', 'failed']);
  delete flow.behave.child;
  const isStart = ({ command, input }: Call) =>
    command === 'UpdateCommand' && String(input.UpdateExpression).includes('#run = :run REMOVE #claimId');
  const seen: string[] = [];
  const repeats = once(flow, 'before', isStart, async () => {
    await afterChild({ ...ended!, status: 'failed', parent: ended!.parent! }, flow.world.deps);
    seen.push(flow.runRow.status, childrenOf(flow)[0]!.status);
  });
  await flow.world.api('retryExecution', { jobId: flow.jobId, execId });
  await flow.world.run(MINUTE_MS);
  expect(repeats()).toBe(1);
  expect(seen).toEqual(['running', 'failed']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test('die-between-the-end-of-a-child-and-the-mark: its recheck marks the task above it', async () => {
  const flow = await startedWithChild(PLAIN);
  const isEnd = ({ command, input }: Call) =>
    command === 'UpdateCommand' &&
    JSON.stringify(input.ExpressionAttributeValues ?? {}).includes('"succeeded"');
  const isMark = ({ command, input }: Call) =>
    command === 'UpdateCommand' && String(input.UpdateExpression).includes('#run.#marks');
  const wasKilled = killBetween(flow.world, 'executor', [isEnd, isMark]);
  const execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['child']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('die-between-the-row-of-a-child-and-its-message: its recheck sends it', async () => {
  const flow = await startedWithChild(PLAIN);
  const wasKilled = killBetween(flow.world, 'executor', [putsChild, sends]);
  const execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['child']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test('a child whose row cannot be written is left to the recheck, and what other children lead to goes on', async () => {
  const flow = await startedWithChild(PLAIN);
  await put(flow, 'gone', PLAIN);
  await flow.save(
    {
      load: { target: null, job: 'child' },
      other: { target: null, job: 'gone' },
      report: { dependsOn: [{ task: 'other', if: 'failed' }] },
    },
    {},
    { onTaskFailure: 'continue' },
  );
  await flow.world.api('deleteJob', { jobId: 'gone' });
  const isChild = (call: Call) => putsChild(call) && JSON.stringify(call.input).includes('queued');
  const failed = once(flow, 'before', isChild, () => Promise.reject(new Error('no answer')));
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(failed()).toBe(1);
  expect(flow.called).toEqual(['report']);
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called).toEqual(['report', 'child']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded', other: 'failed', report: 'succeeded' });
});

test('child-skipped-by-overlap: the task fails with that reason', async () => {
  const flow = await startedWithChild({ ...PLAIN, overlap: 'skip' });
  flow.behave.child = { workMs: MINUTE_MS };
  await flow.world.api('runJob', { jobId: 'child' });
  await flow.world.run(2 * SECOND_MS);
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason: 'overlap' });
  expect(flow.runRow.status).toBe('failed');
});

test('parent-cancelled-as-child-starts: no child starts after the answer', async () => {
  const flow = await startedWithChild(PLAIN);
  const execId = await flow.run();
  const cancelled = once(flow, 'before', putsChild, async () => {
    await flow.world.api('cancelExecution', { jobId: 'etl', execId });
  });
  await flow.world.run(MINUTE_MS);
  expect(cancelled()).toBe(1);
  expect(flow.called).toEqual([]);
  expect(childrenOf(flow)).toMatchObject([{ status: 'cancelled', reason: 'stopped', fence: 0 }]);
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
});

test.each([
  ['cancel', 'cancelTask', 'cancelled'],
  ['skip', 'skipTask', 'skipped'],
])(
  'a %s of a child that is to run again, and was not released, leaves the child as it has ended',
  async (_, operation, status) => {
    const flow = await startedWithChild(PLAIN, { tasks: { slow: {} }, workflow: { maxParallel: 1 } });
    flow.behave.child = FAILED;
    flow.behave.slow = { workMs: 20 * SECOND_MS };
    const execId = await flow.run();
    await flow.world.run(10 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({ load: 'failed', slow: 'running' });
    const path = { execId, taskId: 'load' };
    expect((await ask(flow, 'retryTask', path)).status).toBe(202);
    expect((await ask(flow, operation, path)).body).toMatchObject({ status, round: 2 });
    await flow.world.run(2 * MINUTE_MS);
    expect(flow.called).toEqual(['child', 'slow']);
    expect(childrenOf(flow)).toMatchObject([{ status: 'failed', fence: 1 }]);
    expect(await flow.statuses(execId)).toEqual({ load: status, slow: 'succeeded' });
  },
);

test('grandchild-of-the-same-job: a save that closes a circle is refused, and names it', async () => {
  const flow = await startedWithChild(PLAIN);
  const answer = await flow.world.api('putJob', { jobId: 'child' }, workflow({ up: { job: 'etl' } }));
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'workflow.tasks.up.job', message: 'closes a circle: child → etl → child' }] },
  });
});

test('two-saves-close-a-cycle: what is above itself fails, and nothing runs for ever', async () => {
  const flow = await startedWithChild(PLAIN);
  await put(flow, 'etl', { target: TARGET });
  const saves = await Promise.all([
    flow.world.api('putJob', { jobId: 'etl' }, workflow({ load: { job: 'child' } })),
    flow.world.api('putJob', { jobId: 'child' }, workflow({ up: { job: 'etl' } })),
  ]);
  expect(saves.map(({ status }) => status)).toEqual([200, 200]);
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(flow.rows().filter(({ trigger }) => trigger === 'workflow')).toMatchObject([
    { status: 'failed', reason: 'recursion', fence: 0 },
  ]);
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('run-stops-between-the-claim-of-a-child-and-its-call: the child is not called', async () => {
  const flow = await startedWithChild(PLAIN, {
    tasks: { gate: { target: null, approval: {} } },
    workflow: { onTaskFailure: 'stop' },
  });
  let rejected: number | undefined;
  let execId = '';
  flow.world.dynamo.faults = {
    after: async (call: Call) => {
      const isOfChild = (call.input.Key as { jobId?: string } | undefined)?.jobId === 'alice/child';
      if (rejected !== undefined || !isClaim(call) || !isOfChild) return;
      rejected = 0;
      rejected = (await ask(flow, 'rejectTask', { execId, taskId: 'gate' }, {})).status;
    },
  };
  execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(rejected).toBeLessThan(300);
  expect(flow.called).toEqual([]);
  expect(childrenOf(flow)).toMatchObject([{ status: 'cancelled', reason: 'stopped' }]);
  expect(flow.runRow.status).toBe('failed');
});

test('die-after-the-cancel-of-a-child-run-is-requested: its recheck ends it within a minute', async () => {
  const child = workflow({ gate: { approval: { timeout: '7d' } } });
  const flow = await startedWithChild(child);
  const { world } = flow;
  const execId = await flow.run();
  await world.run(5 * 60 * MINUTE_MS); // its rechecks are far apart by now
  let requested = false;
  let killed = false;
  world.onCall = (stage, { command, input }, kill) => {
    if (stage !== 'api' || killed) return;
    if (requested) {
      killed = true;
      kill();
    }
    const { UpdateExpression, Key } = input as { UpdateExpression?: string; Key?: { jobId?: string } };
    const isOfChild = Key?.jobId === 'alice/child' && String(UpdateExpression).includes('#cancelRequested');
    requested ||= command === 'UpdateCommand' && isOfChild;
  };
  void ask(flow, 'cancelExecution', { execId });
  await world.run(MINUTE_MS);
  expect(killed).toBe(true);
  expect(childrenOf(flow)).toMatchObject([{ status: 'cancelled' }]);
});
