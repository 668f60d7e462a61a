import { join } from 'node:path';

import { LocalRunError } from '../../../run/errors';
import type { RowChange } from '../engine/rows';
import type { Files, OpenFile } from './files';
import { isPart, journalName, namesBefore, numbersOf, snapshotName } from './names';
import { changeOf, decode, HEADER, headerProblem, rowsOf } from './records';

interface RecoveryOptions {
  /** Called for each row and change that is read back, in order. */
  apply(change: RowChange): void;
  /** A line for the terminal. */
  onWarning(line: string): void;
}

/** Where the journal continues. */
export interface Recovered {
  number: number;
  /** The last journal: open, and on disk as it was read. */
  file: OpenFile;
  /** Bytes of that file. */
  position: number;
  /** Bytes of all journals since the last snapshot. */
  journalBytes: number;
  /** 0 without a snapshot. */
  snapshotBytes: number;
}

/**
 * Reads back all rows. Everything that was read is on disk when it resolves, so that no later loss can take
 * away what the caller has seen.
 *
 * @throws LocalRunError if a file is damaged, is missing or has another format
 */
export async function recover(files: Files, options: RecoveryOptions): Promise<Recovered> {
  await files.makeFolder();
  const names = await files.list();
  rejectLevelDb(files, names);
  const first = numbersOf('snapshot', names).at(-1) ?? 0;
  const last = lastJournal(files, names, first);

  const snapshotBytes = first > 0 ? await readSnapshot(files, first, options) : 0;
  let earlierBytes = 0;
  for (let number = first; number < last; number++) {
    const name = journalName(number);
    const { size, soundBytes } = await readJournal(files, name, options);
    if (soundBytes < size || size === 0) throw damaged(files, name, soundBytes, 'later changes need it');
    earlierBytes += size;
  }
  const { file, position } = await openLastJournal(files, journalName(last), names, options);
  // Only now: a file may be removed once all that replaces it is on disk, its name included.
  await files.sync();
  for (const name of [...names.filter(isPart), ...namesBefore(first, names)]) await files.remove(name);
  return { number: last, file, position, journalBytes: earlierBytes + position, snapshotBytes };
}

/** Creates a journal. It is on disk, and so is its name. */
export async function createJournal(files: Files, number: number): Promise<OpenFile> {
  const file = await files.create(journalName(number));
  await closeOnError(file, async () => {
    await file.write(HEADER, 0);
    await file.sync();
    await files.sync();
  });
  return file;
}

async function closeOnError(file: OpenFile, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await file.close().catch(() => undefined); // the first error says more
    throw error;
  }
}

function rejectLevelDb({ folder }: Files, names: string[]): void {
  if (!names.some((name) => name === 'CURRENT' || name.startsWith('MANIFEST-'))) return;
  throw new LocalRunError(
    `the tables in ${folder} were written by an earlier version of Quarterjack, and this one cannot read ` +
      'them. Nothing was changed. Use another --data, or start that folder with the earlier version.',
  );
}

/** The number of the last journal. All others from `first` on must be there. */
function lastJournal({ folder }: Files, names: string[], first: number): number {
  const numbers = numbersOf('journal', names).filter((number) => number >= first);
  const missing = numbers.findIndex((number, index) => number !== first + index);
  if (missing === -1 && (numbers.length > 0 || first === 0)) return numbers.at(-1) ?? first;
  const name = journalName(first + Math.max(missing, 0));
  throw new LocalRunError(`${join(folder, name)} is missing, and its changes with it. Nothing was changed.`);
}

async function readSnapshot(files: Files, number: number, { apply }: RecoveryOptions): Promise<number> {
  const name = snapshotName(number);
  let rows = 0;
  let expected: number | undefined;
  const { size, soundBytes } = await readRecords(files, name, (value, position) => {
    const change = changeOf(value);
    if (expected !== undefined) throw damaged(files, name, position, 'a record follows its end');
    if (!change) return void (expected = rowsOf(value));
    apply(change);
    rows += 1;
  });
  if (soundBytes < size) throw damaged(files, name, soundBytes, 'a checksum does not match');
  if (expected === undefined) throw damaged(files, name, size, 'its end is missing');
  if (expected !== rows) throw damaged(files, name, size, `it has ${rows} rows of ${expected}`);
  return size;
}

const readJournal = (files: Files, name: string, { apply }: RecoveryOptions): Promise<FileContent> =>
  readRecords(files, name, (value, position) => {
    const change = changeOf(value);
    if (!change) throw damaged(files, name, position, 'a record is no change');
    apply(change);
  });

/** The last journal may end in changes that were never acknowledged, as a whole or in part. */
async function openLastJournal(
  files: Files,
  name: string,
  names: string[],
  options: RecoveryOptions,
): Promise<{ file: OpenFile; position: number }> {
  const exists = names.includes(name);
  const content = exists
    ? await readJournal(files, name, options)
    : { size: 0, soundBytes: 0, lastWriteAt: 0, laterWriteAt: undefined };
  const { size, soundBytes, laterWriteAt } = content;
  // The header was on disk before any change was written.
  if (laterWriteAt !== undefined || (soundBytes === 0 && size > HEADER.length))
    throw damaged(files, name, soundBytes, 'acknowledged changes follow');
  const file = exists ? await files.open(name) : await files.create(name);
  const position = Math.max(soundBytes, HEADER.length);
  await closeOnError(file, async () => {
    if (soundBytes === 0) await file.write(HEADER, 0);
    else await rewriteLastWrite(files, name, file, content);
    // What follows must not be taken for changes at the next start, so it goes before anything is appended.
    if (size > position) await file.truncate(position);
    await file.sync();
  });
  const dropped = size - soundBytes;
  if (dropped > 0)
    options.onWarning(
      `The last write to ${join(files.folder, name)} was incomplete: ${dropped} bytes were dropped. ` +
        'No change was lost that had been acknowledged.',
    );
  return { file, position };
}

/**
 * Writes the bytes of the last write again, in place. An earlier process may have failed to sync them: then
 * the system reads them from memory, and a further sync succeeds without writing them.
 */
async function rewriteLastWrite(
  files: Files,
  name: string,
  file: OpenFile,
  { lastWriteAt, soundBytes }: FileContent,
): Promise<void> {
  let position = lastWriteAt;
  for await (const chunk of files.read(name, lastWriteAt)) {
    const sound = chunk.subarray(0, soundBytes - position);
    await file.write(sound, position);
    position += sound.length;
    if (position === soundBytes) return;
  }
}

const NEWLINE = 10;

/** What a file contains. Positions are in bytes. */
interface FileContent {
  size: number;
  /** Where the first damaged or incomplete record begins; the size if there is none. */
  soundBytes: number;
  /** Where the last write begins of which a sound record is left. All before it was on disk. */
  lastWriteAt: number;
  /** Where a later write begins, behind a damaged record. Undefined if there is none. */
  laterWriteAt: number | undefined;
}

/** An error that names a file, and the position in it from which on it cannot be read. */
const damaged = (files: Files, name: string, position: number, why: string): LocalRunError =>
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
async function readRecords(
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
