import { PutCommand, QueryCommand } from '../../lambdas/core/store/dynamo/commands';

import { bucketKeyOf, minuteOf } from '../../lambdas/core/contracts/tables';
import { type Entry, entrySortKey, sortKeyAfter } from '../../lambdas/core/domain/entry';
import { anAttemptEntry, anOccurrenceEntry, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const minute = minuteOf(T0_MS);

/** What every ScheduleStore must do with entries, and must not. */
export function describeScheduleStore(setup: () => StoreSetup, how: 'entries' | 'packs' = 'entries'): void {
  describe(`ScheduleStore: ${how}`, () => {
    it('gives every kind of entry back as it was written', async () => {
      const { schedule, freshShard } = setup();
      const shard = freshShard();
      const entries: Entry[] = [
        anOccurrenceEntry({ shard }),
        anOccurrenceEntry({
          shard,
          jobKey: 'u%23/a',
          throughMs: T0_MS + 50_000,
          offsetsMs: [10_000, 50_000],
          rechecks: 0,
          runsBefore: 7,
          generation: 3,
        }),
        anOccurrenceEntry({ shard, checkAtMs: T0_MS + 1, catchUp: true, rechecks: 2 }),
        anAttemptEntry({ shard }),
        anAttemptEntry({ shard, attempt: 12, rechecks: 1, execId: '20261201T083000.000Z-abc' }),
        anAttemptEntry({
          shard,
          jobKey: 'u/~n-ops',
          execId: '20261201T083000.000Z-def',
          aboutJobKey: 'u%23/a',
        }),
      ];
      await schedule.putEntries(entries);
      expect(await readAll({ shard, limit: 100 })).toEqual({ entries: inOrder(entries), unreadable: [] });
    });

    it('writes one, many, the same again, and none', async () => {
      const { schedule, freshShard } = setup();
      const shard = freshShard();
      const one = anOccurrenceEntry({ shard });
      await schedule.putEntries([one]);
      expect(await schedule.hasEntry(one)).toBe(true);
      expect(await schedule.hasEntry({ ...one, revision: 'other' })).toBe(false);
      const many = Array.from({ length: 60 }, (_, index) =>
        anOccurrenceEntry({ shard, jobKey: `u/job-${index}` }),
      );
      await schedule.putEntries([...many, one, many[0]!]);
      await schedule.putEntries([]);
      expect(await keysIn({ shard, limit: 1_000 })).toEqual(inOrder([...many, one]).map(entrySortKey));
    });

    it('deletes an entry, and no other; again, without effect', async () => {
      const { schedule, freshShard } = setup();
      const shard = freshShard();
      const [one, other] = [anOccurrenceEntry({ shard }), anOccurrenceEntry({ shard, revision: 'other' })];
      for (const entry of [one, other]) await schedule.putEntries([entry]);
      await schedule.removeEntry(one);
      await schedule.removeEntry(one);
      expect([await schedule.hasEntry(one), await schedule.hasEntry(other)]).toEqual([false, true]);
    });

    it('keeps a week more than its time, whenever it is written', async () => {
      const { schedule, freshShard, client, tables } = setup();
      const shard = freshShard();
      await schedule.putEntries([anOccurrenceEntry({ shard })]);
      const { Items } = await client.documents.send(
        new QueryCommand({
          TableName: tables.schedule,
          KeyConditionExpression: '#bucket = :bucket',
          ExpressionAttributeNames: { '#bucket': 'bucket' },
          ExpressionAttributeValues: { ':bucket': bucketKeyOf(minute, shard) },
        }),
      );
      expect(Items![0]!.expiresAtSec).toBe(T0_MS / 1_000 + 7 * 86_400);
    });

    it('reads one bucket only: strictly after, strictly before, page after page', async () => {
      const { schedule, freshShard } = setup();
      const shard = freshShard();
      const entries = Array.from({ length: 6 }, (_, index) =>
        anOccurrenceEntry({ shard, dueAtMs: T0_MS + index * 10_000 }),
      );
      const elsewhere = [
        anOccurrenceEntry({ shard, dueAtMs: T0_MS + 60_000 }),
        anOccurrenceEntry({ shard, dueAtMs: T0_MS - 1 }),
        anOccurrenceEntry({ shard: freshShard() }),
      ];
      await schedule.putEntries([...entries, ...elsewhere]);
      const keys = entries.map(entrySortKey);
      for (const limit of [1, 4, 6, 100]) expect(await keysIn({ shard, limit })).toEqual(keys);
      expect(await keysIn({ shard, limit: 2, after: keys[2] })).toEqual(keys.slice(3));
      expect(await keysIn({ shard, limit: 2, before: keys[4] })).toEqual(keys.slice(0, 4));
      expect(await keysIn({ shard, limit: 2, after: keys[2], before: keys[4] })).toEqual([keys[3]]);
      expect(await keysIn({ shard, limit: 2, after: sortKeyAfter(T0_MS + 20_000) })).toEqual(keys.slice(3));
      expect(await keysIn({ shard, limit: 2, after: keys[4], before: keys[2] })).toEqual([]);
      expect(await keysIn({ shard, limit: 2, after: '' })).toEqual(keys);
      expect(await keysIn({ shard, limit: 2, before: '20261201T083030.000Z' })).toEqual(keys.slice(0, 3));
    });

    it('names rows that are no entries, and goes on', async () => {
      const { schedule, freshShard, client, tables } = setup();
      const shard = freshShard();
      const bucket = bucketKeyOf(minute, shard);
      const sound = anOccurrenceEntry({ shard });
      await schedule.putEntries([sound]);
      const key = entrySortKey(sound);
      const broken = [
        { entry: 'nonsense', v: 1 },
        { entry: key.replace('nightly', 'older'), v: 0, generation: 1, runsBefore: 0 },
        { entry: key.replace('nightly', 'newer'), v: 2, generation: 1, runsBefore: 0 },
        { entry: key.replace('nightly', 'empty'), v: 1 },
        { entry: key.replace('#o#', '#x#'), v: 1, generation: 1, runsBefore: 0 },
        { entry: key.replace('T083000', 'T084000'), v: 1, generation: 1, runsBefore: 0 },
        { entry: key.replace('alice/', '%zz/'), v: 1, generation: 1, runsBefore: 0 },
        { entry: key.replace('alice/', '%61lice/'), v: 1, generation: 1, runsBefore: 0 },
        { entry: key.replace('nightly-report', ''), v: 1, generation: 1, runsBefore: 0 },
        { entry: '20261201T083000.000Z#u/j#a##1', v: 1 },
        { entry: '20261201T083000.000Z#u/j#a#20261201T083000.000Z#0', v: 1 },
      ];
      for (const row of broken) {
        await client.documents.send(new PutCommand({ TableName: tables.schedule, Item: { bucket, ...row } }));
      }
      const { entries, unreadable } = await readAll({ shard, limit: 3 });
      expect(entries).toEqual([sound]);
      expect(unreadable.sort()).toEqual(broken.map(({ entry }) => entry).sort());
    });

    it('sends again what a batch left unprocessed', async () => {
      const { schedule, freshShard, client } = setup();
      const shard = freshShard();
      const entries = Array.from({ length: 25 }, (_, index) =>
        anOccurrenceEntry({ shard, dueAtMs: T0_MS + index * 60_000 }),
      );
      const before = client.requests;
      client.leaveNextBatch();
      await schedule.putEntries(entries);
      expect(client.requests - before).toBe(2);
      for (const entry of entries) expect(await schedule.hasEntry(entry)).toBe(true);
    });

    type Range = { shard: number; limit: number; after?: string; before?: string };

    async function readAll(query: Range): Promise<{ entries: Entry[]; unreadable: string[] }> {
      const all = { entries: [] as Entry[], unreadable: [] as string[] };
      for (let { after } = query; ;) {
        const page = await setup().schedule.readBucket({ minute, ...query, after });
        all.entries.push(...page.entries);
        all.unreadable.push(...page.unreadable);
        if (page.nextAfter === undefined) return all;
        after = page.nextAfter;
      }
    }

    /** An entry may be in two packs, or in a pack and a row of its own. */
    async function keysIn(query: Range): Promise<string[]> {
      const keys = (await readAll(query)).entries.map(entrySortKey);
      return how === 'packs' ? [...new Set(keys)].sort() : keys;
    }
  });
}

const inOrder = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort((a, b) => (entrySortKey(a) < entrySortKey(b) ? -1 : 1));
