import type { Execution } from '../domain/execution';

/** A change of the row of an execution. The stream has each at least once, those of one row in order. */
export interface ExecutionChange {
  /** Unique in the stream, and the same whenever the change comes again. */
  name: string;
  /** Orders the changes of a part of the stream. */
  sequence: string;
  /** When it was written, to the second. */
  atMs: number;
  /** The row before; undefined: there was none. */
  before: Execution | undefined;
  /** The row after; undefined: it was removed. */
  after: Execution | undefined;
}
