import { batchGet, batchWrite, type Skips } from './batch-requests';
import type { Database, Input, Output } from './database';
import { invalid } from './errors';
import * as items from './item-requests';
import { MemoryTable, type TableKey } from './memory-table';
import { query, scan } from './page-requests';
import type { Item } from './paths';
import { type Units, Usage } from './usage';
import { copyOut } from './values';

export interface MemoryTablesOptions {
  /** Whether a failed condition returns the row, as in AWS and not in some emulators. Default: true. */
  allOld?: boolean;
  /** Bytes after which a Query or Scan page ends. Default: 1 MB, as in AWS. */
  pageBytes?: number;
}

const DEFAULT_PAGE_BYTES = 1_024 * 1_024;

/**
 * DynamoDB in memory: tables with string keys, and the requests of the document client with their conditions,
 * limits and costs. Each request is applied at once and as a whole. Time, faults and retries are the client's
 * task (`memory-dynamo`).
 */
export class MemoryTables {
  private readonly tables: ReadonlyMap<string, MemoryTable>;
  private readonly database: Database;

  constructor(schema: Readonly<Record<string, TableKey>>, options: MemoryTablesOptions = {}) {
    this.tables = new Map(
      Object.entries(schema).map(([name, key]) => [name, new MemoryTable(name, { ...key })]),
    );
    this.database = {
      table: (name) => this.table(name),
      usage: new Usage(),
      allOld: options.allOld ?? true,
      pageBytes: options.pageBytes ?? DEFAULT_PAGE_BYTES,
    };
  }

  /** Read and write units so far, of one table or of all. */
  units(table?: string): Units {
    return this.database.usage.of(table);
  }

  /** A copy of one row. Costs nothing. */
  row(table: string, key: Item): Item | undefined {
    const item = this.stored(table, key);
    return item && copyOut(item);
  }

  /** A copy of every row of a table that is meant. `isMeant` gets the rows themselves, and changes none. */
  rows(table: string, isMeant: (row: Readonly<Item>) => boolean = () => true): Item[] {
    const found: Item[] = [];
    for (const { item } of this.table(table).all()) if (isMeant(item)) found.push(copyOut(item));
    return found;
  }

  /** One row itself, not a copy. Each write replaces it, and none changes it: nor may the caller. */
  protected stored(table: string, key: Item): Item | undefined {
    const kept = this.table(table);
    return kept.get(...kept.keyOf(key))?.item;
  }

  /** Every row of a table, as `stored`. */
  protected storedRows(table: string): Item[] {
    return Array.from(this.table(table).all(), ({ item }) => item);
  }

  /** Deletes one row. Costs nothing. */
  protected drop(table: string, key: Item): void {
    const kept = this.table(table);
    kept.delete(...kept.keyOf(key));
  }

  /** The rows of a partition in the order of their sort keys, as `stored`. */
  protected storedIn(table: string, partition: string): Item[] {
    return Array.from(this.table(table).ascending(partition, ''), ({ item }) => item);
  }

  /**
   * Removes the rows whose TTL attribute lies before `nowSec`, as DynamoDB does within days. Costs nothing.
   */
  expire(tableName: string, ttlAttribute: string, nowSec: number): number {
    const table = this.table(tableName);
    const expired = [...table.all()].filter(({ item }) => (item[ttlAttribute] as number) < nowSec);
    for (const { item } of expired) table.delete(...table.keyOf(item));
    return expired.length;
  }

  /** Applies one request of the document client, by the name of its command. */
  apply(command: string, input: Input, skips: Skips): Output {
    switch (command) {
      case 'GetCommand':
        return items.get(this.database, input);
      case 'PutCommand':
        return items.put(this.database, input);
      case 'UpdateCommand':
        return items.update(this.database, input);
      case 'DeleteCommand':
        return items.remove(this.database, input);
      case 'QueryCommand':
        return query(this.database, input);
      case 'ScanCommand':
        return scan(this.database, input);
      case 'BatchGetCommand':
        return batchGet(this.database, input, skips);
      case 'BatchWriteCommand':
        return batchWrite(this.database, input, skips);
      default:
        throw new Error(`${command} is not supported`);
    }
  }

  private table(name: string): MemoryTable {
    const table = this.tables.get(name);
    if (!table) throw Object.assign(invalid(`no table ${name}`), { name: 'ResourceNotFoundException' });
    return table;
  }
}
