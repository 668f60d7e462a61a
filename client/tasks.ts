import { bodyOf, type Connection, REPEATABLE_HEADERS, repeatableChangeHeaders } from './connection';
import { Listing } from './listing';
import type { CallOptions, NoteOptions } from './options';
import type {
  Item,
  ItemDetail,
  ItemFilter,
  LogPage,
  TaskDetail,
  TaskFilter,
  TaskLogFilter,
  TaskState,
  WorkflowCheck,
  WorkflowCheckRequest,
  WorkflowVersion,
} from './types';

/** The tasks of runs, and the versions of workflows. */
export class Tasks {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Each task after all that it depends on. Tasks that never ran are listed too. */
  list(
    jobId: string,
    execId: string,
    filter: TaskFilter = {},
    { signal }: CallOptions = {},
  ): Listing<TaskState> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/jobs/{jobId}/executions/{execId}/tasks', {
          params: { path: { jobId, execId }, query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['taskId', 'status'] },
      ),
    );
  }

  get(jobId: string, execId: string, taskId: string, { signal }: CallOptions = {}): Promise<TaskDetail> {
    const params = { path: { jobId, execId, taskId } };
    return bodyOf(
      this.api.GET('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}', {
        params,
        headers: REPEATABLE_HEADERS,
        signal,
      }),
      { taskId: 'text', status: 'text' },
    );
  }

  /** The items of a task with `forEach`, in the order of its list. */
  items(
    jobId: string,
    execId: string,
    taskId: string,
    filter: ItemFilter = {},
    { signal }: CallOptions = {},
  ): Listing<Item> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items', {
          params: { path: { jobId, execId, taskId }, query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['status'] },
      ),
    );
  }

  /** One item with its attempts. @param index from 0 */
  item(
    jobId: string,
    execId: string,
    taskId: string,
    index: number,
    { signal }: CallOptions = {},
  ): Promise<ItemDetail> {
    return bodyOf(
      this.api.GET('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/items/{index}', {
        params: { path: { jobId, execId, taskId, index } },
        headers: REPEATABLE_HEADERS,
        signal,
      }),
      { index: 'number', status: 'text' },
    );
  }

  /** Lines of the log of a task, as `executions.log` has them. */
  log(
    jobId: string,
    execId: string,
    taskId: string,
    filter: TaskLogFilter = {},
    { signal }: CallOptions = {},
  ): Promise<LogPage> {
    const params = { path: { jobId, execId, taskId }, query: filter };
    return bodyOf(
      this.api.GET('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/log', {
        params,
        headers: REPEATABLE_HEADERS,
        signal,
      }),
      { items: ['at'] },
    );
  }

  /** Cancels a task that is waiting for an attempt or running. Its failure counts. */
  cancel(jobId: string, execId: string, taskId: string, options: NoteOptions = {}): Promise<TaskDetail> {
    const params = { path: { jobId, execId, taskId } };
    return bodyOf(
      this.api.POST('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/cancel', {
        params,
        headers: repeatableChangeHeaders(options),
        signal: options.signal,
      }),
      { taskId: 'text', status: 'text' },
    );
  }

  /** Checks a workflow as that of a job, and shows what each task would get as its body. Changes nothing. */
  check(request: WorkflowCheckRequest, { signal }: CallOptions = {}): Promise<WorkflowCheck> {
    return bodyOf(
      this.api.POST('/v1/workflows/check', { body: request, headers: REPEATABLE_HEADERS, signal }),
      { errors: ['path', 'message'] },
    );
  }

  /** The kept versions of a job's workflow, without their tasks, the newest first. */
  versions(jobId: string, { signal }: CallOptions = {}): Listing<WorkflowVersion> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/jobs/{jobId}/versions', {
          params: { path: { jobId }, query: { cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['version'] },
      ),
    );
  }

  /** One version with its tasks. */
  version(jobId: string, version: string, { signal }: CallOptions = {}): Promise<WorkflowVersion> {
    const params = { path: { jobId, version } };
    return bodyOf(
      this.api.GET('/v1/jobs/{jobId}/versions/{version}', { params, headers: REPEATABLE_HEADERS, signal }),
      { version: 'text' },
    );
  }
}
