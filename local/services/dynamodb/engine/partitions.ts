import type { Stored } from './rows';
import { SortedMap } from './sorted-map';

/** Rows by partition and position, both in order. A partition without rows is none. */
export class Partitions {
  private readonly partitions = new SortedMap<SortedMap<Stored>>();

  get(partition: string, position: string): Stored | undefined {
    return this.partitions.get(partition)?.get(position);
  }

  set(partition: string, position: string, row: Stored): void {
    let rows = this.partitions.get(partition);
    if (!rows) this.partitions.set(partition, (rows = new SortedMap()));
    rows.set(position, row);
  }

  delete(partition: string, position: string): void {
    const rows = this.partitions.get(partition);
    if (!rows) return;
    rows.delete(position);
    if (rows.isEmpty) this.partitions.delete(partition);
  }

  /** From the first position that is not below `from`. */
  ascending(partition: string, from: string): Iterable<[position: string, row: Stored]> {
    return this.partitions.get(partition)?.ascending(from) ?? [];
  }

  /** Backwards, from the last position that is not above `from`. Undefined: from the last row. */
  descending(partition: string, from: string | undefined): Iterable<[position: string, row: Stored]> {
    return this.partitions.get(partition)?.descending(from) ?? [];
  }

  /** All rows by partition, after the given place, where there may be none. */
  *all(after?: readonly [partition: string, position: string]): Generator<Stored> {
    for (const [partition, rows] of this.partitions.ascending(after?.[0])) {
      const from = partition === after?.[0] ? after[1] : '';
      for (const [position, stored] of rows.ascending(from)) if (position !== from) yield stored;
    }
  }
}
