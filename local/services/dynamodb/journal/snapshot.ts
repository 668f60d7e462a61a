import { setTimeout as sleep } from 'node:timers/promises';

import type { RowChange } from '../engine/rows';
import type { Files } from './files';
import { namesBefore, partName, snapshotName } from './names';
import { encodeChange, encodeEnd, HEADER } from './records';

/** How a snapshot shares the thread with the requests. */
export interface Pacing {
  /** Bytes that are made and written at a time. */
  sliceBytes: number;
  /** Called after each slice, with the ms of the thread that it took. May reject once the signal aborts. */
  pause(busyMs: number, signal: AbortSignal): Promise<void>;
}

/** Pauses last this many times as long as the work, so that a snapshot uses a small part of the thread. */
const PAUSE_FACTOR = 10;

export const PACING: Pacing = {
  sliceBytes: 128 * 1_024,
  pause: (busyMs, signal) => sleep(PAUSE_FACTOR * busyMs, undefined, { signal }),
};

/** A sync of many bytes would keep the journal's own syncs waiting. */
const SYNC_BYTES = 4 * 1_048_576;

/**
 * Writes all rows to the part file of a snapshot. The part is on disk then, and does not count before
 * `publishSnapshot`.
 *
 * @returns bytes of the file; undefined if the signal aborted it, and the part is removed
 */
export async function writePart(
  files: Files,
  number: number,
  rows: Iterable<RowChange>,
  pacing: Pacing,
  signal: AbortSignal,
): Promise<number | undefined> {
  const file = await files.create(partName(number));
  let position = 0;
  let syncedBytes = 0;
  try {
    let startedMs = performance.now();
    for (const slice of slicesOf(rows, pacing.sliceBytes)) {
      const busyMs = performance.now() - startedMs;
      await file.write(slice, position);
      position += slice.length;
      if (position - syncedBytes >= SYNC_BYTES) {
        await file.sync();
        syncedBytes = position;
      }
      await pacing.pause(busyMs, signal).catch(ignoreAbort(signal));
      if (signal.aborted) break;
      startedMs = performance.now();
    }
    if (!signal.aborted) await file.sync();
  } finally {
    await file.close();
  }
  if (!signal.aborted) return position;
  await files.remove(partName(number));
  return undefined;
}

/**
 * Makes a written part the snapshot, and removes the files that it replaces. All changes that it may contain
 * must be on disk in a journal by now: it may contain a change, and lack an earlier one.
 */
export async function publishSnapshot(files: Files, number: number): Promise<void> {
  await files.rename(partName(number), snapshotName(number));
  await files.sync();
  for (const name of namesBefore(number, await files.list())) await files.remove(name);
}

function* slicesOf(rows: Iterable<RowChange>, sliceBytes: number): Generator<Buffer> {
  let lines: Buffer[] = [HEADER];
  let bytes = HEADER.length;
  let count = 0;
  for (const row of rows) {
    const line = encodeChange(row, false);
    lines.push(line);
    bytes += line.length;
    count += 1;
    if (bytes < sliceBytes) continue;
    yield Buffer.concat(lines);
    lines = [];
    bytes = 0;
  }
  yield Buffer.concat([...lines, encodeEnd(count)]);
}

const ignoreAbort =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
