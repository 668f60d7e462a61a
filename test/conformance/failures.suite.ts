import { execIdOfOccurrence, failureSortOf } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import { DAY_MS } from '../../lambdas/core/clock/clock';
import { T0_MS } from '../support/factories';
import { anEnding, claimed, leaseOf } from './execution-requests';
import type { StoreSetup } from './store-setup';

/** The sparse index of what failed or was skipped, over all jobs of a user. */
export function describeFailures(setup: () => StoreSetup): void {
  describe('ExecutionStore: failures', () => {
    const ended = async (jobKey: string, dueAtMs: number, status: 'failed' | 'succeeded' = 'failed') => {
      const { executions } = setup();
      const execution = await claimed(executions, { jobKey, dueAtMs, execId: execIdOfOccurrence(dueAtMs) });
      await executions.finish(
        leaseOf(execution),
        anEnding({ status, reason: status === 'failed' ? 'fatal' : undefined }),
        [],
      );
      return execution;
    };
    const skipped = (jobKey: string, dueAtMs: number): Execution => ({
      jobKey,
      execId: execIdOfOccurrence(dueAtMs),
      trigger: 'schedule',
      dueAtMs,
      status: 'skipped',
      reason: 'misfire',
      attempt: 1,
      failures: 0,
      takeovers: 0,
      fence: 0,
      finishedAtMs: dueAtMs + 1,
      attempts: [],
      expiresAtSec: T0_MS / 1_000 + 86_400,
    });
    const listed = async (
      userId: string,
      range: { fromMs: number; toMs: number; limit?: number; after?: string; order?: 'asc' | 'desc' },
    ) => {
      const { limit = 10, ...rest } = range;
      const page = await setup().executions.listFailures(userId, { ...rest, limit });
      return { at: page.executions.map(({ jobKey, dueAtMs }) => [jobKey, dueAtMs]), next: page.nextAfter };
    };

    it('has what failed and what was skipped, newest first over days and jobs, and nothing else', async () => {
      const { freshUser, executions } = setup();
      const user = freshUser();
      const [a, b] = [`${user}/a`, `${user}/b`];
      await ended(a, T0_MS);
      await ended(b, T0_MS + 1_000);
      await ended(a, T0_MS + 2_000, 'succeeded');
      await executions.putEnded(skipped(b, T0_MS - 2 * DAY_MS));
      await executions.putEnded({ ...skipped(b, T0_MS + 5_000), status: 'cancelled' });
      await ended(`${freshUser()}/a`, T0_MS);
      const all = [
        [b, T0_MS + 1_000],
        [a, T0_MS],
        [b, T0_MS - 2 * DAY_MS],
      ];
      const range = { fromMs: T0_MS - 3 * DAY_MS, toMs: T0_MS + DAY_MS };
      expect(await listed(user, range)).toEqual({ at: all, next: undefined });
      expect(await listed(user, { ...range, fromMs: T0_MS })).toEqual({
        at: all.slice(0, 2),
        next: undefined,
      });
      expect(await listed(user, { ...range, toMs: T0_MS })).toEqual({ at: all.slice(2), next: undefined });
    });

    it('comes in pages that neither miss nor repeat', async () => {
      const user = setup().freshUser();
      const dues = Array.from({ length: 12 }, (_, index) => T0_MS - index * 5 * 3_600_000);
      for (const [index, due] of dues.entries()) await ended(`${user}/job-${index % 3}`, due);
      const found: unknown[] = [];
      let after: string | undefined;
      do {
        const page = await listed(user, { fromMs: T0_MS - 4 * DAY_MS, toMs: T0_MS + 1, limit: 5, after });
        expect(page.at.length).toBeLessThanOrEqual(5);
        found.push(...page.at.map(([, due]) => due));
        after = page.next;
      } while (after !== undefined);
      expect(found).toEqual(dues);
    });

    it('comes in ascending order on request, in pages that neither miss nor repeat', async () => {
      const user = setup().freshUser();
      const dues = Array.from({ length: 12 }, (_, index) => T0_MS - (12 - index) * 5 * 3_600_000);
      for (const [index, due] of dues.entries()) await ended(`${user}/job-${index % 3}`, due);
      await ended(`${user}/late`, T0_MS + 1);
      await ended(`${user}/early`, T0_MS - 40 * DAY_MS);
      const found: unknown[] = [];
      let after: string | undefined;
      do {
        const range = { fromMs: T0_MS - 50 * DAY_MS, toMs: T0_MS + 1, limit: 5, order: 'asc' as const };
        const page = await listed(user, { ...range, after });
        found.push(...page.at.map(([, due]) => due));
        after = page.next;
      } while (after !== undefined);
      expect(found).toEqual([T0_MS - 40 * DAY_MS, ...dues]);
    });

    it('tells two jobs apart that failed at one instant', async () => {
      const user = setup().freshUser();
      await ended(`${user}/a`, T0_MS);
      await ended(`${user}/b`, T0_MS);
      const range = { fromMs: T0_MS, toMs: T0_MS + 1, limit: 1 };
      const first = await listed(user, range);
      expect(first.at).toEqual([[`${user}/b`, T0_MS]]);
      expect(await listed(user, { ...range, after: first.next })).toMatchObject({
        at: [[`${user}/a`, T0_MS]],
      });
    });

    it('looks through a month at a time', async () => {
      const user = setup().freshUser();
      await ended(`${user}/a`, T0_MS - 40 * DAY_MS);
      const range = { fromMs: T0_MS - 50 * DAY_MS, toMs: T0_MS };
      const first = await listed(user, range);
      expect(first.at).toEqual([]);
      expect(await listed(user, { ...range, after: first.next! })).toEqual({
        at: [[`${user}/a`, T0_MS - 40 * DAY_MS]],
        next: undefined,
      });
    });

    it('loses what the user retries, and has it again if it fails again', async () => {
      const { freshUser, executions } = setup();
      const user = freshUser();
      const jobKey = `${user}/a`;
      const { execId } = await ended(jobKey, T0_MS);
      const range = { fromMs: T0_MS, toMs: T0_MS + 1 };
      const seen = (await executions.get({ jobKey, execId }))!;
      expect(seen).not.toHaveProperty('failedOf');
      const startAtMs = T0_MS + 5_000;
      await executions.userRetry(seen, { startAtMs });
      expect(await listed(user, range)).toEqual({ at: [], next: undefined });
      const claim = { jobKey, execId, dueAtMs: T0_MS, claimId: 'claim-2', nowMs: startAtMs, userRetries: 1 };
      const again = await claimed(executions, claim);
      await executions.finish(leaseOf(again), anEnding({ status: 'failed', reason: 'fatal' }), []);
      expect((await listed(user, range)).at).toEqual([[jobKey, T0_MS]]);
    });

    it('sorts by due time first, whatever the ids are', () => {
      const early = failureSortOf({ jobKey: 'u/z', execId: '20261201T083000.000Z-zz' });
      const late = failureSortOf({ jobKey: 'u/a', execId: '20261201T083000.001Z' });
      expect(early < late).toBe(true);
    });
  });
}
