import { bucketKeyOf, jobKeyOf, minuteOf } from '../../lambdas/core/contracts/tables';
import { shardOf } from '../../lambdas/core/domain/shard';
import { MEASURED } from './limits';

/** When the jobs of a load are due. */
export type Load = 'spread' | 'nine';

const NINE_MS = Date.UTC(2026, 11, 1, 9);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const READ_UNIT_BYTES = 4_096;
const PAGE_ENTRIES = 500;
/** The scanner reads a bucket about three minutes before it begins. */
const SCANNED_AHEAD_SEC = 170;
/** The sweeper rechecks an entry this long after its time. */
const RECHECK_AFTER_SEC = 20;
/** A sweep begins every ten seconds. */
const SWEEP_EVERY_SEC = 10;

export interface Hottest {
  /** Units in the busiest second of the busiest partition key, and which it was. */
  units: number;
  key: string;
}

export interface PartitionUse {
  load: Load;
  jobs: number;
  users: number;
  shards: number;
  writes: Hottest;
  reads: Hottest;
  /** Seconds from the first due time until everything was executed. */
  drainSec: number;
}

/**
 * Plays the requests of one bucket second by second, with the keys that the code makes. Finds the partition
 * key with the most requests. It counts a whole key as one partition, which is the worst case. DynamoDB may
 * split the rows of a user or a bucket further, and does not keep two hot keys together for long.
 *
 * @param at.fires one per job, evenly over `users`
 * @param at.executedBy how many fires the executors can run from second 0 until a second
 */
export function playPartitions(
  load: Load,
  at: { fires: number; users: number; shards: number; executedBy: (second: number) => number },
): PartitionUse {
  const { fires, users, shards, executedBy } = at;
  const writes = new Meter();
  const reads = new Meter();
  const jobs = jobsOf(fires, users, shards);
  const minute = minuteOf(NINE_MS);
  // Jobs of the spread load are next due a minute later, those of nine o'clock a day later.
  const nextMinute = minuteOf(load === 'nine' ? NINE_MS + DAY_MS : NINE_MS + MINUTE_MS);

  const byShard = Array.from({ length: shards }, (): Job[] => []);
  for (const job of jobs) byShard[job.shard]!.push(job);
  for (const [shard, own] of byShard.entries()) {
    const scanned = `Schedule ${bucketKeyOf(minute, shard)}`;
    const next = `Schedule ${bucketKeyOf(nextMinute, shard)}`;
    for (const [index, job] of own.entries()) {
      const second = Math.floor(index / MEASURED.scannedPerSec) - SCANNED_AHEAD_SEC;
      writes.add(second, next, 1);
      reads.add(second, `Jobs ${job.user}`, 0.5);
      if (index % PAGE_ENTRIES === 0) reads.add(second, scanned, pageUnits(own.length - index));
    }
  }

  const executedAt = execute(jobs, load, executedBy);
  for (const [index, second] of executedAt.entries()) {
    const { user, key } = jobs[index]!;
    writes.alone(`Executions ${key}`, 2); // claim and finish within one second
    reads.add(second, `Jobs ${user}`, 1);
  }
  for (const [shard, own] of byShard.entries()) sweep(shard, own, load, executedAt, { writes, reads });
  return {
    load,
    jobs: fires,
    users,
    shards,
    writes: writes.hottest(),
    reads: reads.hottest(),
    drainSec: executedAt.reduce((last, second) => Math.max(last, second), 0) + 1,
  };
}

interface Job {
  index: number;
  key: string;
  user: string;
  shard: number;
}

const jobsOf = (count: number, users: number, shards: number): Job[] =>
  Array.from({ length: count }, (_, index) => {
    const user = `user-${index % users}`;
    const key = jobKeyOf({ userId: user, jobId: `job-${index}` });
    return { index, key, user, shard: shardOf(key, shards) };
  });

const dueSec = (job: Job, load: Load): number => (load === 'nine' ? 0 : job.index % 60);

/** The second in which each job is executed: in the order of their times, as many in a second as can be. */
function execute(jobs: readonly Job[], load: Load, executedBy: (second: number) => number): number[] {
  const taken = new Map<number, number>();
  let from = 0;
  return [...jobs]
    .sort((a, b) => dueSec(a, load) - dueSec(b, load))
    .reduce<number[]>((seconds, job) => {
      from = Math.max(from, dueSec(job, load));
      while ((taken.get(from) ?? 0) >= Math.floor(executedBy(from + 1)) - Math.floor(executedBy(from)))
        from += 1;
      taken.set(from, (taken.get(from) ?? 0) + 1);
      seconds[job.index] = from;
      return seconds;
    }, []);
}

/** Rechecks: a read for each ended execution. Jobs that still wait are filed again in the present bucket. */
function sweep(
  shard: number,
  own: readonly Job[],
  load: Load,
  executedAt: readonly number[],
  { writes, reads }: { writes: Meter; reads: Meter },
): void {
  const bucketAt = (second: number) => `Schedule ${bucketKeyOf(minuteOf(NINE_MS + second * 1_000), shard)}`;
  const swept = bucketAt(0);
  let waiting = own.map((job) => ({ job, checkSec: dueSec(job, load) + RECHECK_AFTER_SEC }));
  for (let passSec = 0; waiting.length > 0; passSec += SWEEP_EVERY_SEC) {
    const due = waiting.filter(({ checkSec }) => checkSec <= passSec);
    waiting = waiting.filter(({ checkSec }) => checkSec > passSec);
    let second = passSec;
    let present = bucketAt(second);
    let room = 1;
    for (const [index, { job }] of due.entries()) {
      const isOpen = executedAt[job.index]! >= second;
      if (index % PAGE_ENTRIES === 0) reads.add(second, swept, pageUnits(due.length - index));
      reads.alone(`Executions ${job.key}`, isOpen ? 1.5 : 0.5);
      if (isOpen) {
        reads.add(second, `Jobs ${job.user}`, 1);
        writes.add(second, present, 1);
        waiting.push({ job, checkSec: second + 2 * RECHECK_AFTER_SEC });
      }
      room -= 1 / (isOpen ? MEASURED.filedAgainPerSec : MEASURED.sweptPerSec);
      if (room <= 0) {
        second += 1;
        present = bucketAt(second);
        room += 1;
      }
    }
  }
}

const pageUnits = (entriesLeft: number): number =>
  Math.ceil((Math.min(PAGE_ENTRIES, entriesLeft) * MEASURED.entryBytes) / READ_UNIT_BYTES);

/** Units by second and partition key. */
class Meter {
  private readonly bySecond = new Map<number, Map<string, number>>();
  private most: Hottest = { units: 0, key: '' };

  /** Counts a key that has no other request in the same second. */
  alone(key: string, units: number): void {
    if (units > this.most.units) this.most = { units, key };
  }

  add(second: number, key: string, units: number): void {
    let keys = this.bySecond.get(second);
    if (!keys) this.bySecond.set(second, (keys = new Map()));
    keys.set(key, (keys.get(key) ?? 0) + units);
  }

  hottest(): Hottest {
    let hottest = this.most;
    for (const keys of this.bySecond.values())
      for (const [key, units] of keys) if (units > hottest.units) hottest = { units, key };
    return hottest;
  }
}
