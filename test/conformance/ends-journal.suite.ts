import { compactInstant } from '../../lambdas/core/contracts/tables';
import type { JournalEnd } from '../../lambdas/core/domain/journal-end';
import type { EndsRow } from '../../lambdas/core/store/ends-journal';
import type { StoreSetup } from './store-setup';

const DAY = '20261201';
const AT_MS = Date.parse('2026-12-01T08:30:00Z');

/** What the journal of ends must do. */
export function describeEndsJournal(setup: () => StoreSetup): void {
  describe('EndsJournal', () => {
    const end = (jobId: string, minute: number): JournalEnd => ({
      jobId,
      execId: compactInstant(AT_MS + minute * 60_000),
      trigger: 'schedule',
      status: 'succeeded',
      dueAtMs: AT_MS + minute * 60_000,
      finishedAtMs: AT_MS + minute * 60_000 + 40,
      fence: 1,
      attempts: 1,
    });
    const rowOf = (userPart: string, minute: number, ends = [end('a', minute)]): EndsRow => ({
      userPart,
      day: DAY,
      throughMs: AT_MS + minute * 60_000,
      name: `shard-${minute}`,
      ends,
      writtenAtMs: AT_MS + minute * 60_000 + 5_000,
      expiresAtSec: 1_800_000_000,
    });
    const fromMs = Date.parse('2026-12-01T00:00:00Z');

    it('reads the rows of a project and day, the latest first and page by page', async () => {
      const { journal, freshUser } = setup();
      const userPart = freshUser();
      const all = [1, 2, 3].map((minute) => rowOf(userPart, minute));
      for (const row of all) await journal.put(row);
      await journal.put(rowOf(freshUser(), 2));
      await journal.put({ ...rowOf(userPart, 2), day: '20261202' });
      const seen: JournalEnd[] = [];
      let after: string | undefined;
      do {
        const page = await journal.read(userPart, DAY, { fromMs, after, limit: 2 });
        seen.push(...page.rows.flatMap(({ items }) => items));
        after = page.nextAfter;
      } while (after !== undefined);
      expect(seen).toEqual([3, 2, 1].map((minute) => end('a', minute)));
    });

    it('replaces a row that a repeat of its batch writes again', async () => {
      const { journal, freshUser } = setup();
      const userPart = freshUser();
      await journal.put(rowOf(userPart, 1));
      await journal.put(rowOf(userPart, 1, [end('a', 1), end('b', 1)]));
      const { rows } = await journal.read(userPart, DAY, { fromMs, limit: 10 });
      expect(rows.map(({ items }) => items.map(({ jobId }) => jobId))).toEqual([['a', 'b']]);
      expect(rows[0]).toMatchObject({ throughMs: AT_MS + 60_000, writtenAtMs: AT_MS + 65_000 });
    });

    it('reads rows that reach an instant or a later one, and through a position', async () => {
      const { journal, freshUser } = setup();
      const userPart = freshUser();
      for (const minute of [1, 2, 3]) await journal.put(rowOf(userPart, minute));
      const late = await journal.read(userPart, DAY, { fromMs: AT_MS + 120_000, limit: 10 });
      expect(late.rows.map(({ throughMs }) => throughMs - AT_MS)).toEqual([180_000, 120_000]);
      const through = late.rows[1]!.position;
      const early = await journal.read(userPart, DAY, { fromMs, through, limit: 10 });
      expect(early.rows.map(({ throughMs }) => throughMs - AT_MS)).toEqual([120_000, 60_000]);
      expect(await journal.read(userPart, DAY, { fromMs: AT_MS + 240_000, through, limit: 10 })).toEqual({
        rows: [],
      });
    });

    it('begins once for each stream', async () => {
      const { journal } = setup();
      await journal.begin('stream-1', AT_MS);
      await journal.begin('stream-1', AT_MS + 1);
      expect(await journal.sinceMs()).toBe(AT_MS);
      await journal.begin('stream-2', AT_MS + 2);
      expect(await journal.sinceMs()).toBe(AT_MS + 2);
    });
  });
}
