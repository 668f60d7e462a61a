import type { ErrandType } from '../contracts/errand-services';
import type { Errand } from '../domain/errand';
import type { ExecutionRef } from './execution-store';

/** What is written down of an errand before it is started. */
export interface ErrandRow extends ExecutionRef {
  name: string;
  type: ErrandType;
  /** ARN of what is started. */
  resource: string;
  /** ARN of where its service does it, if the target names that besides. */
  runsIn?: string;
  /** How many errands of the execution had ended before. */
  count: number;
  firstStartAtMs: number;
  /** Hash of its first input: the service knows a start by name and input. */
  inputHash: string;
  expiresAtSec: number;
  /** Present if its execution has ended without anyone knowing how it ends. */
  lostSightAtMs?: number;
  /** What its service calls it, if its sight was lost after that was known. */
  id?: string;
}

/** The errand that a row tells of. */
export const errandIn = ({ type, name, resource, runsIn, id, firstStartAtMs }: ErrandRow): Errand => ({
  type,
  name,
  resource,
  ...(runsIn !== undefined && { runsIn }),
  ...(id !== undefined && { id }),
  firstStartAtMs,
});

/** An errand by what was started, and what its service calls it. */
export type IdentifiedErrand = Required<Pick<Errand, 'resource' | 'id'>>;

/** Errands by their names, in Executions. A row leads from an event to its execution. */
export interface ErrandStore {
  /** Writes the row of an errand, unless it has one. Returns the row that stands then. */
  put(row: ErrandRow): Promise<{ row: ErrandRow; isNew: boolean }>;
  /** Consistent. */
  get(name: string): Promise<ErrandRow | undefined>;
  /** Writes a row that leads from what its service calls an errand to its name. */
  keepId(errand: IdentifiedErrand, name: string, expiresAtSec: number): Promise<void>;
  /** By what its service calls it. Consistent. */
  getById(errand: IdentifiedErrand): Promise<ErrandRow | undefined>;
  /** Writes down that no probe says how the errand ends, and what its service calls it. */
  loseSight(errand: Pick<Errand, 'name' | 'id'>, atMs: number): Promise<void>;
}
