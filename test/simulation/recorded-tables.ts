import {
  CONCURRENCY_KEYS,
  EXECUTIONS_KEY,
  FAILURES_INDEX,
  FAILURES_KEY,
  jobKeyOf,
  type JobRef,
  JOBS_KEY,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { TABLES } from '../support/dynamo/memory-backend';
import { MemoryTables } from '../support/dynamo/memory-tables';
import type { Item } from '../../local/services/dynamodb/engine/paths';
import { copyOut } from '../../local/services/dynamodb/engine/values';
import { calendarIn, type RowOf, versionRowKey, withContent } from './calendars';
import type { EventLog, LogConditions, TableRecord } from './log';
import { NOT_YET_WRITTEN } from './rollout';
import { executionsIn, jobsIn, recordsOf, type RowsLeft, rowsLeft, type TableKind } from './row-records';

type Input = Parameters<MemoryTables['apply']>[1];
type Skips = Parameters<MemoryTables['apply']>[2];

const KEYS: Readonly<Record<string, { partition: string; sort: string }>> = {
  [TABLES.jobs]: JOBS_KEY,
  [TABLES.executions]: EXECUTIONS_KEY,
  [TABLES.schedule]: SCHEDULE_KEY,
};

const KINDS: Readonly<Record<string, TableKind>> = {
  [TABLES.jobs]: 'jobs',
  [TABLES.executions]: 'executions',
  [TABLES.schedule]: 'schedule',
};

/** The three tables. Every change goes into the log, in the order of the table. */
export class RecordedTables extends MemoryTables {
  /** Versions of each row, by table and key. */
  private readonly versions = new Map<string, { t: number; row: Item | undefined }[]>();
  /** Executions that TTL has deleted, by their key. */
  private readonly vanished = new Map<string, Item>();
  private isOlder = false;
  /** Called after each change of a row. */
  onWritten: (table: string, key: Item, row: Item | undefined) => void = () => undefined;
  /** Called with a row of Executions before and after each change. */
  onExecution: (before: Item | undefined, after: Item | undefined) => void = () => undefined;

  constructor(
    private readonly log: EventLog,
    private readonly nowMs: () => number,
  ) {
    super({
      ...KEYS,
      [TABLES.executions]: { ...EXECUTIONS_KEY, indexes: { [FAILURES_INDEX]: FAILURES_KEY } },
    });
  }

  /** Defines the concurrency keys of the run for a user. */
  defineLimits(userId: string, { limits = {}, rates = {} }: Pick<LogConditions, 'limits' | 'rates'>): void {
    const by = { sub: userId, name: null, via: 'token' };
    for (const [name, limit] of Object.entries(limits)) {
      const { [name]: { limit: starts, per } = {} } = rates;
      const rate = starts === undefined ? {} : { rate: { limit: starts, per } };
      const Item = {
        userId,
        jobId: CONCURRENCY_KEYS + name,
        limit,
        ...rate,
        updatedAtMs: this.nowMs(),
        by,
      } as Item;
      this.apply('PutCommand', { TableName: TABLES.jobs, Item }, () => false);
    }
  }

  /** An eventually consistent read, with rows as they were at `asOfMs`. */
  applyAsOf(asOfMs: number, command: string, input: Input, skips: Skips): Record<string, unknown> {
    const output = this.apply(command, input, skips);
    const asOf = (table: string, keys: readonly Item[]): Item[] =>
      keys.flatMap((key) => {
        const versions = this.versions.get(nameOf(table, key)) ?? [];
        const row = versions.findLast(({ t }) => t <= asOfMs)?.row;
        return row ? [copyOut(row)] : [];
      });
    if (command === 'ScanCommand' || command === 'QueryCommand')
      return { ...output, Items: asOf(input.TableName as string, output.Items as Item[]) };
    const requests = input.RequestItems as Record<string, { Keys: Item[] }>;
    const unprocessed = output.UnprocessedKeys as Record<string, { Keys: Item[] }>;
    const Responses = Object.fromEntries(
      Object.entries(requests).map(([table, { Keys }]) => {
        const left = new Set((unprocessed[table]?.Keys ?? []).map((key) => nameOf(table, key)));
        return [
          table,
          asOf(
            table,
            Keys.filter((key) => !left.has(nameOf(table, key))),
          ),
        ];
      }),
    );
    return { ...output, Responses };
  }

  override apply(command: string, input: Input, skips: Skips): Record<string, unknown> {
    if (!/^(Put|Update|Delete|BatchWrite)Command$/.test(command)) return super.apply(command, input, skips);
    const written = writtenKeys(command, input);
    const before = written.map(({ table, key }) => this.stored(table, key));
    const output = super.apply(command, input, skips);
    if (this.isOlder) written.forEach(({ table, key }, index) => this.forget(table, key, before[index]));
    written.forEach(({ table, key }, index) =>
      this.record(table, key, before[index], this.stored(table, key)),
    );
    return output;
  }

  /** A write by the version of the code before the present one. */
  applyAsOlder(command: string, input: Input, skips: Skips): Record<string, unknown> {
    this.isOlder = true;
    try {
      return this.apply(command, input, skips);
    } finally {
      this.isOlder = false;
    }
  }

  /** Removes what the older version does not write. It leaves what another version has written. */
  private forget(table: string, key: Item, before: Item | undefined): void {
    const row = this.stored(table, key);
    const kind = KINDS[table]!;
    if (!row || kind === 'schedule') return;
    const isLacking = (name: string) => NOT_YET_WRITTEN[kind].includes(name) && before?.[name] === undefined;
    if (!Object.keys(row).some(isLacking)) return;
    const Item = Object.fromEntries(Object.entries(row).filter(([name]) => !isLacking(name)));
    super.apply('PutCommand', { TableName: table, Item }, () => false);
  }

  private record(
    table: string,
    key: Item,
    before: Item | undefined,
    after: Item | undefined,
    how: { expired?: true } = {},
  ): void {
    if (before === after) return;
    const name = nameOf(table, key);
    const versions = this.versions.get(name) ?? [];
    versions.push({ t: this.nowMs(), row: after });
    this.versions.set(name, versions);
    const kind = KINDS[table]!;
    for (const happening of recordsOf({ kind, key, before, after, ...how })) {
      // A row is replaced, and never changed. The calendars of a job are objects with methods.
      if (happening.type === 'job') this.log.add(this.withContent(happening));
      else this.log.addUnchanging(happening);
    }
    const changed = kind === 'jobs' && after ? calendarIn(after, this.versionRow) : undefined;
    if (changed) this.log.add({ src: 'table', type: 'calendar', ...changed });
    this.onWritten(table, key, after);
    if (kind === 'executions') this.onExecution(before, after);
  }

  /** Deletes a row as TTL does, if it still expires then. */
  vanish(table: string, key: Item, expiresAtSec: number): boolean {
    const row = this.stored(table, key);
    if (row?.[TTL_ATTRIBUTE] !== expiresAtSec) return false;
    this.drop(table, key);
    if (table === TABLES.executions) this.vanished.set(nameOf(table, key), row);
    this.record(table, key, row, undefined, { expired: true });
    return true;
  }

  /** Puts a table back to what it was at `toMs`, except for rows that stay as they are. */
  restore(table: string, toMs: number, stays: (key: Item) => boolean): void {
    for (const [name, versions] of this.versions) {
      const [of, partition, sort] = JSON.parse(name) as [string, string, string];
      if (of !== table) continue;
      const key = { [KEYS[table]!.partition]: partition, [KEYS[table]!.sort]: sort };
      if (stays(key)) continue;
      const before = this.stored(table, key);
      const row = versions.findLast(({ t }) => t <= toMs)?.row;
      if (row === before) continue;
      if (row) super.apply('PutCommand', { TableName: table, Item: row }, () => false);
      else this.drop(table, key);
      this.record(table, key, before, row && this.stored(table, key));
    }
  }

  job({ userId, jobId }: JobRef): Job | undefined {
    const row = this.row(TABLES.jobs, { [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: jobId });
    const [job] = row ? jobsIn([row]) : [];
    return job && withContent(job, this.versionRow);
  }

  private readonly versionRow: RowOf = (key) => this.row(TABLES.executions, versionRowKey(key) as Item);

  /** A row of Jobs has only the versions of calendars. */
  private withContent(happening: TableRecord & { type: 'job' }): TableRecord {
    if (!happening.job) return happening;
    return { ...happening, job: withContent(happening.job, this.versionRow) };
  }

  /** The executions of a job, in order. */
  executionsOf(job: JobRef): Execution[] {
    return executionsIn(this.storedIn(TABLES.executions, jobKeyOf(job)).map(copyOut));
  }

  /**
   * The present rows, and the executions that have vanished: they are the history that the checker reads.
   * They share their parts with the tables, so the caller must not change them.
   */
  get left(): RowsLeft {
    const isGone = (row: Item) => this.stored(TABLES.executions, row) === undefined;
    const vanished = [...this.vanished.values()].filter(isGone);
    const left = rowsLeft((kind) => [
      ...this.storedRows(TABLES[kind]),
      ...(kind === 'executions' ? vanished : []),
    ]);
    return { ...left, jobs: left.jobs.map((job) => withContent(job, this.versionRow)) };
  }
}

/** The rows that a request writes, by their keys. */
export function writtenKeys(command: string, input: Input): { table: string; key: Item }[] {
  const keyOf = (table: string, item: Item): Item => {
    const { partition, sort } = KEYS[table]!;
    return { [partition]: item[partition]!, [sort]: item[sort]! };
  };
  if (command === 'BatchWriteCommand') {
    const requests = input.RequestItems as Record<string, { PutRequest: { Item: Item } }[]>;
    return Object.entries(requests).flatMap(([table, puts]) =>
      puts.map(({ PutRequest }) => ({ table, key: keyOf(table, PutRequest.Item) })),
    );
  }
  const table = input.TableName as string;
  return [{ table, key: keyOf(table, (input.Item ?? input.Key) as Item) }];
}

function nameOf(table: string, item: Item): string {
  const { partition, sort } = KEYS[table]!;
  return JSON.stringify([table, item[partition], item[sort]]);
}
