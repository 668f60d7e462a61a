import type { BulkRequest } from '../../../client/browser';
import { type Bulk, bulkOfFilter, bulkOfItems } from '../../api/bulk';
import { pageOfApi } from '../../api/bulk-pages';
import { call } from '../../api/client';
import type { JobsFilter } from '../../api/jobs';
import { plural } from '../../time/format';

export type Action = 'Pause' | 'Resume' | 'Run' | 'Spread' | 'Delete';

/** Jobs that are chosen: by their ids, or all that the filter selects. */
export interface Chosen {
  ids: ReadonlySet<string>;
  /** How many the filter selected; undefined: those of `ids`. */
  all: number | undefined;
}

const NAMES: Record<Action, BulkRequest['action']> = {
  Pause: 'pause',
  Resume: 'resume',
  Run: 'run',
  Spread: 'patch',
  Delete: 'delete',
};

/** `jitter`: for `Spread`; empty removes it. */
const patchOf = (jitter: string) => ({ schedule: { jitter: jitter || null } });

const ACTS: Record<Action, (jobId: string, jitter: string) => Promise<unknown>> = {
  Pause: (jobId) => call((api) => api.jobs.pause(jobId)),
  Resume: (jobId) => call((api) => api.jobs.resume(jobId)),
  Run: (jobId) => call((api) => api.jobs.run(jobId)),
  Spread: (jobId, jitter) => call((api) => api.jobs.patch(jobId, patchOf(jitter))),
  Delete: (jobId) => call((api) => api.jobs.delete(jobId)),
};

/** The action over all that the filter selects. An empty filter is about all jobs. */
export function requestOf(action: Action, { q, status, tags }: JobsFilter, jitter = ''): BulkRequest {
  const filter = {
    ...(q && { q }),
    ...(status && { status: status as 'active' | 'paused' | 'completed' }),
    ...(tags.length > 0 && { tag: [...tags] }),
  };
  return {
    action: NAMES[action],
    filter,
    ...(action === 'Spread' && { patch: patchOf(jitter) }),
    ...(Object.keys(filter).length === 0 && { all: true }),
  };
}

/** The action over what is chosen. What the filter selects has to be as many as were counted. */
export function bulkOf(action: Action, { ids, all }: Chosen, filter: JobsFilter, jitter: string): Bulk {
  const title = `${action} ${plural(all ?? ids.size, 'job')}`;
  if (all !== undefined) {
    const request = { ...requestOf(action, filter, jitter), expect: all };
    return bulkOfFilter({ title, total: all, request }, pageOfApi);
  }
  return bulkOfItems({
    title,
    items: [...ids],
    nameOf: (jobId) => jobId,
    act: (jobId) => ACTS[action](jobId, jitter),
  });
}
