import type { Actor } from '../domain/actor';
import type { Workflow } from '../domain/workflow/definition';
import type { WriteOptions } from './write-options';

/** A version of a job's workflow, as it is listed. */
export interface FlowHead {
  /** Named by its content: see `WorkflowRef`. */
  version: string;
  /** Number of the job's workflow when this version was last saved. */
  number: number;
  savedAtMs: number;
  by?: Actor;
}

export interface Flow extends FlowHead {
  workflow: Workflow;
}

/**
 * The versions of jobs' workflows, in Executions. A row never changes its content, so whatever was read may
 * be cached for ever. Only its retention changes: a version that no job names expires.
 */
export interface FlowStore {
  /** Writes a version without end of retention, or keeps the equal one. */
  put(jobKey: string, flow: Flow, options?: WriteOptions): Promise<void>;
  get(jobKey: string, version: string): Promise<Flow | undefined>;
  /** All versions that are kept, in no order. */
  list(jobKey: string): Promise<FlowHead[]>;
  /** Lets a version expire that was saved before a time. A later one may be about to be named by its job. */
  expire(
    jobKey: string,
    version: string,
    at: { savedBeforeMs: number; expiresAtSec: number },
  ): Promise<'expires' | 'saved-later' | 'none'>;
}
