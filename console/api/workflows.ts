import {
  type Execution,
  isTerminal,
  type JobSummary,
  type TaskDetail,
  type TaskState,
  type WorkflowVersion,
} from '../../client/browser';
import { isBackfill } from './backfills';
import { endOf } from './ends';
import { call, project } from './client';
import { type Polled, queries, usePolled } from './polling';

/** Jobs with a workflow that are read at most. */
const MOST_WORKFLOWS = 500;
/** A workflow has at most so many tasks, so one page has all of them. */
const MOST_TASKS = 1_000;
const RUNNING_MS = 3_000;

export interface WorkflowsSoFar {
  items: JobSummary[];
  hasMore: boolean;
}

/** Jobs with a workflow, each with its newest runs. */
export const useWorkflows = (): Polled<WorkflowsSoFar> =>
  usePolled({
    key: ['workflows', project.value],
    load: (signal) =>
      call(async (api) => {
        const items: JobSummary[] = [];
        const listing = api.jobs.summaries({ kind: 'workflow', history: 20, limit: 50 }, { signal });
        for await (const page of listing.pages()) {
          items.push(...page.items);
          if (items.length >= MOST_WORKFLOWS) return { items, hasMore: page.nextCursor !== null };
        }
        return { items, hasMore: false };
      }),
    every: () => 30_000,
  });

const loadTasks = (jobId: string, execId: string, signal: AbortSignal): Promise<TaskState[]> =>
  call((api) => api.tasks.list(jobId, execId, { limit: MOST_TASKS }, { signal }).toArray(MOST_TASKS));

/** The tasks of a run, each after all that it depends on. They are asked for until the run has ended. */
export const useTasks = ({ jobId, execId, status, finishedAt }: Execution): Polled<TaskState[]> =>
  usePolled({
    key: ['tasks', project.value, jobId, execId, endOf({ status, finishedAt })],
    keepPrevious: true,
    load: (signal) => loadTasks(jobId, execId, signal),
    every: () => (isTerminal({ status }) ? false : RUNNING_MS),
  });

/** A task with its attempts. An empty id: none. */
export const useTask = (
  { jobId, execId, status, finishedAt }: Execution,
  taskId: string,
): Polled<TaskDetail> =>
  usePolled({
    key: ['task', project.value, jobId, execId, taskId, endOf({ status, finishedAt })],
    enabled: taskId !== '',
    keepPrevious: true, // the panel stays when the run ends
    load: (signal) => call((api) => api.tasks.get(jobId, execId, taskId, { signal })),
    every: () => (isTerminal({ status }) ? false : RUNNING_MS),
  });

/** A kept version of a workflow. It never changes. */
export const useVersion = (jobId: string, version: string): Polled<WorkflowVersion> =>
  usePolled({
    key: ['version', project.value, jobId, version],
    load: (signal) => call((api) => api.tasks.version(jobId, version, { signal })),
    every: () => false,
  });

export const useVersions = (jobId: string): Polled<WorkflowVersion[]> =>
  usePolled({
    key: ['versions', project.value, jobId],
    load: (signal) => call((api) => api.tasks.versions(jobId, { signal }).toArray(100)),
    every: () => 60_000,
  });

/** A run with its tasks. */
export interface RunWithTasks {
  run: Execution;
  tasks: TaskState[];
}

/** The newest `most` runs of a workflow with their tasks, newest first. An ended run is read once. */
export const useRuns = (jobId: string, most: number): Polled<RunWithTasks[]> =>
  usePolled({
    key: ['runs', project.value, jobId, most],
    load: async (signal) => {
      const executions = await call((api) =>
        api.executions.list(jobId, { limit: most }, { signal }).toArray(most),
      );
      const started = executions.filter((one) => one.workflow && !isBackfill(one));
      return Promise.all(
        started.map(async (run) => ({
          run,
          tasks: (await queries
            .of(['tasks', project.value, jobId, run.execId, endOf(run)])
            .dataOf(
              () => loadTasks(jobId, run.execId, signal),
              isTerminal(run) ? Infinity : 0,
            )) as TaskState[],
        })),
      );
    },
    every: (runs) => (runs?.some(({ run }) => !isTerminal(run)) ? 5_000 : 30_000),
  });
