import { type Backfill, type Execution, isTerminal } from '../../client/browser';
import { call, project } from './client';
import { endOf } from './ends';
import { type Polled, usePolled } from './polling';

/** Older backfills of a job are not listed. */
const MOST_BACKFILLS = 50;

/** Whether an execution is a backfill itself, and not one of its dates. */
export const isBackfill = ({ trigger, parent }: Pick<Execution, 'trigger' | 'parent'>): boolean =>
  trigger === 'backfill' && !parent;

/** The backfills of a job, newest first. */
export const useBackfills = (jobId: string): Polled<Backfill[]> =>
  usePolled({
    key: ['backfill', project.value, jobId],
    load: (signal) =>
      call((api) => api.backfills.list(jobId, { limit: MOST_BACKFILLS }, { signal }).toArray(MOST_BACKFILLS)),
    every: (found) => (found?.every(isTerminal) ? 30_000 : 5_000),
  });

/** How far a backfill is. */
export const useBackfill = ({ jobId, execId, status, finishedAt }: Execution): Polled<Backfill> =>
  usePolled({
    key: ['backfill', project.value, jobId, execId, endOf({ status, finishedAt })],
    keepPrevious: true,
    load: (signal) => call((api) => api.backfills.get(jobId, execId, { signal })),
    every: () => (isTerminal({ status }) ? false : 2_000),
  });
