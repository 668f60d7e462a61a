import { invalid } from './errors';
import type { Item } from './paths';
import { itemBytes } from './values';

/** Names of the two key attributes; both are strings. */
export interface TableKey {
  partition: string;
  sort: string;
  /** Keys of its global indexes, by name. */
  indexes?: Readonly<Record<string, { partition: string; sort: string }>>;
}

export interface Stored {
  item: Item;
  bytes: number;
}

interface Partition {
  /** Sort keys in order. */
  order: string[];
  rows: Map<string, Stored>;
}

const MAX_ITEM_BYTES = 400 * 1_024;
const MAX_PARTITION_KEY_BYTES = 2_048;
const MAX_SORT_KEY_BYTES = 1_024;
/** Of UTF-8, for each UTF-16 code unit. */
const MOST_BYTES_A_UNIT = 3;

/** Rows of one table by partition, in order of their sort keys. Keys are ASCII, so they sort as bytes. */
export class MemoryTable {
  private readonly partitions = new Map<string, Partition>();

  constructor(
    readonly name: string,
    readonly key: TableKey,
  ) {}

  /** The two key values of an item or a key. */
  keyOf(item: Item): [string, string] {
    const { partition, sort } = this.key;
    return [
      keyValue(partition, item[partition], MAX_PARTITION_KEY_BYTES),
      keyValue(sort, item[sort], MAX_SORT_KEY_BYTES),
    ];
  }

  get(partition: string, sort: string): Stored | undefined {
    return this.partitions.get(partition)?.rows.get(sort);
  }

  put(item: Item): Stored {
    const [partitionValue, sort] = this.keyOf(item);
    const stored = { item, bytes: itemBytes(item) };
    if (stored.bytes > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
    let partition = this.partitions.get(partitionValue);
    if (!partition) this.partitions.set(partitionValue, (partition = { order: [], rows: new Map() }));
    if (!partition.rows.has(sort)) partition.order.splice(position(partition.order, sort), 0, sort);
    partition.rows.set(sort, stored);
    return stored;
  }

  delete(partitionValue: string, sort: string): void {
    const partition = this.partitions.get(partitionValue);
    if (!partition?.rows.delete(sort)) return;
    partition.order.splice(position(partition.order, sort), 1);
    if (partition.order.length === 0) this.partitions.delete(partitionValue);
  }

  /** Rows of a partition in order, from the first sort key that is not below `from`. */
  *ascending(partitionValue: string, from: string): Generator<Stored> {
    const partition = this.partitions.get(partitionValue);
    if (!partition) return;
    const { order, rows } = partition;
    for (let at = position(order, from); at < order.length; at++) yield rows.get(order[at]!)!;
  }

  /** Rows of a partition backwards, from the last sort key up to `from`. Undefined: from the last row. */
  *descending(partitionValue: string, from: string | undefined): Generator<Stored> {
    const partition = this.partitions.get(partitionValue);
    if (!partition) return;
    const { order, rows } = partition;
    let at = from === undefined ? order.length - 1 : position(order, from);
    if (from !== undefined && order[at] !== from) at -= 1;
    for (; at >= 0; at--) yield rows.get(order[at]!)!;
  }

  /** The rows that have an index's keys, as a table. The sort keys must be unique in their partitions. */
  index(name: string): MemoryTable {
    const key = this.key.indexes?.[name];
    if (!key) throw invalid(`The table does not have the specified index: ${name}`);
    const index = new MemoryTable(this.name, key);
    for (const { item } of this.all()) if (isIndexed(item, key)) index.put(item);
    return index;
  }

  /** Bytes of each write to an index that a change of a row brings about. */
  indexWrites(before: Item | undefined, after: Item | undefined): number[] {
    return Object.values(this.key.indexes ?? {}).flatMap((key) => {
      const [left, entered] = [before, after].map((item) =>
        item && isIndexed(item, key) ? item : undefined,
      );
      if (left && entered && [key.partition, key.sort].every((name) => left[name] === entered[name]))
        return [Math.max(itemBytes(left), itemBytes(entered))];
      return [left, entered].filter((item) => item !== undefined).map(itemBytes);
    });
  }

  /** All rows, partitions in the order they came, after the given key. */
  *all(after?: [string, string]): Generator<Stored> {
    let reached = after === undefined;
    for (const [partitionValue, { order, rows }] of this.partitions) {
      if (!reached && partitionValue !== after![0]) continue;
      const from = reached ? 0 : position(order, after![1]);
      reached = true;
      for (let at = from; at < order.length; at++) {
        if (partitionValue === after?.[0] && order[at] === after[1]) continue;
        yield rows.get(order[at]!)!;
      }
    }
  }
}

const isIndexed = (item: Item, { partition, sort }: TableKey): boolean =>
  item[partition] !== undefined && item[sort] !== undefined;

/** Where `sort` is, or would be. */
function position(order: readonly string[], sort: string): number {
  if (order.length === 0 || order.at(-1)! < sort) return order.length; // most rows come in order
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order[middle]! < sort) low = middle + 1;
    else high = middle;
  }
  return low;
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
