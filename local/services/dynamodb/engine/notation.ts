import type { Item } from './paths';
import { copyItemIn, copyOut } from './values';

/** How requests and answers spell values. Rows are stored as plain values. */
export interface Notation {
  /** A row, or a part of one, as it is stored. It shares nothing with its spelling. */
  itemIn(spelled: Readonly<Record<string, unknown>>): Item;
  /** The spelling of a stored value. It shares nothing with the value. */
  valueOut(value: unknown): unknown;
}

/** Plain values, as the SDK's document client has them: `{ userId: 'alice' }`. */
export const DOCUMENTS: Notation = { itemIn: copyItemIn, valueOut: copyOut };
