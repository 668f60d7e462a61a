import type { Run } from '../../lambdas/core/domain/execution';
import type { RunStore } from '../../lambdas/core/store/run-store';
import { aRunState } from '../support/workflow-factories';
import { claimed, leaseOf } from './execution-requests';
import type { StoreSetup } from './store-setup';

const ENDING = { status: 'succeeded', finishedAtMs: 1_796_113_805_000, expiresAtSec: 1_800_000_000 } as const;
const KEYS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** What marks of tasks must do that fall together in one process. */
export function describeMarks(setup: () => StoreSetup): void {
  describe('RunStore: marks that fall together', () => {
    const started = async (rounds: Record<string, string> = {}): Promise<Run> => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const answer = await setup().runs.start(leaseOf(execution), aRunState({ rounds }));
      if (answer.outcome !== 'started') throw new Error(answer.outcome);
      return answer.run;
    };
    const markAll = (run: Run, keys: readonly string[], { runs }: { runs: RunStore } = setup()) =>
      Promise.all(keys.map((key) => runs.mark(run, { key, round: undefined, mark: 's1' })));
    const rowOf = async (run: Run) => (await setup().executions.get(run)) as Run;

    test('ten are two writes, and the last of each goes on with what it has made', async () => {
      const { client } = setup();
      const run = await started();
      const before = client.requests;
      const [first, ...others] = await markAll(run, KEYS);
      expect(client.requests - before).toBe(2);
      expect(first).toMatchObject({ applied: true, made: ['0'], execution: { run: { marks: { 0: 's1' } } } });
      expect(others.every(({ applied }) => applied)).toBe(true);
      expect(others.map(({ made }) => made)).toEqual([...Array.from({ length: 8 }, () => []), KEYS.slice(1)]);
      const marks = Object.fromEntries(KEYS.map((key) => [key, 's1']));
      for (const { execution } of others) expect(execution).toMatchObject({ run: { marks, moves: 2 } });
    });

    test('each has its own truth: what is marked, or in another round, does not hold up the others', async () => {
      const run = await started({ 4: '2' });
      await setup().another().runs.mark(run, { key: '2', round: undefined, mark: 'f1' });
      const all = await markAll(run, ['0', '1', '2', '3', '4', '5']);
      expect(all.map(({ applied }) => applied)).toEqual([true, true, false, true, false, true]);
      expect(all.map(({ made }) => made)).toEqual([['0'], [], [], [], [], ['1', '3', '5']]);
      expect(all[2]!.execution).toMatchObject({ run: { marks: { 2: 'f1' } } });
      expect((await rowOf(run)).run).toMatchObject({
        marks: { 0: 's1', 1: 's1', 2: 'f1', 3: 's1', 5: 's1' },
        moves: 3,
      });
    });

    test('of two marks of one task the first counts', async () => {
      const { runs } = setup();
      const run = await started();
      const [, first, second] = await Promise.all([
        runs.mark(run, { key: '0', round: undefined, mark: 's1' }),
        runs.mark(run, { key: '1', round: undefined, mark: 's1' }),
        runs.mark(run, { key: '1', round: undefined, mark: 'f2' }),
      ]);
      expect(first).toMatchObject({ applied: true, made: ['1'] });
      expect(second).toMatchObject({
        applied: false,
        made: [],
        execution: { run: { marks: { 1: 's1' } } },
      });
    });

    test('none is made in a run that has ended, and all learn that', async () => {
      const run = await started();
      await setup().another().ends.endRun(run, ENDING);
      for (const mark of await markAll(run, KEYS.slice(0, 3)))
        expect(mark).toMatchObject({ applied: false, made: [], execution: { status: 'succeeded' } });
    });

    test('the marks of a write whose answer gets lost are recognised', async () => {
      const { client } = setup();
      const run = await started();
      client.loseNextAnswer();
      const [first, ...others] = await markAll(run, ['0', '1', '2']);
      expect(first).toMatchObject({ applied: true, made: ['0'] });
      expect(others.map(({ made }) => made)).toEqual([[], ['1', '2']]);
      expect((await rowOf(run)).run).toMatchObject({ moves: 2 });
    });

    test('of a group whose answer gets lost, each mark is recognised, and the last goes on with all', async () => {
      const { client, runs } = setup();
      const run = await started();
      const before = client.requests;
      const first = runs.mark(run, { key: '0', round: undefined, mark: 's1' });
      const group = first.then(() => client.loseNextAnswer()); // before the next write is sent
      const others = markAll(run, ['1', '2']);
      await group;
      const marks = await others;
      expect(client.requests - before).toBeGreaterThanOrEqual(3); // the group was sent twice
      expect(marks.map(({ applied }) => applied)).toEqual([true, true]);
      expect(marks.map(({ made }) => made)).toEqual([[], ['1', '2']]);
      expect((await rowOf(run)).run).toMatchObject({ moves: 2 });
    });
  });
}
