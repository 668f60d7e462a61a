import { join } from 'node:path';
import { setImmediate as nextPhase, setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../../run/errors';
import type { RowChange } from '../engine/rows';
import type { Files } from './files';
import { journalName, partName } from './names';
import { encodeChange, HEADER } from './records';
import { createJournal, recover, type Recovered } from './recovery';
import { type Pacing, PACING, publishSnapshot, writePart } from './snapshot';

/** Changes that are written and synced together. All that wait for them share one promise. */
class Batch {
  readonly lines: Buffer[] = [];
  private waiting: Promise<void> | undefined;
  /** Settles `waiting`. Without effect if nothing waits, or a second time. */
  resolve: () => void = () => undefined;
  reject: (error: Error) => void = () => undefined;

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  /** Settles with the write. Made at the first use: nothing waits for some batches. */
  get written(): Promise<void> {
    this.waiting ??= new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    return this.waiting;
  }
}

/** The changes of all rows, in order, on disk. */
export interface Journal {
  /**
   * Adds a change, in order. It is durable once `flushed`, called after it, has resolved. The row that `rows`
   * reads must change without an await before or after this call. Throws after `close`.
   */
  append(change: RowChange): void;
  /**
   * Resolves when all changes appended so far are on disk (at once if they are). Rejects once the journal has
   * failed.
   */
  flushed(): Promise<void>;
  /** Flushes, closes; no append may follow. Rejects if the journal has failed, once its files are closed. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** Called for each row and change that is read back, in order. */
  apply(change: RowChange): void;
  /**
   * All rows now, read lazily in slices while changes go on. A row that does not change meanwhile must be
   * there, whatever changes around it. Rows changed meanwhile may show either state, or be missing.
   */
  rows(): Iterable<RowChange>;
  /** Called once, when a write or fsync has failed. Nothing is durable from then on. */
  onFailure(error: Error): void;
  /** A line for the terminal, e.g. about an incomplete last write that was dropped. */
  onWarning(line: string): void;
  /** Journal bytes from which on a snapshot is written. Default: 16 MB. */
  snapshotAtBytes?: number;
  /** How a snapshot shares the thread; tests replace it. */
  pacing?: Pacing;
  /** Waits before a write that follows the start of another. Tests replace it. */
  beforeWrite?: (sinceLastMs: number) => Promise<void>;
}

/** A sync takes as much of a processor as some changes, so changes that come close together share one. */
const MS_BETWEEN_WRITES = 3;
/** A write after a pause begins at once. */
const spaceWrites = async (sinceLastMs: number): Promise<void> => {
  if (sinceLastMs < MS_BETWEEN_WRITES) await sleep(MS_BETWEEN_WRITES - sinceLastMs);
};

const SNAPSHOT_AT_BYTES = 16 * 1_048_576;
const DONE = Promise.resolve();

/**
 * Reads back the rows of a folder, and continues its journal.
 *
 * @throws LocalRunError if a file is damaged, is missing or has another format
 */
export async function openJournal(files: Files, options: JournalOptions): Promise<Journal> {
  return new FileJournal(files, options, await recover(files, options));
}

/** One write at a time. What is appended meanwhile becomes the next write, so that changes share syncs. */
class FileJournal implements Journal {
  private batch = new Batch();
  private writing: Batch | undefined;
  /** Writes until nothing is left to write. Never rejects. */
  private work: Promise<void> | undefined;
  /** Writes a snapshot. Never rejects. */
  private snapshot: Promise<void> | undefined;
  private readonly stopSnapshot = new AbortController();
  private lastWriteMs = Number.NEGATIVE_INFINITY;
  private failure: Error | undefined;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly files: Files,
    private readonly options: JournalOptions,
    private readonly at: Recovered,
  ) {}

  append(change: RowChange): void {
    if (this.closed) throw new Error('the journal is closed');
    if (this.failure) return;
    this.batch.lines.push(encodeChange(change, this.batch.isEmpty));
    this.work ??= this.writeAll();
  }

  flushed(): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    const last = this.batch.isEmpty ? this.writing : this.batch;
    return last?.written ?? DONE;
  }

  close(): Promise<void> {
    this.closed ??= this.finish();
    return this.closed;
  }

  private async writeAll(): Promise<void> {
    let name = journalName(this.at.number);
    try {
      await nextPhase(); // the changes of all requests that have arrived by now share a write
      while (!this.batch.isEmpty && !this.failure) {
        await this.untilNextWrite();
        if (this.failure) break; // that of a snapshot, meanwhile
        await this.writeBatch();
        if (!this.isSnapshotDue()) continue;
        name = journalName(this.at.number + 1);
        await this.startNext();
      }
    } catch (error) {
      this.fail(name, error);
    }
    this.work = undefined;
  }

  private async untilNextWrite(): Promise<void> {
    const { beforeWrite = spaceWrites } = this.options;
    await beforeWrite(performance.now() - this.lastWriteMs);
    this.lastWriteMs = performance.now();
  }

  private async writeBatch(): Promise<void> {
    const batch = (this.writing = this.batch);
    this.batch = new Batch();
    const bytes = Buffer.concat(batch.lines);
    await this.at.file.write(bytes, this.at.position);
    await this.at.file.sync();
    this.at.position += bytes.length;
    this.at.journalBytes += bytes.length;
    this.writing = undefined;
    batch.resolve(); // without effect if a snapshot has failed meanwhile
  }

  private isSnapshotDue(): boolean {
    const { snapshotAtBytes = SNAPSHOT_AT_BYTES } = this.options;
    const isLarge = this.at.journalBytes > Math.max(snapshotAtBytes, this.at.snapshotBytes);
    return isLarge && !this.snapshot && !this.closed && !this.failure;
  }

  /** Changes go to the next journal from here on. A snapshot replaces all journals before it. */
  private async startNext(): Promise<void> {
    const { at } = this;
    const last = at.file;
    at.file = await createJournal(this.files, at.number + 1);
    at.number += 1;
    at.position = at.journalBytes = HEADER.length;
    await last.close();
    if (!this.closed) this.snapshot = this.writeSnapshot(at.number);
  }

  private async writeSnapshot(number: number): Promise<void> {
    const { files, options, stopSnapshot } = this;
    const { pacing = PACING } = options;
    try {
      const bytes = await writePart(files, number, options.rows(), pacing, stopSnapshot.signal);
      await this.flushed();
      if (bytes !== undefined) {
        await publishSnapshot(files, number);
        this.at.snapshotBytes = bytes;
      }
    } catch (error) {
      this.fail(partName(number), error);
    }
    this.snapshot = undefined;
  }

  /** No write or sync is tried again: after a failed sync, the next one succeeds without writing anything. */
  private fail(name: string, cause: unknown): void {
    if (this.failure) return;
    const path = join(this.files.folder, name);
    this.failure = new Error(`cannot write ${path}: ${messageOf(cause)}`, { cause });
    this.stopSnapshot.abort();
    this.writing?.reject(this.failure);
    this.batch.reject(this.failure);
    this.options.onFailure(this.failure);
  }

  private async finish(): Promise<void> {
    this.stopSnapshot.abort();
    await this.work;
    await this.snapshot;
    await this.at.file.close().catch((error: unknown) => this.fail(journalName(this.at.number), error));
    if (this.failure) throw this.failure;
  }
}
