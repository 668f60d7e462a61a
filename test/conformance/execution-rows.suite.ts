import { PutCommand } from '../../lambdas/core/store/dynamo/commands';

import { execIdOfManualRun, execIdOfOccurrence } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import { executionMapKey } from '../../lambdas/core/store/execution-store';
import { anExecution, T0_MS } from '../support/factories';
import { anEnding, claimed, leaseOf } from './execution-requests';
import type { StoreSetup } from './store-setup';

/** Rows that no claim makes, and reading. */
export function describeExecutionRows(setup: () => StoreSetup): void {
  describe('ExecutionStore: what never ran', () => {
    const aSkip = (jobKey: string, overrides: Partial<Execution> = {}): Execution => ({
      jobKey,
      execId: execIdOfOccurrence(T0_MS),
      trigger: 'schedule',
      dueAtMs: T0_MS,
      status: 'skipped',
      reason: 'misfire',
      attempt: 1,
      failures: 0,
      takeovers: 0,
      fence: 0,
      finishedAtMs: T0_MS + 90_000,
      attempts: [],
      skipped: { fromMs: T0_MS, toMs: T0_MS + 60_000, count: 2 },
      expiresAtSec: T0_MS / 1_000 + 86_400,
      ...overrides,
    });

    it('writes a finished row once', async () => {
      const { executions, freshJobKey } = setup();
      const row = aSkip(freshJobKey());
      expect(await executions.putEnded(row)).toBe('written');
      expect(await executions.get(row)).toEqual(row);
      expect(await executions.putEnded(row)).toBe('exists');
    });

    it('never changes an existing record', async () => {
      const { executions, freshJobKey } = setup();
      const row = aSkip(freshJobKey());
      await executions.putEnded(row);
      const longer = { ...row, skipped: { fromMs: T0_MS, toMs: T0_MS + 120_000, count: 3 } };
      expect(await executions.putEnded(longer)).toBe('exists');
      expect(await executions.putEnded({ ...row, reason: 'paused' })).toBe('exists');
      expect(await executions.get(row)).toEqual(row);
    });

    it('does not touch what runs or ran', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execution = await claimed(executions, { jobKey });
      expect(await executions.putEnded(aSkip(jobKey))).toBe('exists');
      await executions.finish(leaseOf(execution), anEnding(), []);
      expect(await executions.putEnded(aSkip(jobKey))).toBe('exists');
      expect(await executions.get(execution)).toMatchObject({ status: 'succeeded' });
    });

    it('refuses a status that nothing scheduled can take', async () => {
      const { executions } = setup();
      const row = aSkip('user/job', { status: 'retrying' });
      await expect(executions.putEnded(row)).rejects.toThrow(/from scheduled to retrying/);
    });
  });

  describe('ExecutionStore: reading', () => {
    const moreThanABatchOf = (jobKey: string) =>
      Array.from({ length: 110 }, (_, index) => ({
        jobKey,
        execId: execIdOfOccurrence(T0_MS + index * 60_000),
      }));

    it('reads many, over batches, each key once', async () => {
      const { executions, freshJobKey } = setup();
      const refs = moreThanABatchOf(freshJobKey());
      const made = await Promise.all(
        refs
          .slice(0, 3)
          .map((ref, index) => claimed(executions, { ...ref, dueAtMs: T0_MS + index * 60_000 })),
      );
      const answer = await executions.getMany([...refs, refs[0]!], { consistent: true });
      expect(answer.unread.size).toBe(0);
      expect(answer.executions).toEqual(new Map(made.map((one) => [executionMapKey(one), one])));
    });

    it('statuses at many rows at once: how they ended, of those that are there', async () => {
      const { executions, freshJobKey } = setup();
      const refs = moreThanABatchOf(freshJobKey());
      const running = await claimed(executions, { ...refs[0]!, dueAtMs: T0_MS });
      const ended = await claimed(executions, { ...refs[109]!, dueAtMs: T0_MS });
      const ending = anEnding({ status: 'failed', finishedAtMs: T0_MS + 1 });
      await executions.finish(leaseOf(ended), ending, []);
      expect(await executions.getStatuses([...refs, refs[0]!])).toEqual(
        new Map([
          [
            executionMapKey(running),
            { dueAtMs: T0_MS, status: 'running', fence: 1, finishedAtMs: undefined },
          ],
          [executionMapKey(ended), { dueAtMs: T0_MS, status: 'failed', fence: 1, finishedAtMs: T0_MS + 1 }],
        ]),
      );
    });

    it('names a row that it cannot read, and never takes it for absent', async () => {
      const { client, executions, freshJobKey, tables } = setup();
      const ref = { jobKey: freshJobKey(), execId: execIdOfOccurrence(T0_MS) };
      const Item = { jobId: ref.jobKey, execId: ref.execId, status: 'dreaming' };
      await client.documents.send(new PutCommand({ TableName: tables.executions, Item }));
      const answer = await executions.getMany([ref], { consistent: true });
      expect([...answer.unread]).toEqual([]);
      expect([...answer.unreadable]).toEqual([executionMapKey(ref)]);
      await expect(executions.get(ref)).rejects.toThrow(/cannot be read/);
    });

    it('lists one job in either order, page after page, within inclusive bounds', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await claimed(executions, { jobKey: freshJobKey() });
      const ids = [0, 1, 2, 3].map((minute) => execIdOfOccurrence(T0_MS + minute * 60_000));
      ids.splice(2, 0, execIdOfManualRun(T0_MS + 60_000, 'abc'));
      for (const execId of ids) {
        if (execId.includes('-')) {
          await executions.putQueued(anExecution({ jobKey, execId, status: 'queued', trigger: 'manual' }));
        } else {
          await claimed(executions, { jobKey, execId });
        }
      }
      const reversed = [...ids].reverse();
      for (const limit of [1, 2, 100]) {
        expect(await idsOf({ order: 'asc', limit })).toEqual(ids);
        expect(await idsOf({ order: 'desc', limit })).toEqual(reversed);
        const range = { fromExecId: ids[1]!, toExecId: ids[3]! };
        expect(await idsOf({ order: 'asc', limit, ...range })).toEqual(ids.slice(1, 4));
        expect(await idsOf({ order: 'desc', limit, ...range })).toEqual(reversed.slice(1, 4));
      }
      const from = { fromExecId: ids[2]! };
      expect(await idsOf({ order: 'asc', limit: 9, ...from, after: ids[0]! })).toEqual(ids.slice(2));
      expect(await idsOf({ order: 'asc', limit: 9, ...from, after: ids[3]! })).toEqual(ids.slice(4));
      expect(await idsOf({ order: 'asc', limit: 9, toExecId: ids[1]!, after: ids[3]! })).toEqual([]);
      expect(await idsOf({ order: 'desc', limit: 9, ...from, after: ids[1]! })).toEqual([]);
      expect(await idsOf({ order: 'asc', limit: 9, fromExecId: ids[3]!, toExecId: ids[1]! })).toEqual([]);

      async function idsOf(page: Parameters<typeof executions.list>[1]): Promise<string[]> {
        const found: string[] = [];
        for (let after = page.after; ;) {
          const { executions: some, nextAfter } = await executions.list(jobKey, { ...page, after });
          found.push(...some.map(({ execId }) => execId));
          if (nextAfter === undefined) return found;
          after = nextAfter;
        }
      }
    });
  });
}
