import { jobKeyOf } from '../../../../../lambdas/core/contracts/tables';
import { WriteTimeoutError, IncompleteReadError } from '../../../../../lambdas/core/errors';
import { invalid, noAnswer, throttled } from '../../../../support/dynamo/errors';
import { memoryTables, TABLES } from '../../../../support/dynamo/memory-backend';
import type { Faults } from '../../../../support/dynamo/memory-dynamo';
import type { MemoryTables } from '../../../../support/dynamo/memory-tables';
import { aJob, anExecution, anOccurrenceEntry, T0_MS } from '../../../../support/factories';
import { FakeRandom } from '../../../../support/fake-random';
import { FakeClock } from '../../../../support/fake-clock';
import { memoryStores } from '../../../../support/memory-stores';

const never = () => new Promise<void>(() => undefined);

describe('no answer', () => {
  let clock: FakeClock;
  let tables: MemoryTables;
  const storesWith = (faults: Faults) =>
    memoryStores(tables, { clock, random: new FakeRandom(), faults, maxAttempts: 1 });

  beforeEach(() => {
    clock = new FakeClock();
    tables = memoryTables();
  });

  const settledAfter = async (work: Promise<unknown>): Promise<number> => {
    const startMs = clock.monotonicMs();
    await clock.settle(work.catch(() => undefined));
    return clock.monotonicMs() - startMs;
  };

  describe('to an entry', () => {
    const many = Array.from({ length: 30 }, (_, index) => anOccurrenceEntry({ jobKey: `u/job-${index}` }));

    it.each([
      ['one', [anOccurrenceEntry()]],
      ['many', many],
    ])('gives %s up after ten seconds', async (_, entries) => {
      const writing = storesWith({ before: never }).schedule.putEntries(entries);
      expect(await settledAfter(writing)).toBe(10_000);
      await expect(writing).rejects.toThrow(WriteTimeoutError);
      expect(clock.sleeping).toBe(0);
    });

    it('gives up earlier where it is told so, and tells whole milliseconds', async () => {
      const writing = storesWith({ before: never }).schedule.putEntries(many, 1_500.25);
      expect(await settledAfter(writing)).toBe(1_500.25);
      await expect(writing).rejects.toThrow('30 entries: no answer within 1500 ms');
    });

    it.each([
      ['one', [anOccurrenceEntry()]],
      ['many', many],
    ])('does not begin to write %s where no time is left', async (_, entries) => {
      const before = jest.fn();
      const writing = storesWith({ before }).schedule.putEntries(entries, 0);
      await expect(writing).rejects.toThrow(WriteTimeoutError);
      expect(before).not.toHaveBeenCalled();
    });

    it('goes by the monotonic clock', async () => {
      const writing = storesWith({ before: never }).schedule.putEntries(many);
      clock.stepWall(3_600_000);
      expect(await settledAfter(writing)).toBe(10_000);
    });

    it('sends nothing more once it has given up', async () => {
      let batches = 0;
      const stores = storesWith({
        before: () => void (batches += 1),
        leaves: () => true,
      });
      const writing = stores.schedule.putEntries(many.slice(0, 25));
      expect(await settledAfter(writing)).toBe(10_000);
      await expect(writing).rejects.toThrow(WriteTimeoutError);
      const sent = batches;
      expect(sent).toBeGreaterThan(5);
      await clock.advance(60_000);
      expect(batches).toBe(sent);
    });

    it('has the SDK try one entry no more once it has given up', async () => {
      let tries = 0;
      const before = async () => {
        tries += 1;
        await clock.sleep(3_000);
        throw noAnswer();
      };
      const options = { clock, random: new FakeRandom(), faults: { before }, maxAttempts: 9 };
      const writing = memoryStores(tables, options).schedule.putEntries([anOccurrenceEntry()]);
      expect(await settledAfter(writing)).toBe(10_000);
      expect(tries).toBe(4);
      await clock.advance(60_000);
      expect(tries).toBe(4);
    });

    it('leaves no timer behind once all is acknowledged', async () => {
      await storesWith({}).schedule.putEntries(many);
      expect(clock.sleeping).toBe(0);
    });

    it('tells any other error as it is', async () => {
      const stores = storesWith({ before: () => Promise.reject(invalid('no')) });
      await expect(stores.schedule.putEntries(many)).rejects.toThrow('no');
    });
  });

  describe('to a heartbeat', () => {
    const lease = { ...anExecution({ status: 'running' }), claimId: 'one' };

    it('is known after two seconds, and no word on the lease', async () => {
      const heartbeating = storesWith({ before: never }).executions.heartbeat(lease, T0_MS);
      expect(await settledAfter(heartbeating)).toBe(2_000);
      await expect(heartbeating).rejects.toThrow(WriteTimeoutError);
      expect(clock.sleeping).toBe(0);
    });

    it('is not tried again', async () => {
      let heartbeats = 0;
      const stores = memoryStores(tables, {
        clock,
        random: new FakeRandom(),
        maxAttempts: 5,
        faults: {
          before() {
            heartbeats += 1;
            throw throttled();
          },
        },
      });
      await expect(stores.executions.heartbeat(lease, T0_MS)).rejects.toThrow('Throughput exceeded');
      expect(heartbeats).toBe(1);
    });
  });

  describe('to a read of many', () => {
    const keys = ['a', 'b', 'c'].map((jobId) => jobKeyOf({ userId: 'u', jobId }));

    it('names the keys that were left unprocessed to the end, and gives the rest', async () => {
      await storesWith({}).jobs.create(aJob({ userId: 'u', jobId: 'a' }));
      const stores = storesWith({ leaves: (_, key) => key.jobId === 'b' });
      const { jobs, unread } = await clock.settle(stores.jobs.getMany(keys, { consistent: true }));
      expect([...jobs.keys()]).toEqual([keys[0]]);
      expect([...unread]).toEqual([keys[1]]);
    });

    it('names all keys of a call that was throttled to the end', async () => {
      const stores = storesWith({ before: () => Promise.reject(throttled()) });
      const { unread } = await clock.settle(stores.jobs.getMany(keys, { consistent: true }));
      expect([...unread]).toEqual(keys);
    });

    it('takes no key for absent where the call fails otherwise', async () => {
      const stores = storesWith({ before: () => Promise.reject(noAnswer()) });
      await expect(clock.settle(stores.jobs.getMany(keys, { consistent: true }))).rejects.toThrow(
        'no answer',
      );
    });

    it('does not let a cursor without an answer pass for missing', async () => {
      const stores = storesWith({ leaves: (table) => table === TABLES.schedule });
      await expect(clock.settle(stores.schedule.readCursors('scan', [0, 1]))).rejects.toThrow(
        IncompleteReadError,
      );
    });
  });
});
