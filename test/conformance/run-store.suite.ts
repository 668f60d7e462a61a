import type { Run } from '../../lambdas/core/domain/execution';
import { aRunState, aTask, aWorkflow } from '../support/workflow-factories';
import type { StoreSetup } from './store-setup';

const NOW_MS = 1_796_113_800_000;
const EXEC_ID = '20261201T083000.000Z';
const ENDING = { status: 'succeeded', finishedAtMs: NOW_MS + 5_000, expiresAtSec: 1_800_000_000 } as const;

/** What the store of runs, and that of the versions of workflows, must do. */
export function describeRunStores(setup: () => StoreSetup): void {
  describe('RunStore', () => {
    const claimed = async (
      jobKey = setup().freshJobKey(),
      execId = EXEC_ID,
      trigger: 'schedule' | 'task' = 'schedule',
    ) => {
      const answer = await setup().executions.claim({
        jobKey,
        execId,
        trigger,
        dueAtMs: NOW_MS,
        attempt: 1,
        claimId: 'claim-1',
        nowMs: NOW_MS,
      });
      if (answer.outcome !== 'claimed') throw new Error('not claimed');
      return answer.execution;
    };
    const leaseOf = ({ jobKey, execId }: { jobKey: string; execId: string }) => ({
      jobKey,
      execId,
      claimId: 'claim-1',
      fence: 1,
      attempt: 1,
    });
    const started = async (go?: Record<string, string>): Promise<Run> => {
      const execution = await claimed();
      const answer = await setup().runs.start(leaseOf(execution), aRunState({ ...(go && { go }) }));
      if (answer.outcome !== 'started') throw new Error(answer.outcome);
      return answer.run;
    };

    test('a claimed execution becomes a run once, and no claim holds it', async () => {
      const { runs } = setup();
      const run = await started();
      expect(run).toMatchObject({ status: 'running', run: { moves: 0, marks: {}, by: 'claim-1' } });
      expect(run.claimId).toBeUndefined();
      const other = { ...leaseOf(run), claimId: 'claim-2' };
      expect(await runs.start(other, aRunState({ by: 'claim-2' }))).toEqual({ outcome: 'lease-lost' });
      expect(await runs.start(leaseOf(run), aRunState())).toMatchObject({ outcome: 'started' });
    });

    test('live runs of a job are counted from an instant on, claimed executions are not', async () => {
      const { runs, ends } = setup();
      const jobKey = setup().freshJobKey();
      const ids = ['20261201T083000.000Z', '20261201T083100.000Z', '20261201T083200.000Z'];
      const started: Run[] = [];
      for (const execId of ids) {
        const answer = await runs.start(leaseOf(await claimed(jobKey, execId)), aRunState());
        if (answer.outcome !== 'started') throw new Error(answer.outcome);
        started.push(answer.run);
      }
      await claimed(jobKey, '20261201T083300.000Z');
      expect(await runs.countLive(jobKey, Date.parse('2026-12-01T08:30:00Z'))).toBe(3);
      expect(await runs.countLive(jobKey, Date.parse('2026-12-01T08:31:00Z'))).toBe(2);
      await ends.endRun(started[2]!, ENDING);
      expect(await runs.countLive(jobKey, Date.parse('2026-12-01T08:31:00Z'))).toBe(1);
    });

    test('a run does not start once its cancellation was requested', async () => {
      const { executions, runs } = setup();
      const execution = await claimed();
      await executions.requestCancel(execution, { reason: 'cancelled-by-user', atMs: NOW_MS });
      expect(await runs.start(leaseOf(execution), aRunState())).toEqual({ outcome: 'cancel-requested' });
    });

    test('marks do not conflict, each returns the row, and the first one of a task counts', async () => {
      const { runs } = setup();
      const run = await started();
      const both = await Promise.all(
        ['0', 'z'].map((key) => runs.mark(run, { key, round: undefined, mark: 's1' })),
      );
      expect(both.map(({ applied }) => applied)).toEqual([true, true]);
      const again = await runs.mark(run, { key: '0', round: undefined, mark: 'f2' });
      expect(again).toMatchObject({
        applied: false,
        execution: { run: { moves: 2, marks: { 0: 's1', z: 's1' } } },
      });
      const otherRound = await runs.mark(run, { key: '1', round: '2', mark: 's1' });
      expect(otherRound.applied).toBe(false);
    });

    test('a stop, a release and an end ask for the moves that were seen', async () => {
      const { runs, ends } = setup();
      const seen = await started({});
      const { execution } = await runs.mark(seen, { key: '0', round: undefined, mark: 's1' });
      const stop = { why: 'timed-out', atMs: NOW_MS, open: '1.2' } as const;
      expect((await runs.stop(seen, stop)).applied).toBe(false);
      expect((await runs.release(seen, ['1'], '0')).applied).toBe(false);
      expect(await ends.endRun(seen, ENDING)).toBe('lease-lost');
      const marked = execution as Run;
      const released = await runs.release(marked, ['1', '2'], '5');
      expect(released).toMatchObject({
        applied: true,
        execution: { run: { moves: 2, go: { 1: '5', 2: '5' } } },
      });
      const stopped = await runs.stop(released.execution as Run, stop);
      expect(stopped).toMatchObject({ applied: true, execution: { run: { moves: 3, stop } } });
      expect(await ends.endRun(stopped.execution as Run, ENDING)).toBe('done');
      const late = await runs.mark(seen, { key: '1', round: undefined, mark: 's1' });
      expect(late).toMatchObject({ applied: false, execution: { status: 'succeeded' } });
    });

    test('what a user changes asks for the moves that were seen, and is recognised if its answer gets lost', async () => {
      const { runs, client } = setup();
      const seen = await started();
      const skip = { set: { marks: { 1: 'x1' } } };
      await runs.mark(seen, { key: '0', round: undefined, mark: 's1' });
      expect(await runs.edit(seen, skip)).toMatchObject({
        applied: false,
        execution: { run: { moves: 1, marks: { 0: 's1' } } },
      });
      const marked = (await setup().executions.get(seen)) as Run;
      client.loseNextAnswer();
      const held = await runs.edit(marked, { set: { heldAtMs: NOW_MS } });
      expect(held).toMatchObject({ applied: true, execution: { run: { moves: 2, heldAtMs: NOW_MS } } });
      const resumed = await runs.edit(held.execution as Run, { set: {}, remove: ['heldAtMs'] });
      expect(resumed.applied).toBe(true);
      expect((resumed.execution as Run).run).not.toHaveProperty('heldAtMs');
    });

    test('the execution of a task has a partition of its run, and is in no list of its job', async () => {
      const { executions } = setup();
      const run = await started();
      const execId = `${run.execId}/load`;
      const task = await claimed(run.jobKey, execId, 'task');
      expect(await executions.get(task)).toMatchObject({
        execId,
        jobKey: run.jobKey,
        trigger: 'task',
        fence: 1,
      });
      const read = await executions.getMany([task, run], { consistent: true });
      expect([...read.executions.values()].map((row) => row.execId).toSorted()).toEqual([run.execId, execId]);
      const { executions: listed } = await executions.list(run.jobKey, { order: 'asc', limit: 10 });
      expect(listed.map((row) => row.execId)).toEqual([run.execId]);
    });
  });

  describe('FlowStore', () => {
    const flow = {
      version: 'k3J9xQ2m1pZr8sT0vWyA1B',
      number: 1,
      savedAtMs: NOW_MS,
      workflow: aWorkflow({ constructor: aTask({ input: JSON.parse('{"__proto__":1,"z":[]}') }) }),
    };

    test('a version comes back to the byte, and is listed without its tasks', async () => {
      const { flows, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await flows.put(jobKey, flow);
      expect(JSON.stringify((await flows.get(jobKey, flow.version))!.workflow)).toBe(
        JSON.stringify(flow.workflow),
      );
      expect(await flows.list(jobKey)).toEqual([{ version: flow.version, number: 1, savedAtMs: NOW_MS }]);
      expect(await flows.get(jobKey, 'none')).toBeUndefined();
      expect(await flows.list(freshJobKey())).toEqual([]);
    });

    test('a version expires unless it was saved later', async () => {
      const { flows, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await flows.put(jobKey, flow);
      const at = { savedBeforeMs: NOW_MS, expiresAtSec: 4_000_000_000 };
      expect(await flows.expire(jobKey, flow.version, at)).toBe('saved-later');
      expect(await flows.expire(jobKey, 'none', at)).toBe('none');
      expect(await flows.expire(jobKey, flow.version, { ...at, savedBeforeMs: NOW_MS + 1 })).toBe('expires');
      expect(await flows.list(jobKey)).toHaveLength(1);
    });
  });
}
