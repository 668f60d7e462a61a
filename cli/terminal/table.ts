import { singleLine } from './printable';
import { cut, widthOf } from './width';

const GAP = '  ';
/** The least that is left of a text. */
const LEAST_TEXT = 12;

/** A column of a table: its heading, and what becomes of it where the terminal is too narrow. */
export interface Column {
  head: string;
  /** Its cells may be cut, to so many columns of the terminal. Without it, they stay whole. */
  least?: number;
  /** It may be left out. Those with the highest number are left out first. */
  spare?: number;
}

/** A column of texts: they may be cut. */
export const texts = (head: string, least = LEAST_TEXT): Column => ({ head, least });

/** A table for one output: its columns, and the cells of each row. */
export type MakeTable = (
  columns: readonly (Column | string)[],
  rows: readonly (readonly string[])[],
) => string;

/**
 * A table with columns as wide as their widest cell. The last column is not padded. Cells may contain
 * colours. If it is wider than the terminal, texts are cut, then columns are left out, and named below. If
 * that is not enough, each row becomes a list of names and values. Without a width, as in a pipe, all is
 * printed.
 */
export function table(
  columns: readonly (Column | string)[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string {
  const all = columns.map((column) => (typeof column === 'string' ? { head: column } : column));
  const sized = all.map((column, index) => ({
    ...column,
    index,
    natural: Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[index] ?? ''))),
  }));
  const fitting = fit(sized, width);
  if (!fitting) return stacked(all, rows, width);
  const lines = [all.map(({ head }) => head), ...rows].map((row) => lineOf(row, fitting));
  const leftOut = sized.filter(({ index }) => fitting.every((shown) => shown.index !== index));
  if (leftOut.length > 0) lines.push(cut(`left out: ${leftOut.map(({ head }) => head).join(', ')}`, width));
  return lines.map((line) => `${line}\n`).join('');
}

const lineOf = (row: readonly string[], shown: readonly Placed[]): string =>
  shown
    .map(({ index, columns }, at) => {
      const cell = cut(row[index] ?? '', columns);
      return at === shown.length - 1 ? cell : cell + ' '.repeat(columns - widthOf(cell));
    })
    .join(GAP)
    .trimEnd();

interface Sized extends Column {
  index: number;
  /** The width of its widest cell. */
  natural: number;
}

interface Placed {
  index: number;
  columns: number;
}

/** Which columns are shown, and how wide. Undefined if not even those that have to stay fit. */
function fit(columns: readonly Sized[], width: number): Placed[] | undefined {
  const shown = shrunk(columns, width);
  if (shown) return shown;
  const [last] = columns
    .filter(({ spare }) => spare !== undefined)
    .sort((one, other) => other.spare! - one.spare!);
  return (
    last &&
    fit(
      columns.filter((column) => column !== last),
      width,
    )
  );
}

/** The columns with the widest texts cut, as far as that is needed. Undefined if it is not enough. */
function shrunk(columns: readonly Sized[], width: number): Placed[] | undefined {
  const room = width - GAP.length * (columns.length - 1);
  const placed = columns.map(({ index, natural, least = natural }) => ({
    index,
    columns: natural,
    least: Math.min(natural, least),
  }));
  const sum = (of: (column: (typeof placed)[number]) => number) =>
    placed.reduce((all, column) => all + of(column), 0);
  if (sum(({ least }) => least) > room) return undefined;
  for (let over = sum((one) => one.columns) - room; over > 0; over--)
    placed
      .filter((one) => one.columns > one.least)
      .reduce((widest, one) => (one.columns > widest.columns ? one : widest)).columns--;
  return placed;
}

/** Each row as names and values, without those that are empty. */
const stacked = (columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string =>
  rows
    .map((row) =>
      fields(
        columns.map(({ head }, index) => [head, row[index]]),
        width,
      ),
    )
    .join('\n');

/** The most that a terminal gets of one value. */
const MOST_SHOWN = 300;

type Pairs = readonly (readonly [name: string, value: string | undefined])[];
/** Names and values for one output. */
export type MakeFields = (pairs: Pairs) => string;

/**
 * Names and values, one pair per line. Pairs without a value are left out. A terminal gets the beginning of a
 * long value. Without a width, as in a pipe, all is printed.
 */
export function fields(pairs: Pairs, terminalWidth?: number): string {
  const most = terminalWidth === undefined ? Infinity : MOST_SHOWN;
  const shown = pairs.filter((pair): pair is readonly [string, string] => Boolean(pair[1]));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}${GAP}${cut(value, most)}\n`).join('');
}

/** Untrusted text, made safe to print: on one line, without hidden characters. */
export const plain = singleLine;
