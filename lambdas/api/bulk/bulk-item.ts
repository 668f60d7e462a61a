import type { Job } from '../../core/domain/job';

/** A job, or an execution of it, that a bulk acts on. */
export interface BulkItem {
  /** Where the source continues after this item. */
  position: string;
  /** As it was when the source read it. */
  job: Job;
  /** Present if the item is an execution. */
  execId?: string;
}

/** Reads the next items after a position. A chunk may be empty and still have a next one. */
export type ItemSource = (after: string | undefined) => Promise<{ items: BulkItem[]; nextAfter?: string }>;
