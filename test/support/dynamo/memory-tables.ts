import type { Skips } from '../../../local/services/dynamodb/engine/batch-requests';
import type { Input, Output } from '../../../local/services/dynamodb/engine/database';
import { Refusal } from '../../../local/services/dynamodb/engine/errors';
import type { Item } from '../../../local/services/dynamodb/engine/paths';
import { Tables, type TablesOptions } from '../../../local/services/dynamodb/engine/tables';
import type { Units } from '../../../local/services/dynamodb/engine/usage';
import { copyOut } from '../../../local/services/dynamodb/engine/values';
import { watchWritten } from '../row-bounds';
import { sdkErrorOf } from './errors';

export type MemoryTablesOptions = Pick<TablesOptions, 'allOld' | 'onChange' | 'pageBytes'>;

/** Operations by the names of the stores' commands. */
const OPERATIONS: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  QueryCommand: 'Query',
  ScanCommand: 'Scan',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
};

/**
 * The tables of the local run, as the document client sees them: by the names of its commands, with its
 * errors. Tests may also read rows at no cost, and delete some. Time, faults and retries are the task of the
 * client, `memory-dynamo`.
 */
export class MemoryTables extends Tables {
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
    return Array.from(this.table(table).ascending(partition, ''), ([, { item }]) => item);
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
    try {
      const output = this.request(OPERATIONS[command] ?? command, input, { skips });
      watchWritten((table, key) => this.stored(table, key), command, input);
      return output;
    } catch (error) {
      throw error instanceof Refusal ? sdkErrorOf(error) : error;
    }
  }
}
