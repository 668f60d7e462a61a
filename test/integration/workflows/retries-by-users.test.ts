import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween } from '../../support/kill-between';
import { ask, writesRun } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const FAILED = { outcome: 'fatal', statusCode: 400, error: 'target answered 400' } as const;

describe('a retry', () => {
  test('of a run opens what failed and what follows, with the ids of before, and keeps the rest', async () => {
    const flow = await WorkflowWorld.started();
    const ids: Record<string, string[]> = {};
    const fences: number[] = [];
    const { observe } = flow.world;
    flow.world.observe = (delivery, target) => {
      observe?.(delivery, target);
      (ids[flow.lastHeaders['quarterjack-task']!] ??= []).push(flow.lastHeaders['webhook-id']!);
      if (flow.lastHeaders['quarterjack-task'] === 'b')
        fences.push(Number(flow.lastHeaders['quarterjack-fence']));
    };
    flow.behave.b = FAILED;
    await flow.save({ a: {}, b: { dependsOn: ['a'] }, c: { dependsOn: ['b'] }, last: { finally: 'always' } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    expect(flow.runRow.status).toBe('failed');
    delete flow.behave.b;
    const retried = await ask(flow, 'retryExecution', { execId });
    expect([retried.status, retried.body.status]).toEqual([202, 'retrying']);
    await flow.world.run(10 * SECOND_MS);
    expect(flow.called).toEqual(['a', 'b', 'last', 'b', 'c', 'last']);
    expect(flow.runRow).toMatchObject({ status: 'succeeded', userRetries: 1 });
    const { body } = await ask(flow, 'getExecution', { execId });
    const { startedAt, retriedAt } = body as { startedAt: string; retriedAt: string };
    expect(Date.parse(retriedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(5 * SECOND_MS);
    expect(new Set(ids.b).size).toBe(1);
    expect(fences).toEqual([1, 10_001]);
    const task = await ask(flow, 'getTask', { execId, taskId: 'b' });
    expect(task.body).toMatchObject({ round: 2, status: 'succeeded' });
    // The row of the first round stays as it was.
    expect(flow.rows().find((row) => row.execId === `${execId}/b`)).toMatchObject({ status: 'failed' });
    expect(flow.world.errors()).toEqual([]);
  });

  test('from a task runs it and what follows anew; only runs it alone', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({ a: {}, b: { dependsOn: ['a'] }, c: { dependsOn: ['b'] } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    expect((await ask(flow, 'retryExecution', { execId })).status).toBe(409);
    expect((await ask(flow, 'retryExecution', { execId }, { mode: 'from' })).status).toBe(400);
    expect((await ask(flow, 'retryExecution', { execId }, { mode: 'from', tasks: ['b'] })).status).toBe(202);
    await flow.world.run(5 * SECOND_MS);
    expect(flow.called).toEqual(['a', 'b', 'c', 'b', 'c']);
    expect((await ask(flow, 'retryExecution', { execId }, { mode: 'only', tasks: ['a'] })).status).toBe(202);
    await flow.world.run(5 * SECOND_MS);
    expect(flow.called).toEqual(['a', 'b', 'c', 'b', 'c', 'a']);
    expect(flow.runRow).toMatchObject({ status: 'succeeded', userRetries: 2 });
  });

  test('with the current definition goes on with the tasks of the new workflow', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.b = FAILED;
    await flow.save({ a: {}, b: { dependsOn: ['a'] }, c: { dependsOn: ['b'] } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    await flow.save({ a: {}, between: { dependsOn: ['a'] }, c: { dependsOn: ['between'] } });
    expect((await ask(flow, 'retryExecution', { execId }, { definition: 'current' })).status).toBe(202);
    await flow.world.run(5 * SECOND_MS);
    expect(flow.called).toEqual(['a', 'b', 'between', 'c']);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('of a task of a running run opens it in its next round; what is at work is a conflict', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = FAILED;
    flow.behave.slow = { workMs: 20 * SECOND_MS };
    flow.behave.handle = { workMs: 5 * SECOND_MS };
    await flow.save({
      slow: {},
      a: {},
      b: { dependsOn: ['a'] },
      handle: { dependsOn: [{ task: 'a', if: 'failed' }] },
    });
    const execId = await flow.run();
    await flow.world.run(3 * SECOND_MS);
    delete flow.behave.a;
    expect((await ask(flow, 'retryTask', { execId, taskId: 'a' })).body.detail).toMatch(
      /handle may be at work/,
    );
    await flow.world.run(5 * SECOND_MS);
    expect((await ask(flow, 'retryTask', { execId, taskId: 'a' })).body).toMatchObject({ round: 2 });
    await flow.world.run(40 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({
      slow: 'succeeded',
      a: 'succeeded',
      b: 'succeeded',
      handle: 'excluded',
    });
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('die-between-retry-and-start: the takeover starts the run, with its marks', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.b = FAILED;
    await flow.save({ a: {}, b: { dependsOn: ['a'] } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    delete flow.behave.b;
    const claims = ({ command, input }: Call) =>
      command === 'UpdateCommand' && String(input.UpdateExpression).includes('#claimedAtMs = :claimedAtMs');
    const wasKilled = killBetween(flow.world, 'executor', [claims, writesRun('#run = :run')]);
    await ask(flow, 'retryExecution', { execId });
    await flow.world.run(3 * MINUTE_MS);
    expect(wasKilled()).toBe(true);
    expect(flow.called).toEqual(['a', 'b', 'b']);
    expect(flow.runRow.status).toBe('succeeded');
  });
});
