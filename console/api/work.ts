import {
  type Execution,
  type LogEntry,
  ValidationError,
  type WorkQueue,
  type WorkQueueDetail,
} from '../../client/browser';
import { call, project } from './client';
import { type Polled, queries, usePolled } from './polling';

const MOST_QUEUES = 500;
const MOST_RUNNING = 500;

/** The work queues that jobs name. Their workers cost the API more to read. */
export const useWorkQueues = (workers: boolean): Polled<WorkQueue[]> =>
  usePolled({
    key: ['work-queues', project.value, workers],
    load: (signal) => call((api) => api.workQueues.list({ signal, workers }).toArray(MOST_QUEUES)),
    every: (queues) => (queues?.some(({ waiting }) => waiting > 0) ? 5_000 : 30_000),
  });

/** A queue with the first executions that wait, and its workers. An empty name: none. */
export const useWorkQueue = (queue: string): Polled<WorkQueueDetail> =>
  usePolled({
    key: ['work-queue', project.value, queue],
    enabled: queue !== '',
    keepPrevious: true,
    load: (signal) => call((api) => api.workQueues.get(queue, { signal })),
    every: (detail) => (detail && detail.waiting > 0 ? 5_000 : 30_000),
  });

/** Executions that workers work on, due in the last day; null with more than 500 worker jobs. */
export const useAtWork = (): Polled<Execution[] | null> =>
  usePolled({
    key: ['at-work', project.value],
    load: (signal) =>
      call((api) =>
        api.executions
          .listOfJobs({ kind: 'worker', status: 'running', limit: 100 }, { signal })
          .toArray(MOST_RUNNING),
      ).catch((thrown: unknown) => {
        if (thrown instanceof ValidationError) return null;
        throw thrown;
      }),
    every: (running) => (running && running.length > 0 ? 5_000 : 30_000),
  });

/** Those of them that come from a queue. */
export const ofQueue = (running: readonly Execution[], queue: string): Execution[] =>
  running.filter(({ detail }) => detail?.queue === queue);

/** A log as far as it was read. */
export interface Log {
  lines: readonly LogEntry[];
  /** Where the next page begins; undefined before the first, null at the end. */
  after: string | null | undefined;
  /** There are more lines than were asked for. */
  hasMore: boolean;
}

/** Whose log: of an execution, or of a task of a run. */
export interface LogOf {
  jobId: string;
  execId: string;
  taskId?: string | undefined;
  /** Only this attempt. */
  attempt?: number | undefined;
}

const LINES_A_PAGE = 1_000;
const NOTHING_READ: Log = { lines: [], after: undefined, hasMore: false };

/** The first `most` lines of a log. Each request reads what was written since the one before. */
export function useLog(
  { jobId, execId, taskId, attempt }: LogOf,
  isOpen: boolean,
  most: number,
): Polled<Log> {
  const keyOf = (open: boolean) => ['log', project.value, jobId, execId, taskId, attempt, open] as const;
  const key = keyOf(isOpen);
  return usePolled({
    key: [...key, most],
    keepPrevious: true,
    load: async (signal) => {
      const known = knownLog([key, keyOf(true)]);
      let log: Log = known ?? NOTHING_READ;
      while (log.after !== null && log.lines.length < most) {
        const filter = { attempt, after: log.after, limit: LINES_A_PAGE };
        const page = await call((api) =>
          taskId === undefined
            ? api.executions.log(jobId, execId, filter, { signal })
            : api.tasks.log(jobId, execId, taskId, filter, { signal }),
        );
        log = { lines: [...log.lines, ...page.items], after: page.nextCursor, hasMore: false };
        if (page.items.length === 0) break; // an attempt works: more may come
      }
      return { ...log, hasMore: log.after !== null && log.lines.length >= most };
    },
    every: () => (isOpen ? 2_000 : false),
  });
}

/** The longest of what queries with such keys have read, whatever they asked for at most. */
function knownLog(keys: readonly (readonly unknown[])[]): Log | undefined {
  const found = keys.flatMap((queryKey) => queries.dataOf<Log>(queryKey));
  return found.sort((a, b) => b.lines.length - a.lines.length)[0];
}
