import {
  CONCURRENCY_KEYS,
  EXECUTIONS_KEY,
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
import type { Item } from '../support/dynamo/paths';
import { copyOut } from '../support/dynamo/values';
import type { EventLog } from './log';
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
  /** Called after each change of a row. */
  onWritten: (table: string, key: Item, row: Item | undefined) => void = () => undefined;

  constructor(
    private readonly log: EventLog,
    private readonly nowMs: () => number,
  ) {
    super({ ...KEYS });
  }

  /** Defines the concurrency keys of the run for a user. */
  defineLimits(userId: string, limits: Readonly<Record<string, number>> = {}): void {
    const by = { sub: userId, name: null, via: 'token' };
    for (const [name, limit] of Object.entries(limits)) {
      const Item = { userId, jobId: CONCURRENCY_KEYS + name, limit, updatedAtMs: this.nowMs(), by };
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
    written.forEach(({ table, key }, index) =>
      this.record(table, key, before[index], this.stored(table, key)),
    );
    return output;
  }

  private record(table: string, key: Item, before: Item | undefined, after: Item | undefined): void {
    if (before === after) return;
    const name = nameOf(table, key);
    const versions = this.versions.get(name) ?? [];
    versions.push({ t: this.nowMs(), row: after });
    this.versions.set(name, versions);
    const kind = KINDS[table]!;
    for (const happening of recordsOf({ kind, key, before, after })) this.log.add(happening);
    this.onWritten(table, key, after);
  }

  /** Deletes a row as TTL does, if it still expires then. */
  vanish(table: string, key: Item, expiresAtSec: number): boolean {
    const row = this.stored(table, key);
    if (row?.[TTL_ATTRIBUTE] !== expiresAtSec) return false;
    this.drop(table, key);
    if (table === TABLES.executions) this.vanished.set(nameOf(table, key), row);
    this.record(table, key, row, undefined);
    return true;
  }

  job({ userId, jobId }: JobRef): Job | undefined {
    const row = this.row(TABLES.jobs, { [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: jobId });
    return row && jobsIn([row])[0];
  }

  /** The executions of a job, in order. */
  executionsOf(job: JobRef): Execution[] {
    return executionsIn(this.storedIn(TABLES.executions, jobKeyOf(job)).map(copyOut));
  }

  /** The present rows, and the executions that have vanished: they are the history that the checker reads. */
  get left(): RowsLeft {
    const present = new Set(this.rows(TABLES.executions).map((row) => nameOf(TABLES.executions, row)));
    const vanished = [...this.vanished].flatMap(([name, row]) => (present.has(name) ? [] : [row]));
    return rowsLeft((kind) => [...this.rows(TABLES[kind]), ...(kind === 'executions' ? vanished : [])]);
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
