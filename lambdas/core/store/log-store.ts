import type { ExecutionRef } from './execution-store';

/** One line of a log. */
export interface StoredLine {
  atMs: number;
  stream: 'stdout' | 'stderr' | 'system';
  text: string;
}

/** An attempt with a log. */
export interface LogAttempt extends ExecutionRef {
  attempt: number;
  fence: number;
}

/** A part of the log of an attempt. */
export interface LogChunk extends LogAttempt {
  /** Orders the chunks of an attempt. */
  chunk: number;
  lines: readonly StoredLine[];
  /** SHA-256 of the lines as they were sent, base64url. */
  hash: string;
}

/** Chunks in order, after a position; `nextAfter` to continue after, undefined at the end. */
export interface LogRows {
  chunks: (LogChunk & { position: string })[];
  nextAfter?: string;
}

/** Logs of executions. Nothing that runs executions reads them. */
export interface LogStore {
  /** Writes a chunk, unless its number is taken. `different`: by other lines. */
  putChunk(chunk: LogChunk, expiresAtSec: number): Promise<'written' | 'exists' | 'different'>;
  /** Bytes of text of an attempt so far. Eventually consistent. */
  bytesOf(attempt: LogAttempt): Promise<number>;
  /** Adds to them, and resolves to the sum. */
  addBytes(attempt: LogAttempt, bytes: number, expiresAtSec: number): Promise<number>;
  /** Bytes of text of a project on a day (`20261201`). Eventually consistent. */
  bytesOfDay(project: string, day: string): Promise<number>;
  addBytesOfDay(project: string, day: string, bytes: number, expiresAtSec: number): Promise<void>;
  /** Chunks of an execution by attempt, then by number. Consistent. */
  read(ref: ExecutionRef, page: { after?: string; limit: number }): Promise<LogRows>;
}
