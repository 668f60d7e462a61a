import { join } from 'node:path';

import { LocalRunError } from '../../../run/errors';
import type { Files } from './files';
import { decode, headerProblem } from './records';

const NEWLINE = 10;

/** What a file contains. Positions are in bytes. */
export interface FileContent {
  size: number;
  /** Where the first damaged or incomplete record begins; the size if there is none. */
  soundBytes: number;
  /** Where the last write begins of which a sound record is left. All before it was on disk. */
  lastWriteAt: number;
  /** Where a later write begins, behind a damaged record. Undefined if there is none. */
  laterWriteAt: number | undefined;
}

/** An error that names a file, and the position in it from which on it cannot be read. */
export const damaged = (files: Files, name: string, position: number, why: string): LocalRunError =>
  new LocalRunError(
    `${join(files.folder, name)} is damaged at byte ${position}: ${why}. Nothing was changed. ` +
      'Use a copy of the folder, or another --data.',
  );

/**
 * Reads a file up to its first damaged record.
 *
 * @param onValue called with the value of each record after the header, and its position
 * @throws LocalRunError if the file has another format or version
 */
export async function readRecords(
  files: Files,
  name: string,
  onValue: (value: unknown, position: number) => void,
): Promise<FileContent> {
  let soundBytes = 0;
  let lastWriteAt = 0;
  let laterWriteAt: number | undefined;
  const size = await eachLine(files.read(name), (line, position) => {
    const record = decode(line);
    // Disks write the sectors of a file in any order. What follows a hole may be sound, and never counts.
    if (!record || position !== soundBytes) {
      if (record?.startsWrite) laterWriteAt ??= position;
      return;
    }
    soundBytes += line.length + 1;
    if (record.startsWrite) lastWriteAt = position;
    if (position > 0) return onValue(record.value, position);
    const problem = headerProblem(record.value);
    if (problem) throw new LocalRunError(`${join(files.folder, name)} ${problem}`);
  });
  return { size, soundBytes, lastWriteAt, laterWriteAt };
}

/** Calls back with each line that ends in a newline, without it. Returns the number of bytes. */
async function eachLine(
  chunks: AsyncIterable<Buffer>,
  onLine: (line: Buffer, position: number) => void,
): Promise<number> {
  let size = 0;
  let lineAt = 0;
  /** The line so far, from the chunks before. */
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end);
      onLine(parts.length === 0 ? rest : Buffer.concat([...parts, rest]), lineAt);
      parts = [];
      from = end + 1;
      lineAt = size + from;
    }
    if (from < chunk.length) parts.push(Buffer.from(chunk.subarray(from)));
    size += chunk.length;
  }
  return size;
}
