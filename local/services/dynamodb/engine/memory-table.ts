import { invalid } from './errors';
import { Partitions } from './partitions';
import type { Item } from './paths';
import type { OnChange, RowKey, Rows, Stored, TableKey } from './rows';
import { itemBytes } from './values';

/** Sorts before all other characters. No key has it. */
const BETWEEN_KEYS = '\0';

/** The rows of a table that have the keys of a global index. */
class TableIndex implements Rows {
  private readonly partitions = new Partitions();
  readonly startKey: readonly string[];

  constructor(
    /** Name of the table. */
    readonly name: string,
    private readonly tableKey: RowKey,
    readonly key: RowKey,
  ) {
    this.startKey = [...new Set([key.partition, key.sort, tableKey.partition, tableKey.sort])];
  }

  /** Rows may share the keys of the index, so the keys of the table follow. */
  positionOf(item: Item): string {
    const { partition, sort } = this.tableKey;
    return [item[this.key.sort], item[partition], item[sort]].join(BETWEEN_KEYS);
  }

  ascending(partition: string, from: string): Iterable<[string, Stored]> {
    return this.partitions.ascending(partition, from);
  }

  descending(partition: string, from: string | undefined): Iterable<[string, Stored]> {
    return this.partitions.descending(partition, from);
  }

  /** Throws if a row has a key of the index that is not a string. */
  check(item: Item): void {
    for (const name of [this.key.partition, this.key.sort]) {
      if (item[name] !== undefined && typeof item[name] !== 'string')
        throw invalid(`Type mismatch for Index Key ${name}`);
    }
  }

  change(before: Stored | undefined, after: Stored | undefined): void {
    if (before && this.has(before))
      this.partitions.delete(this.partitionOf(before), this.positionOf(before.item));
    if (after && this.has(after))
      this.partitions.set(this.partitionOf(after), this.positionOf(after.item), after);
  }

  /** Bytes of each write that a change of a row brings about. */
  writes(before: Stored | undefined, after: Stored | undefined): number[] {
    const [left, entered] = [before, after].map((row) => (row && this.has(row) ? row : undefined));
    const isUpdate =
      left &&
      entered &&
      [this.key.partition, this.key.sort].every((name) => left.item[name] === entered.item[name]);
    if (isUpdate) return [Math.max(left.bytes, entered.bytes)];
    return [left, entered].filter((row) => row !== undefined).map(({ bytes }) => bytes);
  }

  private has({ item }: Stored): boolean {
    return item[this.key.partition] !== undefined && item[this.key.sort] !== undefined;
  }

  private partitionOf({ item }: Stored): string {
    return item[this.key.partition] as string;
  }
}

const MAX_ITEM_BYTES = 400 * 1_024;
const MAX_PARTITION_KEY_BYTES = 2_048;
const MAX_SORT_KEY_BYTES = 1_024;
/** Of UTF-8, for each UTF-16 code unit. */
const MOST_BYTES_A_UNIT = 3;

/**
 * Rows of one table by partition, in order of their sort keys. Keys are ASCII, so they sort as bytes.
 * Partitions are in the order of their keys, so that a scan can go on behind one that is gone.
 */
export class MemoryTable implements Rows {
  private readonly partitions = new Partitions();
  private readonly indexes: ReadonlyMap<string, TableIndex>;
  readonly startKey: readonly string[];

  constructor(
    readonly name: string,
    readonly key: TableKey,
    private readonly onChange: OnChange = () => undefined,
  ) {
    this.startKey = [key.partition, key.sort];
    const indexes = Object.entries(key.indexes ?? {});
    this.indexes = new Map(indexes.map(([index, indexKey]) => [index, new TableIndex(name, key, indexKey)]));
  }

  /** The two key values of an item or a key. */
  keyOf(item: Item): [string, string] {
    const { partition, sort } = this.key;
    return [
      keyValue(partition, item[partition], MAX_PARTITION_KEY_BYTES),
      keyValue(sort, item[sort], MAX_SORT_KEY_BYTES),
    ];
  }

  positionOf(item: Item): string {
    return item[this.key.sort] as string;
  }

  get(partition: string, sort: string): Stored | undefined {
    return this.partitions.get(partition, sort);
  }

  put(item: Item): Stored {
    const key = this.keyOf(item);
    const [partition, sort] = key;
    const stored = { item, bytes: itemBytes(item) };
    if (stored.bytes > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
    for (const index of this.indexes.values()) index.check(item);
    const before = this.get(partition, sort);
    this.changeIndexes(before, stored);
    this.partitions.set(partition, sort, stored);
    this.onChange({ table: this.name, key, item }, before?.item);
    return stored;
  }

  delete(partition: string, sort: string): void {
    const before = this.get(partition, sort);
    if (!before) return;
    this.changeIndexes(before, undefined);
    this.partitions.delete(partition, sort);
    this.onChange({ table: this.name, key: [partition, sort], item: undefined }, before.item);
  }

  ascending(partition: string, from: string): Iterable<[string, Stored]> {
    return this.partitions.ascending(partition, from);
  }

  descending(partition: string, from: string | undefined): Iterable<[string, Stored]> {
    return this.partitions.descending(partition, from);
  }

  /** Throws if there is no index of this name. */
  index(name: string): TableIndex {
    const index = this.indexes.get(name);
    if (!index) throw invalid(`The table does not have the specified index: ${name}`);
    return index;
  }

  /** Bytes of each write to an index that a change of a row brings about. */
  indexWrites(before: Stored | undefined, after: Stored | undefined): number[] {
    return [...this.indexes.values()].flatMap((index) => index.writes(before, after));
  }

  /** All rows by partition, after the given key, which may be that of a row that is gone. */
  all(after?: readonly [partition: string, sort: string]): Generator<Stored> {
    return this.partitions.all(after);
  }

  /** All rows, some at a time, as they are then. The table may change between two slices. */
  *slices(rows: number): Generator<Stored[]> {
    let after: [string, string] | undefined;
    do {
      const slice: Stored[] = [];
      for (const stored of this.all(after)) {
        slice.push(stored);
        if (slice.length === rows) break;
      }
      const last = slice.length < rows ? undefined : slice.at(-1);
      after = last && this.keyOf(last.item);
      yield slice;
    } while (after);
  }

  private changeIndexes(before: Stored | undefined, after: Stored | undefined): void {
    for (const index of this.indexes.values()) index.change(before, after);
  }
}

function keyValue(name: string, value: unknown, maxBytes: number): string {
  if (typeof value !== 'string') throw invalid(`key ${name} must be a string, is ${typeof value}`);
  if (value.length > 0 && value.length * MOST_BYTES_A_UNIT <= maxBytes) return value;
  const bytes = Buffer.byteLength(value);
  if (bytes === 0 || bytes > maxBytes) {
    throw invalid(`key ${name} has ${bytes} bytes, must have 1 to ${maxBytes}`);
  }
  return value;
}
