import type { BulkRequest } from '../../../client/browser';
import { type Bulk, bulkOfItems } from '../../api/bulk';
import { bulkByApi } from '../../api/bulk-pages';
import { call } from '../../api/client';
import { type JobsFilter, textQuery } from '../../api/jobs-filter';
import { zone } from '../../app/zone';
import { plural, utcOf } from '../../time/format';
import { type Patching, patchOf } from './bulk-patch';

export type Action = 'Pause' | 'Resume' | 'Run' | 'Spread' | 'Tag' | 'Delete';

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
  Tag: 'patch',
  Delete: 'delete',
};

const isPatching = (action: Action): action is Patching => NAMES[action] === 'patch';

const patch = (action: Patching) => (jobId: string, typed: string) =>
  call((api) => api.jobs.patch(jobId, patchOf(action, typed)));

/** A local time of the zone of the page, or nothing. */
const untilIn = (typed: string) => (typed ? { until: utcOf(typed, zone.peek()) } : {});

const ACTS: Record<Action, (jobId: string, typed: string) => Promise<unknown>> = {
  Pause: (jobId, typed) => call((api) => api.jobs.pause(jobId, untilIn(typed))),
  Resume: (jobId) => call((api) => api.jobs.resume(jobId)),
  Run: (jobId) => call((api) => api.jobs.run(jobId)),
  Spread: patch('Spread'),
  Tag: patch('Tag'),
  Delete: (jobId) => call((api) => api.jobs.delete(jobId)),
};

/** The action over all that the filter selects. An empty filter is about all jobs. */
export function requestOf(action: Action, { q, status, tags }: JobsFilter, typed = ''): BulkRequest {
  const filter = {
    ...textQuery(q),
    ...(status && { status: status as 'active' | 'paused' | 'completed' }),
    ...(tags.length > 0 && { tag: [...tags] }),
  };
  return {
    action: NAMES[action],
    filter,
    ...(isPatching(action) && { patch: patchOf(action, typed) }),
    ...(action === 'Pause' && untilIn(typed)),
    ...(Object.keys(filter).length === 0 && { all: true }),
  };
}

/** The action over what is chosen. What the filter selects has to be as many as were counted. */
export function bulkOf(action: Action, { ids, all }: Chosen, filter: JobsFilter, typed: string): Bulk {
  const title = `${action} ${plural(all ?? ids.size, 'job')}`;
  if (all !== undefined) {
    const request = { ...requestOf(action, filter, typed), expect: all };
    return bulkByApi({ title, total: all, request });
  }
  return bulkOfItems({
    title,
    items: [...ids],
    nameOf: (jobId) => jobId,
    act: (jobId) => ACTS[action](jobId, typed),
  });
}
