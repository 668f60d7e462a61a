import { invalid } from './errors';
import { Partitions } from './partitions';
import type { Item } from './paths';
import type { RowKey, Rows, Stored } from './rows';

/** Sorts before all other characters. No key has it. */
const BETWEEN_KEYS = '\0';

/** The rows of a table that have the keys of a global index. */
export class TableIndex implements Rows {
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
