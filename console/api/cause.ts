import type { ChangeRecord, Execution } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** An execution by its job. */
type Ref = Pick<Execution, 'jobId' | 'execId'>;

/** How a cause began. */
export interface Began {
  /** The first execution that failed so. */
  bad: Execution;
  /** The last of its job that succeeded before; null if its history has none. */
  good: Execution | null;
  /** Changes of the job since then, newest first. */
  changes: ChangeRecord[];
}

/** What was different when an execution failed: nothing of it changes any more. */
export const useBegan = ({ jobId, execId }: Ref): Polled<Began> =>
  usePolled({
    key: ['cause', project.value, jobId, execId],
    load: (signal) =>
      call(async (api) => {
        const bad = await api.executions.get(jobId, execId, { signal });
        const query = { status: 'succeeded', to: bad.dueAt, limit: 1 } as const;
        const [goods, all] = await Promise.all([
          api.executions.list(jobId, query, { signal }).toArray(1),
          api.changes.list(jobId, { limit: MOST_CHANGES }, { signal }).toArray(MOST_CHANGES),
        ]);
        const good = goods[0] ?? null;
        const sinceMs = good ? Date.parse(good.startedAt ?? good.dueAt) : 0;
        const untilMs = Date.parse(bad.finishedAt ?? bad.dueAt);
        const changes = all.filter(({ at }) => Date.parse(at) >= sinceMs && Date.parse(at) <= untilMs);
        return { bad, good, changes };
      }),
    every: () => false,
  });
const MOST_CHANGES = 50;
