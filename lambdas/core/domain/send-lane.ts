import type { Priority } from '../contracts/pools';

/** Where the messages of an execution go, as its first one said. */
export interface SendLane {
  priority: Priority;
  pool: string;
  /** Only of a task: it may be long. */
  longCall?: true;
  /** Only of a task for workers: its work queue, and how long it may wait there. */
  workQueue?: string;
  startWithinMs?: number;
}
