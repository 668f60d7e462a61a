import { PLAIN, startedWithChild } from '../../support/child-world';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, rowsPut } from '../../support/kill-between';
import { writesRun } from '../../support/run-requests';
import type { WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

describe('die-between-decision-and-mark: with maxParallel, a task that cannot be decided', () => {
  const save = (flow: WorkflowWorld, task: object, value: string) =>
    flow.save(
      { load: { ...task, when: { value, equals: 1 } } },
      {},
      { params: { given: { there: 1 } }, maxParallel: 1 },
    );

  /** The executor dies after the row of the task, and a user cancels the run. */
  async function stopped(task: object) {
    const flow = await startedWithChild(PLAIN);
    await save(flow, task, '{{ params.given.missing }}');
    const fails = (call: Call) => rowsPut(call, 'executions').some(({ reason }) => reason === 'bad-input');
    const wasKilled = killBetween(flow.world, 'executor', [fails, writesRun('#run.#marks')]);
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    expect(wasKilled()).toBe(true);
    await flow.world.api('cancelExecution', { jobId: flow.jobId, execId });
    await flow.world.run(2 * MINUTE_MS);
    return { flow, execId };
  }

  test.each([
    ['calls a target', {}],
    ['starts a child', { target: null, job: 'child' }],
    ['only joins others', { target: null }],
  ])('has failed, also if the run stops then. It %s', async (_, task) => {
    const { flow, execId } = await stopped(task);
    expect(await flow.statuses(execId)).toEqual({ load: 'failed' });
    expect(flow.runRow.status).toBe('cancelled');
  });

  test('is called when the run is retried with a mended workflow', async () => {
    const { flow, execId } = await stopped({});
    await save(flow, {}, '{{ params.given.there }}');
    const retry = { mode: 'all', definition: 'current' };
    const { status } = await flow.world.api('retryExecution', { jobId: flow.jobId, execId }, retry);
    expect(status).toBe(202);
    await flow.world.run(2 * MINUTE_MS);
    expect(flow.called).toEqual(['load']);
    expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
  });
});
