import type { Lease } from '../../../../../lambdas/core/store/execution-store';
import { execIdOfOccurrence, jobKeyOf } from '../../../../../lambdas/core/contracts/tables';
import { memoryTables, TABLES } from '../../../../support/dynamo/memory-backend';
import type { Faults } from '../../../../support/dynamo/memory-dynamo';
import type { MemoryTables } from '../../../../support/dynamo/memory-tables';
import {
  aJob,
  anAttempt,
  anAttemptEntry,
  anExecution,
  anOccurrenceEntry,
  T0_MS,
} from '../../../../support/factories';
import { FakeRandom } from '../../../../support/fake-random';
import { FakeClock } from '../../../../support/fake-clock';
import type { Stores } from '../../../../../lambdas/core/platform/stores';
import { memoryStores } from '../../../../support/memory-stores';

/** What each access costs in request units and requests: the floor that the design promises. */
describe('cost of an access', () => {
  let tables: MemoryTables;
  let stores: Stores;
  let requests: string[];

  beforeEach(() => {
    tables = memoryTables();
    requests = [];
    const faults: Faults = { before: ({ command }) => void requests.push(command) };
    stores = memoryStores(tables, { clock: new FakeClock(), random: new FakeRandom(), faults });
  });

  async function costOf(work: () => Promise<unknown>) {
    const before = tables.units();
    requests.length = 0;
    await work();
    const after = tables.units();
    return {
      writes: after.writeUnits - before.writeUnits,
      reads: after.readUnits - before.readUnits,
      requests: requests.length,
    };
  }

  const aClaim = (claimId: string, attempt = 1) => ({
    jobKey: jobKeyOf(aJob()),
    execId: execIdOfOccurrence(T0_MS),
    trigger: 'schedule' as const,
    dueAtMs: T0_MS,
    attempt,
    claimId,
    nowMs: T0_MS + 20,
  });
  const lease: Lease = { ...aClaim('one'), fence: 1 };
  const ending = { status: 'succeeded', finishedAtMs: T0_MS + 500, expiresAtSec: 1_800_000_000 } as const;
  const next = { attempt: 2, startAtMs: T0_MS + 10_000, failures: 1, takeovers: 0 };

  it('is four writes for the whole life of a one-time job', async () => {
    const cost = await costOf(async () => {
      await stores.schedule.putEntries([anOccurrenceEntry()]);
      await stores.jobs.create(aJob());
      await stores.executions.claim(aClaim('one'));
      await stores.executions.finish(lease, ending, [anAttempt({ outcome: 'succeeded' })]);
    });
    expect(cost).toEqual({ writes: 4, reads: 0, requests: 4 });
  });

  it('is one write and no read for each write that succeeds', async () => {
    await stores.executions.claim(aClaim('one'));
    const one = { writes: 1, reads: 0, requests: 1 };
    expect(await costOf(() => stores.executions.heartbeat(lease, T0_MS + 8_000))).toEqual(one);
    expect(await costOf(() => stores.executions.awaitRetry(lease, next, [anAttempt()]))).toEqual(one);
    const second = { ...aClaim('two', 2), nowMs: next.startAtMs };
    expect(await costOf(() => stores.executions.claim(second))).toEqual(one);
    const seen = (await stores.executions.get(lease))!;
    expect(
      await costOf(() => stores.executions.takeOver(seen, { ...next, attempt: 3 }, [anAttempt()])),
    ).toEqual(one);
    const waiting = (await stores.executions.get(lease))!;
    const cancelled = { ...ending, status: 'cancelled' as const };
    expect(await costOf(() => stores.executions.endWaiting(waiting, cancelled))).toEqual(one);
    expect(await costOf(() => stores.jobs.create(aJob()))).toEqual(one);
    expect(await costOf(() => stores.jobs.replace(aJob({ etag: 'two' }), 'etag-1'))).toEqual(one);
    expect(await costOf(() => stores.jobs.remove(aJob(), 'two'))).toEqual(one);
    expect(await costOf(() => stores.jobs.remove(aJob(), 'two'))).toEqual(one);
  });

  it('is one write for a progress, and two once its text makes the row larger than 1 KB', async () => {
    await stores.executions.claim({ ...aClaim('one'), orderingKey: 'k'.repeat(256) });
    const short = { value: 0.5, text: 'page 5 of 10', atMs: T0_MS };
    const one = { writes: 1, reads: 0, requests: 1 };
    expect(await costOf(() => stores.executions.keepProgress(lease, short))).toEqual(one);
    expect(await costOf(() => stores.executions.heartbeat(lease, T0_MS + 8_000, short))).toEqual(one);
    const longest = { ...short, text: '界'.repeat(200) };
    const two = { ...one, writes: 2 };
    expect(await costOf(() => stores.executions.keepProgress(lease, longest))).toEqual(two);
    expect(await costOf(() => stores.executions.heartbeat(lease, T0_MS + 9_000))).toEqual(two);
    expect(await costOf(() => stores.executions.finish(lease, ending, [anAttempt()]))).toEqual(two);
  });

  it('is one write and no read for a lost claim', async () => {
    await stores.executions.claim(aClaim('one'));
    const cost = await costOf(() => stores.executions.claim(aClaim('two')));
    expect(cost).toEqual({ writes: 1, reads: 0, requests: 1 });
  });

  it('is one request for 25 entries', async () => {
    const entries = Array.from({ length: 25 }, (_, index) => anAttemptEntry({ jobKey: `u/job-${index}` }));
    expect(await costOf(() => stores.schedule.putEntries(entries))).toEqual({
      writes: 25,
      reads: 0,
      requests: 1,
    });
  });

  it('is one read unit for a page of a dozen entries: rows are small', async () => {
    const jobKey = `4f3c2a1e-0b9d-4c7e-8f6a-1234567890ab/a-rather-long-name-of-a-job`;
    const revision = new FakeRandom().id();
    const entries = Array.from({ length: 12 }, (_, index) =>
      anOccurrenceEntry({ jobKey, revision, dueAtMs: T0_MS + index * 1_000 }),
    );
    await stores.schedule.putEntries(entries);
    for (const row of tables.rows(TABLES.schedule)) expect(JSON.stringify(row).length).toBeLessThan(350);
    const minute = T0_MS / 60_000;
    const cost = await costOf(() => stores.schedule.readBucket({ minute, shard: 0, limit: 100 }));
    expect(cost).toEqual({ writes: 0, reads: 1, requests: 1 });
  });

  it('is half a read unit a job where consistency is not asked for', async () => {
    await stores.jobs.create(aJob());
    const keys = [jobKeyOf(aJob()), 'alice/none'];
    const cheap = await costOf(() => stores.jobs.getMany(keys, { consistent: false }));
    expect(cheap).toEqual({ writes: 0, reads: 1, requests: 1 });
    const consistent = await costOf(() => stores.jobs.getMany(keys, { consistent: true }));
    expect(consistent).toEqual({ writes: 0, reads: 2, requests: 1 });
  });

  it('is two writes for a skipped range: the row, and its copy in the index of failures', async () => {
    const skipped = { fromMs: T0_MS, toMs: T0_MS + 60_000, count: 2 };
    const row = anExecution({ status: 'skipped', reason: 'misfire', fence: 0, attempts: [], skipped });
    const cost = { writes: 2, reads: 0, requests: 1 };
    expect(await costOf(() => stores.executions.putEnded(row))).toEqual(cost);
  });
});
