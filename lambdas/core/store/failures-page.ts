import type { Execution } from '../domain/execution';

/** Which failures: `fromMs` inclusive, `toMs` exclusive. `after` is a position (`failureSortOf`). */
export interface FailuresPage {
  fromMs: number;
  toMs: number;
  /** @default 'desc' */
  order?: 'asc' | 'desc';
  after?: string;
  limit: number;
}

export interface FailureRows {
  executions: Execution[];
  nextAfter?: string;
}
