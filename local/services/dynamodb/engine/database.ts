import { invalid, Unsupported } from './errors';
import type { MemoryTable } from './memory-table';
import type { Notation } from './notation';
import { type Bindings, type Item, valueAt } from './paths';
import type { ExpressionInput, Plan } from './requests';
import type { Usage } from './usage';
import { setOwn } from './values';

/** What a request works on. */
export interface Database {
  table(name: string): MemoryTable;
  usage: Usage;
  /** Whether a failed condition returns the row. */
  allOld: boolean;
  /** Bytes after which a page ends. */
  pageBytes: number;
  notation: Notation;
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
      throw new Unsupported(`parameter ${name} is not supported`);
    }
  }
  return database.table(input.TableName as string);
}

/** The key values of a request's key, as it spells it. */
export function keyIn({ notation }: Database, table: MemoryTable, spelled: Item): [string, string] {
  for (const name in spelled) {
    if (name !== table.key.partition && name !== table.key.sort) {
      throw invalid('The provided key element does not match the schema');
    }
  }
  return table.keyOf(notation.itemIn(spelled));
}

/** The spelling of a row, or of the attributes that a request asks for. */
export function spell(
  item: Item,
  { valueOut }: Notation,
  { projection, bindings }: { projection?: Plan['projection']; bindings?: Bindings } = {},
): Item {
  const out: Item = {};
  if (!projection) {
    for (const name in item) setOwn(out, name, valueOut(item[name]));
    return out;
  }
  for (const path of projection) {
    const [first] = path;
    if (path.length !== 1) throw new Unsupported('projection of nested attributes is not supported');
    const value = valueAt(item, path, bindings!);
    const name = bindings!.names[first as string] ?? (first as string);
    if (value !== undefined) setOwn(out, name, valueOut(value));
  }
  return out;
}
