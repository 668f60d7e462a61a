import { compactInstant } from '../../contracts/tables';
import type { Priority } from '../../contracts/pools';
import type { Json } from '../../templates/syntax';
import { MAX_ITEMS, type Workflow } from './definition';

/** In which order the dates of a backfill begin. */
export const BACKFILL_ORDERS = ['asc', 'desc'] as const;
/** `missing`: dates whose execution has succeeded are left out. */
export const BACKFILL_ONLY = ['missing', 'all'] as const;
/** `stop`: once a date has failed, no further one begins. */
export const BACKFILL_FAILURE_POLICIES = ['continue', 'stop'] as const;
/** `respect`: the children acquire their job's overlap lock. `ignore`: they do not. */
export const BACKFILL_OVERLAPS = ['respect', 'ignore'] as const;
export type BackfillOverlap = (typeof BACKFILL_OVERLAPS)[number];

export const MAX_BACKFILL_DATES = MAX_ITEMS;
/** Bound on `parallel`. */
export const MAX_BACKFILL_PARALLEL = 50;
/** Bound on the whole backfill, from its start. */
export const BACKFILL_TIME = '30d';

/** What a backfill was asked for: attribute `backfill` of its row, which becomes a run. */
export interface Backfill {
  /** The due times are in [fromMs, toMs). */
  fromMs: number;
  toMs: number;
  /** At most so many dates at once. */
  parallel: number;
  order: (typeof BACKFILL_ORDERS)[number];
  only: (typeof BACKFILL_ONLY)[number];
  onFailure: (typeof BACKFILL_FAILURE_POLICIES)[number];
  overlap: BackfillOverlap;
  /** That of the children: it takes the place of their job's. */
  priority: Priority;
  /** How many dates there are. They are the items of its fan-out. */
  count: number;
}

/** Id of the only task of a backfill. */
export const BACKFILL_TASK = 'dates';
/** In place of the version of a workflow: that of a backfill follows from its row. */
export const BACKFILL_VERSION = 'backfill';

/** execId of a backfill: it stands among the executions of its job. */
export const execIdOfBackfill = (askedAtMs: number, id: string): string =>
  `${compactInstant(askedAtMs)}-bf${id}`;

/** The workflow that a backfill of a job runs. Its list of items is stored when it is asked for. */
export const workflowOfBackfill = (
  jobId: string,
  { parallel, onFailure, overlap, priority }: Backfill,
): Workflow => ({
  tasks: {
    [BACKFILL_TASK]: {
      dependsOn: [],
      join: 'all',
      job: jobId,
      forEach: {
        items: [],
        concurrency: parallel,
        dates: { overlap, priority, ...(onFailure === 'stop' && { stopsOnFailure: true as const }) },
      },
    },
  },
  onTaskFailure: 'continue',
});

/** A due time as an item of a backfill, and back. */
export const itemOfDate = (dueAtMs: number): Json => new Date(dueAtMs).toISOString();
export const dateOfItem = (item: Json): number => Date.parse(item as string);
