import type { Lease } from './execution-store';

/** The lease of an attempt, in the hands of the process that settles it. */
export interface LeaseHandle {
  readonly lease: Lease;
  /** A target holds it, by its token. */
  readonly isReport?: true;
  /** Whether the execution is to end as cancelled. */
  cancelRequested(): boolean;
  /** Repeats a write under the lease that gets no response, for as long as the lease holds. */
  write<Outcome>(write: () => Promise<Outcome>): Promise<Outcome | 'lease-lost'>;
}
