import type { Params } from '../domain/workflow/params';
import type { ExecutionRef } from './execution-store';
import type { WriteOptions } from './write-options';

/** What a run was given by the request that started it. */
export interface RunInput {
  params: Params;
}

/** What runs were given, in Executions: a row only for a run that was given something. */
export interface RunInputStore {
  /** Writes it, or writes it again. */
  put(run: ExecutionRef, input: RunInput, expiresAtSec: number, options?: WriteOptions): Promise<void>;
  /** Consistent. */
  get(run: ExecutionRef): Promise<RunInput | undefined>;
}
