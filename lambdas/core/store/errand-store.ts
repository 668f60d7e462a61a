import type { ErrandType } from '../domain/errand';
import type { ExecutionRef } from './execution-store';

/** What is written down of an errand before it is started. */
export interface ErrandRow extends ExecutionRef {
  name: string;
  type: ErrandType;
  /** ARN of what is started. */
  resource: string;
  /** How many errands of the execution had ended before. */
  count: number;
  firstStartAtMs: number;
  /** Hash of its first input: the service knows a start by name and input. */
  inputHash: string;
  expiresAtSec: number;
  /** Present if its execution has ended without anyone knowing how it ends. */
  lostSightAtMs?: number;
}

/** Errands by their names, in Executions. A row leads from an event to its execution. */
export interface ErrandStore {
  /** Writes the row of an errand, unless it has one. Returns the row that stands then. */
  put(row: ErrandRow): Promise<{ row: ErrandRow; isNew: boolean }>;
  /** Consistent. */
  get(name: string): Promise<ErrandRow | undefined>;
  /** Writes down that no probe says how the errand ends. */
  loseSight(name: string, atMs: number): Promise<void>;
}
