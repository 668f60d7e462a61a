import { invalid } from './errors';
import type { MemoryTable } from './memory-table';
import { type Bindings, type Item, valueAt } from './paths';
import type { ExpressionInput, Plan } from './requests';
import type { Usage } from './usage';
import { copyOut } from './values';

/** What a request works on. */
export interface Database {
  table(name: string): MemoryTable;
  usage: Usage;
  /** Whether a failed condition returns the row. */
  allOld: boolean;
  /** Bytes after which a page ends. */
  pageBytes: number;
}

export type Input = ExpressionInput & Record<string, unknown>;
export type Output = Record<string, unknown>;

const COMMON = [
  'TableName',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnConsumedCapacity',
];

/** The table of a request, which may have no parameters but those `supported`. */
export function tableOf(database: Database, input: Input, supported: readonly string[]): MemoryTable {
  for (const name in input) {
    if (!supported.includes(name) && !COMMON.includes(name) && input[name] !== undefined) {
      throw new Error(`parameter ${name} is not supported`);
    }
  }
  return database.table(input.TableName as string);
}

export function keyIn(table: MemoryTable, key: Item): [string, string] {
  for (const name in key) {
    if (name !== table.key.partition && name !== table.key.sort) {
      throw invalid('The provided key element does not match the schema');
    }
  }
  return table.keyOf(key);
}

export function project(
  item: Item,
  { projection, bindings }: { projection?: Plan['projection']; bindings: Bindings },
): Item {
  if (!projection) return copyOut(item);
  const projected: Item = {};
  for (const path of projection) {
    const [first] = path;
    if (path.length !== 1) throw new Error('projection of nested attributes is not supported');
    const value = valueAt(item, path, bindings);
    const name = bindings.names[first as string] ?? (first as string);
    if (value !== undefined) projected[name] = copyOut(value);
  }
  return projected;
}
