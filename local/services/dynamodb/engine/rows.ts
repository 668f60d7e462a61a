import type { Item } from './paths';

/** Names of two key attributes; the values of both are strings. */
export interface RowKey {
  partition: string;
  sort: string;
}

/** Keys of a table, and of its global indexes by name. An index has all attributes of its rows. */
export interface TableKey extends RowKey {
  indexes?: Readonly<Record<string, RowKey>>;
}

/** A row. Each write replaces it, and nothing changes it. */
export interface Stored {
  item: Item;
  bytes: number;
}

/** Rows by partition, as a query reads them: those of a table, or of one of its indexes. */
export interface Rows {
  /** Name of the table. */
  readonly name: string;
  readonly key: RowKey;
  /** The attributes that a start key names. */
  readonly startKey: readonly string[];
  /** Where a row is in its partition. Positions are unique there, and in the order of the sort keys. */
  positionOf(item: Item): string;
  /** From the first position that is not below `from`. */
  ascending(partition: string, from: string): Iterable<[position: string, row: Stored]>;
  /** Backwards, from the last position that is not above `from`. Undefined: from the last row. */
  descending(partition: string, from: string | undefined): Iterable<[position: string, row: Stored]>;
}

/** A change of one row, as a whole: it may be applied again. */
export interface RowChange {
  table: string;
  /** Its key values, partition key first. */
  key: readonly string[];
  /** The row after the change, as plain JSON values; undefined if it was deleted. */
  item: Item | undefined;
}

/** Receives a change, with the row as it was before. */
export type OnChange = (change: RowChange, before: Item | undefined) => void;
