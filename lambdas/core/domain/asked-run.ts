import type { Priority } from '../contracts/pools';
import type { TraceContext } from './trace';

/** What a row keeps of its request: its trace and, of a manual run, when it is due and what its user says. */
export interface AskedRun {
  /** Only of a delayed run, which is due later than it was asked for: when its job was created. */
  delayedOf?: number;
  /** When the job of a run that a user or a cause started was created. Another job does not run it. */
  jobCreatedAtMs?: number;
  /** Since when a pause of its job holds a delayed run. It starts after the job is resumed. */
  heldAtMs?: number;
  /** How often it was moved, held or released: a message from before that claims nothing. */
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
  /** What it is found by: from its request, and from its end on by the templates of its job. At most five. */
  runTags?: readonly string[];
  /** Its name in another system: as its request says or, from its end on, its job. */
  externalId?: string;
  /** How many of these its job could not give it. Absent: none. */
  tagsLeftOut?: number;
  /** Only of a run that was replaced: which of the parameters that it was given count. */
  paramsId?: string;
  /**
   * The trace of the request that started or retried it, which it joins. Absent: it has a trace of its own
   * or, as a task, that of its run.
   */
  trace?: TraceContext;
}
