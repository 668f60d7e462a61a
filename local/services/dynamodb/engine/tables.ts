import { batchGet, batchWrite, type Skips } from './batch-requests';
import type { Database, Input, Output } from './database';
import { Refusal, Unsupported } from './errors';
import * as items from './item-requests';
import { MemoryTable } from './memory-table';
import { DOCUMENTS, type Notation } from './notation';
import { query, scan } from './page-requests';
import type { OnChange, TableKey } from './rows';
import { Usage } from './usage';

export interface TablesOptions {
  /** Whether a failed condition returns the row, as in AWS and not in some emulators. Default: true. */
  allOld?: boolean;
  /** Bytes after which a Query or Scan page ends. Default: 1 MB, as in AWS. */
  pageBytes?: number;
  /** Called for each row that has changed, in order. */
  onChange?: OnChange;
}

export interface RequestOptions {
  /** How input and output spell values. Default: plain values. */
  notation?: Notation;
  /** Keys of a batch that are left unprocessed. Default: none. */
  skips?: Skips;
}

const DEFAULT_PAGE_BYTES = 1_024 * 1_024;
const NONE_IS_SKIPPED: Skips = () => false;

/** A request names a table by its name or its ARN. */
export const tableNameOf = (nameOrArn: string): string => nameOrArn.slice(nameOrArn.lastIndexOf('/') + 1);

/**
 * DynamoDB in memory: tables with string keys, and requests with their conditions, limits and costs. Each
 * request is applied at once and as a whole. It has no clock: what expires is for its owner to delete.
 */
export class Tables {
  private readonly tables: ReadonlyMap<string, MemoryTable>;
  protected readonly database: Omit<Database, 'notation'>;

  constructor(schema: Readonly<Record<string, TableKey>>, options: TablesOptions = {}) {
    const { onChange } = options;
    this.tables = new Map(
      Object.entries(schema).map(([name, key]) => [name, new MemoryTable(name, { ...key }, onChange)]),
    );
    this.database = {
      table: (name) => this.table(name),
      usage: new Usage(),
      allOld: options.allOld ?? true,
      pageBytes: options.pageBytes ?? DEFAULT_PAGE_BYTES,
    };
  }

  /**
   * Applies one request by the name of its operation: `PutItem`. Throws a `Refusal` where DynamoDB answers
   * with an exception, and `Unsupported` for what this engine does not know.
   */
  request(operation: string, input: Input, options: RequestOptions = {}): Output {
    const { notation = DOCUMENTS, skips = NONE_IS_SKIPPED } = options;
    const database = { ...this.database, notation };
    switch (operation) {
      case 'GetItem':
        return items.get(database, input);
      case 'PutItem':
        return items.put(database, input);
      case 'UpdateItem':
        return items.update(database, input);
      case 'DeleteItem':
        return items.remove(database, input);
      case 'Query':
        return query(database, input);
      case 'Scan':
        return scan(database, input);
      case 'BatchGetItem':
        return batchGet(database, input, skips);
      case 'BatchWriteItem':
        return batchWrite(database, input, skips);
      default:
        throw new Unsupported(`${operation} is not supported`);
    }
  }

  /** By its name or its ARN. Throws if there is no such table. */
  table(nameOrArn: string): MemoryTable {
    const name = tableNameOf(nameOrArn);
    const table = this.tables.get(name);
    if (!table) throw new Refusal('ResourceNotFoundException', `no table ${name}`);
    return table;
  }
}
