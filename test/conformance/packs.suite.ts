import { PutCommand, QueryCommand } from '../../lambdas/core/store/dynamo/commands';

import { bucketKeyOf, minuteOf } from '../../lambdas/core/contracts/tables';
import { type Entry, entrySortKey } from '../../lambdas/core/domain/entry';
import type { ScheduleStore } from '../../lambdas/core/store/schedule-store';
import { anAttemptEntry, anOccurrenceEntry, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const minute = minuteOf(T0_MS);
const COUNT = 120;

/** What a ScheduleStore that packs next entries must do with them, and one that only reads packs. */
export function describePacks(plain: () => StoreSetup, packing: () => StoreSetup): void {
  describe('ScheduleStore: packs', () => {
    const dueIn = (shard: number): Entry[] =>
      Array.from({ length: COUNT }, (_, index) =>
        anOccurrenceEntry({ shard, jobKey: `u/job-${index}`, dueAtMs: T0_MS + (index % 20) * 1_000 }),
      );

    it('gives them back page after page, in rows that any store reads', async () => {
      const { schedule, freshShard } = packing();
      const shard = freshShard();
      const entries = [...dueIn(shard), anAttemptEntry({ shard })];
      await schedule.putEntries(entries);
      for (const store of [schedule, plain().schedule]) {
        for (const limit of [1, 30, 1_000]) {
          const { keys, rowKeys } = await readAll(store, shard, limit);
          expect(keys.sort()).toEqual(entries.map(entrySortKey).sort());
          expect(rowKeys).toEqual([...rowKeys].sort());
          expect(new Set(rowKeys).size).toBeLessThan(COUNT / 5);
        }
      }
    });

    it('bounds the entries of a page, whatever the store writes', async () => {
      const limit = 10;
      const { schedule, freshShard } = packing();
      const shard = freshShard();
      await schedule.putEntries(dueIn(shard));
      let pages = 0;
      for (let after: string | undefined, isFirst = true; isFirst || after; isFirst = false) {
        const page = await plain().schedule.readBucket({ minute, shard, after, limit });
        const isOneRow = new Set(page.rowKeys).size === 1;
        expect(isOneRow || page.entries.length <= 4 * limit).toBe(true);
        expect(page.nextAfter === undefined || page.nextAfter === page.rowKeys.at(-1)).toBe(true);
        after = page.nextAfter;
        pages++;
      }
      expect(pages).toBeGreaterThanOrEqual(COUNT / (4 * limit));
    });

    it('writes the same rows again, and adds rows for another view of jobs', async () => {
      const { schedule, freshShard } = packing();
      const shard = freshShard();
      const entries = dueIn(shard);
      await schedule.putEntries(entries);
      const rows = await rowsIn(shard);
      await schedule.putEntries([...entries].reverse());
      expect(await rowsIn(shard)).toEqual(rows);
      await schedule.putEntries(entries.slice(1));
      const more = await rowsIn(shard);
      expect(more.length).toBeGreaterThan(rows.length);
      expect(more).toEqual(expect.arrayContaining(rows));
    });

    it('finds an entry in a pack, and no other', async () => {
      const { schedule, freshShard, another } = packing();
      const shard = freshShard();
      const entries = dueIn(shard) as ReturnType<typeof anOccurrenceEntry>[];
      await schedule.putEntries(entries);
      for (const store of [schedule, another().schedule]) {
        for (const entry of [entries[0]!, entries[50]!, entries[119]!]) {
          expect(await store.hasEntry(entry)).toBe(true);
          expect(await store.hasEntry({ ...entry, revision: 'other' })).toBe(false);
          expect(await store.hasEntry({ ...entry, dueAtMs: entry.dueAtMs - 1 })).toBe(false);
          expect(await store.hasEntryOfSeries({ ...entry, dueAtMs: entry.dueAtMs - 1 })).toBe(true);
          expect(await store.hasEntryOfSeries({ ...entry, revision: 'other' })).toBe(false);
          expect(await store.hasEntryOfSeries({ ...entry, shard: shard + 500 })).toBe(false);
        }
      }
    });

    it('finds at once what another process has packed since it looked', async () => {
      const { schedule, freshShard, another } = packing();
      const shard = freshShard();
      const [first, second, ...rest] = dueIn(shard) as ReturnType<typeof anOccurrenceEntry>[];
      await schedule.putEntries(rest);
      expect([await schedule.hasEntry(rest[0]!), await schedule.hasEntry(first!)]).toEqual([true, false]);
      await another().schedule.putEntries([first!, { ...second!, dueAtMs: T0_MS, checkAtMs: T0_MS }]);
      expect(await schedule.hasEntry(first!)).toBe(true);
    });

    it('keeps an entry of a pack that is to be deleted', async () => {
      const { schedule, freshShard } = packing();
      const shard = freshShard();
      const [one, ...others] = dueIn(shard);
      await schedule.putEntries([one!, ...others]);
      await schedule.removeEntry(one!);
      expect(await schedule.hasEntry(one!)).toBe(true);
    });

    it('names a damaged pack, and goes on', async () => {
      const { schedule, freshShard, client, tables } = packing();
      const shard = freshShard();
      await schedule.putEntries(dueIn(shard));
      const [pack] = await rowsIn(shard);
      const Item = { ...pack, pack: String(pack!.pack).replace('job-', 'jib-') };
      await client.documents.send(new PutCommand({ TableName: tables.schedule, Item }));
      const { keys, unreadable } = await readAll(schedule, shard, 10);
      expect(unreadable).toEqual([pack!.entry]);
      expect(keys.length).toBeGreaterThan(COUNT / 2);
    });

    async function rowsIn(shard: number): Promise<Record<string, unknown>[]> {
      const { client, tables } = packing();
      const rows: Record<string, unknown>[] = [];
      for (let after: Record<string, unknown> | undefined, more = true; more; more = after !== undefined) {
        const { Items, LastEvaluatedKey } = await client.documents.send(
          new QueryCommand({
            TableName: tables.schedule,
            KeyConditionExpression: '#bucket = :bucket',
            ExpressionAttributeNames: { '#bucket': 'bucket' },
            ExpressionAttributeValues: { ':bucket': bucketKeyOf(minute, shard) },
            ExclusiveStartKey: after,
          }),
        );
        rows.push(...Items!);
        after = LastEvaluatedKey;
      }
      return rows;
    }
  });
}

async function readAll(schedule: ScheduleStore, shard: number, limit: number) {
  const all = { keys: [] as string[], rowKeys: [] as string[], unreadable: [] as string[] };
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await schedule.readBucket({ minute, shard, after, limit });
    expect(page.rowKeys).toHaveLength(page.entries.length);
    all.keys.push(...page.entries.map(entrySortKey));
    all.rowKeys.push(...page.rowKeys);
    all.unreadable.push(...page.unreadable);
    after = page.nextAfter;
  }
  return all;
}
