import { minuteOf, minuteStartMs } from '../../../../lambdas/core/contracts/tables';
import { type OccurrenceEntry, entrySortKey } from '../../../../lambdas/core/domain/entry';
import { type ShardVisitor, type Visit, walk, type WalkResult } from '../../../../lambdas/core/shards/walk';
import type { ScheduleStore } from '../../../../lambdas/core/store/schedule-store';
import { MemoryTables } from '../../../support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../../support/dynamo/table-keys';
import { anOccurrenceEntry } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { FakeRandom } from '../../../support/fake-random';
import { memoryStores } from '../../../support/memory-stores';
import { RecordingLog } from '../../../support/recording-log';

export const SHARDS = [0, 1, 2, 3, 4, 5];
/** Buckets from the cursors to the one in which the walk ends. */
export const BUCKETS_BEHIND = 3;

export type VisitPage = ReturnType<ShardVisitor['begin']>;

/** Six shards whose sweep cursors are some buckets behind the clock, and a walk over them. */
export class WalkWorld {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly endMinute = minuteOf(this.clock.nowMs());
  schedule: ScheduleStore;
  /** Commands that the store has received. */
  calls: string[] = [];
  /** `<shard>@<minutes from the end>` of each page that `visitAll` has visited. */
  visits: string[] = [];
  leftMs = 60_000;

  private constructor() {
    const faults = { before: ({ command }: { command: string }) => void this.calls.push(command) };
    const tables = new MemoryTables(TABLE_KEYS);
    this.schedule = memoryStores(tables, { clock: this.clock, random: new FakeRandom(1), faults }).schedule;
  }

  static async started(): Promise<WalkWorld> {
    const world = new WalkWorld();
    const minute = world.endMinute - BUCKETS_BEHIND;
    await world.schedule.createCursors(
      SHARDS.map((shard) => ({
        kind: 'sweep',
        shard,
        minute,
        after: '',
        movedAtMs: 0,
        entriesInLastBucket: 0,
      })),
    );
    world.calls = [];
    return world;
  }

  /** An entry of a bucket: in the last one, it lies within the range. */
  async put(shard: number, minute = this.endMinute, offsetMs = 0): Promise<OccurrenceEntry> {
    const checkAtMs = minuteStartMs(minute) + offsetMs;
    const entry = anOccurrenceEntry({ shard, checkAtMs, dueAtMs: checkAtMs, throughMs: checkAtMs });
    await this.schedule.putEntries([entry]);
    this.calls = [];
    return entry;
  }

  readonly visitAll: VisitPage = async ({ entries, nextAfter }, { shard, minute, after }): Promise<Visit> => {
    this.visits.push(`${shard}@${minute - this.endMinute}`);
    const last = entries.at(-1);
    return {
      entries: entries.length,
      through: nextAfter ?? (last ? entrySortKey(last) : after),
      isDone: nextAfter === undefined,
    };
  };

  run(visit: VisitPage = this.visitAll, shards: readonly number[] = SHARDS): Promise<WalkResult[]> {
    const { schedule, clock, log } = this;
    const visitor: ShardVisitor = {
      kind: 'sweep',
      onStart: () => undefined,
      onEnd: () => undefined,
      rangeAt: ({ minute }) => ({ endsBucket: minute < this.endMinute }),
      begin: () => visit,
    };
    return clock.settle(walk(shards, visitor, { schedule, clock, log }, { remainingMs: () => this.leftMs }));
  }

  /** The minute of each cursor, counted from the end of the walk. */
  async positions(): Promise<number[]> {
    const cursors = await this.schedule.readCursors('sweep', SHARDS);
    return [...cursors.values()].map(({ minute }) => minute - this.endMinute);
  }

  count(command: string): number {
    return this.calls.filter((call) => call === command).length;
  }

  failing(changes: Partial<ScheduleStore>): void {
    this.schedule = { ...this.schedule, ...changes };
  }
}

export const endOf = (results: readonly WalkResult[], shard: number): WalkResult | undefined =>
  results.find((result) => result.shard === shard);
