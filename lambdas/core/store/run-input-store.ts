import type { Params } from '../domain/workflow/params';
import type { AskedRun } from '../domain/asked-run';
import type { ExecutionRef } from './execution-store';
import type { WriteOptions } from './write-options';

/** What a run was given by the request that started it. */
export interface RunInput {
  params: Params;
}

/** A run, and which of the parameters that it was given. */
export type RunInputRef = ExecutionRef & Pick<AskedRun, 'paramsId'>;

/** What runs were given, in Executions: a row only for a run that was given something. */
export interface RunInputStore {
  /** Writes it, or writes it again. */
  put(run: RunInputRef, input: RunInput, expiresAtSec: number, options?: WriteOptions): Promise<void>;
  /** Consistent. */
  get(run: RunInputRef): Promise<RunInput | undefined>;
}
