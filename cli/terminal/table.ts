import { stripVTControlCharacters } from 'node:util';

import { singleLine } from './printable';

const GAP = '  ';

/**
 * A table with columns as wide as their widest cell. The last column is not padded. Cells may contain
 * colours.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === head.length - 1 ? cell : pad(cell, widths[column] ?? 0)))
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Names and values, one pair per line. Pairs without a value are left out. */
export function fields(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => Boolean(pair[1]));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}\n`).join('');
}

/** Untrusted text, made safe to print: on one line, without hidden characters, at most `max` characters. */
export function plain(text: string, max = 200): string {
  const line = singleLine(text);
  return Array.from(line).length > max
    ? `${Array.from(line)
        .slice(0, max - 1)
        .join('')}…`
    : line;
}

const widthOf = (cell: string): number => Array.from(stripVTControlCharacters(cell)).length;

const pad = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
