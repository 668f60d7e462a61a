import { LocalRunError, messageOf } from '../../run/errors';
import type { RowChange } from './engine/rows';
import type { Tables } from './engine/tables';
import { filesIn } from './journal/files';
import { type Journal, openJournal } from './journal/journal';
import { STREAM_SUFFIX } from './table-stream';

/** Rows that a snapshot takes from a table in one go. */
const SLICE_ROWS = 256;

interface StoredRowsOptions {
  /** Folder of the tables; undefined keeps them in memory. */
  storePath: string | undefined;
  /** Receives lines for the terminal. */
  err(line: string): void;
  onFailure(error: Error): void;
}

/**
 * Fills the tables with the rows on disk. The journal that it returns takes what changes from now on. Throws
 * a `LocalRunError` if the rows cannot be read, or do not fit the tables.
 */
export async function openStoredRows(
  tables: Tables,
  names: readonly string[],
  { storePath, err, onFailure }: StoredRowsOptions,
): Promise<Journal> {
  if (storePath === undefined) return NOTHING_STORED;
  return openJournal(filesIn(storePath), {
    apply: (change) => apply(change, tables, names),
    rows: () => allRows(tables, names),
    onFailure: (error) =>
      onFailure(new Error(`the embedded DynamoDB failed: ${error.message}`, { cause: error })),
    onWarning: err,
  }).catch((cause: unknown) => {
    if (cause instanceof LocalRunError) throw cause;
    throw new LocalRunError(`cannot open the tables in ${storePath}: ${messageOf(cause)}`, { cause });
  });
}

const DONE = Promise.resolve();
const NOTHING_STORED: Journal = { append: () => undefined, flushed: () => DONE, close: () => DONE };

function apply({ table: name, key, item }: RowChange, tables: Tables, names: readonly string[]): void {
  // Its table had a stream then, and has none now: AWS drops what it had.
  if (!names.includes(name) && name.endsWith(STREAM_SUFFIX)) return;
  if (!names.includes(name))
    throw new Error(`they include ${name}, which is not a table of the template; use another --data`);
  const table = tables.table(name);
  const [partition = '', sort = ''] = key;
  if (!item) table.delete(partition, sort);
  else if (item[table.key.partition] === partition && item[table.key.sort] === sort) table.put(item);
  else throw new Error(`table ${name} has different keys in the template; use another --data`);
}

/** Rows may change between two slices; those of a slice are as they were when it was taken. */
function* allRows(tables: Tables, names: readonly string[]): Generator<RowChange> {
  for (const name of names) {
    const table = tables.table(name);
    for (const slice of table.slices(SLICE_ROWS))
      for (const { item } of slice) yield { table: name, key: table.keyOf(item), item };
  }
}
