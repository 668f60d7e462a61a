import { crc32 } from 'node:zlib';

import type { RowChange } from '../engine/rows';

/** One line of a file, read back. */
export interface FileRecord {
  /**
   * Whether a write to the journal begins here. All bytes before it were on disk by then, because the writes
   * wait for each other.
   */
  startsWrite: boolean;
  value: unknown;
}

const FORMAT = 'quarterjack-tables';
const VERSION = 1;

const SUM_CHARS = 8;
const STARTS_WRITE = '*';
const CONTINUES_WRITE = ' ';

const sumOf = (bytes: Buffer): string => crc32(bytes).toString(16).padStart(SUM_CHARS, '0');

/** Checksum of the rest in hex, mark, JSON, newline. JSON has no newline in it. */
function encode(value: unknown, startsWrite: boolean): Buffer {
  const mark = startsWrite ? STARTS_WRITE : CONTINUES_WRITE;
  const line = Buffer.from(`${'0'.repeat(SUM_CHARS)}${mark}${JSON.stringify(value)}\n`);
  line.write(sumOf(line.subarray(SUM_CHARS, -1)), 'latin1');
  return line;
}

/** The first line of every file. */
export const HEADER = encode({ format: FORMAT, version: VERSION }, true);

/** The line of a change: `["Table",["pk","sk"],{…}]`, without the last part if the row was deleted. */
export const encodeChange = ({ table, key, item }: RowChange, startsWrite: boolean): Buffer =>
  encode(item === undefined ? [table, key] : [table, key, item], startsWrite);

/** The last line of a snapshot: how many rows it has. */
export const encodeEnd = (rows: number): Buffer => encode({ rows }, false);

/** Reads a line, given without its newline. Undefined if it is damaged. */
export function decode(line: Buffer): FileRecord | undefined {
  if (line.length <= SUM_CHARS) return undefined;
  if (line.toString('latin1', 0, SUM_CHARS) !== sumOf(line.subarray(SUM_CHARS))) return undefined;
  try {
    return {
      startsWrite: line[SUM_CHARS] === STARTS_WRITE.charCodeAt(0),
      value: JSON.parse(line.toString('utf8', SUM_CHARS + 1)),
    };
  } catch {
    return undefined; // a checksum of 32 bits fits other bytes once in four billion times
  }
}

/** The change that a record holds; undefined if it holds another thing. */
export function changeOf(value: unknown): RowChange | undefined {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !Array.isArray(value[1])) return undefined;
  return { table: value[0], key: value[1] as string[], item: value[2] as RowChange['item'] };
}

/** The number of rows that the last record of a snapshot holds; undefined if it is another record. */
export const rowsOf = (value: unknown): number | undefined => (value as { rows?: number }).rows;

/** Why this version cannot read a file with this header; undefined if it can. */
export function headerProblem(value: unknown): string | undefined {
  const { format, version } = value as { format?: unknown; version?: unknown };
  if (format !== FORMAT) return 'has another format';
  if (version === VERSION) return undefined;
  return `has version ${String(version)} of its format, and this version of Quarterjack reads ${VERSION}`;
}
