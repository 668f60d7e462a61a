import type { Priority } from '../contracts/pools';

/** What the row of a manual run keeps of its request: that it is due later, and what its user says of it. */
export interface AskedRun {
  /**
   * Only of a delayed run, which is due later than it was asked for: when its job was created. Another job
   * with that id does not run it.
   */
  delayedOf?: number;
  /** Since when a pause of its job holds a delayed run. It starts after the job is resumed. */
  heldAtMs?: number;
  /** How often a delayed run was moved, held or released: a message from before that claims nothing. */
  timesMoved?: number;
  /** Only of a manual run: the key under which its user knows it. */
  key?: string;
  /** How long the key stays taken after the run has called its target. */
  keyTtlMs?: number;
  /** Its key is free for another run, so no user may retry this one. */
  keyFreed?: true;
  /** Only of a manual run: in place of the priority of its job. */
  priority?: Priority;
  /** Only of a manual run: what its user has written on it. */
  tags?: Readonly<Record<string, string>>;
  /** Only of a run that was replaced: which of the parameters that it was given count. */
  paramsId?: string;
}
