import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, rowsPut } from '../../support/kill-between';
import { ask, writesRun } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;

const listsHeld = (call: Call) => rowsPut(call, 'executions').some(({ kind }) => kind === 'held');

describe('a paused run', () => {
  test('is listed once its request is repeated, though the first one died after the pause', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({ a: { delay: '1h' } });
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    const isKilled = killBetween(flow.world, 'api', [writesRun('heldAtMs'), listsHeld]);
    void ask(flow, 'pauseRun', { execId });
    await flow.world.run(SECOND_MS);
    expect(isKilled()).toBe(true);
    expect((await ask(flow, 'listWaiting', {})).body.items).toEqual([]);
    expect((await ask(flow, 'pauseRun', { execId })).status).toBe(202);
    const { items } = (await ask(flow, 'listWaiting', {})).body;
    expect(items).toEqual([expect.objectContaining({ kind: 'held', execId })]);
  });

  test('is listed, though an earlier resumption takes it from the list late', async () => {
    const flow = await WorkflowWorld.started();
    const { world } = flow;
    await flow.save({ a: { delay: '1h' } });
    const execId = await flow.run();
    await world.run(2 * SECOND_MS);
    await ask(flow, 'pauseRun', { execId });
    let delayed = 0;
    world.dynamo.faults.before = async ({ command }) => {
      if (command !== 'DeleteCommand' || delayed++ > 0) return;
      await ask(flow, 'pauseRun', { execId });
    };
    expect((await ask(flow, 'resumeRun', { execId })).status).toBe(202);
    expect(delayed).toBe(1);
    const { items } = (await ask(flow, 'listWaiting', {})).body;
    expect(items).toEqual([expect.objectContaining({ kind: 'held', execId })]);
  });
});
