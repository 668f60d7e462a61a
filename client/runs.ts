import {
  bodyOf,
  type Connection,
  noteHeaders,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
} from './connection';
import { Listing } from './listing';
import type { CallOptions, NoteOptions } from './options';
import type { Decision, Execution, TaskDetail, TaskRetryRequest, Waiting, WaitingFilter } from './types';

/** What a user does to a run of a workflow, and to its tasks. */
export class Runs {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Once this has answered, no task of the run begins. Tasks that are running go on. */
  pause(jobId: string, execId: string, options: NoteOptions = {}): Promise<Execution> {
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/pause', {
      params: { path: { jobId, execId } },
      headers: repeatableChangeHeaders(options),
      signal: options.signal,
    });
    return bodyOf(call, { execId: 'text', status: 'text' });
  }

  resume(jobId: string, execId: string, options: NoteOptions = {}): Promise<Execution> {
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/resume', {
      params: { path: { jobId, execId } },
      headers: repeatableChangeHeaders(options),
      signal: options.signal,
    });
    return bodyOf(call, { execId: 'text', status: 'text' });
  }

  /** Gives an approval. `output` is for the tasks after it. */
  approve(
    jobId: string,
    execId: string,
    taskId: string,
    { note, signal, ...body }: Decision & NoteOptions = {},
  ): Promise<TaskDetail> {
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/approve', {
      params: { path: { jobId, execId, taskId } },
      body,
      headers: noteHeaders({ note }),
      signal,
    });
    return bodyOf(call, { taskId: 'text', status: 'text' });
  }

  /** Refuses an approval: its task fails. */
  reject(
    jobId: string,
    execId: string,
    taskId: string,
    { note, signal, ...body }: Decision & NoteOptions = {},
  ): Promise<TaskDetail> {
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/reject', {
      params: { path: { jobId, execId, taskId } },
      body,
      headers: noteHeaders({ note }),
      signal,
    });
    return bodyOf(call, { taskId: 'text', status: 'text' });
  }

  /** A task that has not begun counts as done. A switch needs the `branch` that it takes. */
  skip(
    jobId: string,
    execId: string,
    taskId: string,
    { note, signal, ...body }: { branch?: string } & NoteOptions = {},
  ): Promise<TaskDetail> {
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/skip', {
      params: { path: { jobId, execId, taskId } },
      body,
      headers: noteHeaders({ note }),
      signal,
    });
    return bodyOf(call, { taskId: 'text', status: 'text' });
  }

  /**
   * Runs a task of a running run again. `mode`: `failed` (default), `from` or `only`. The client does not
   * retry this call if the response is lost. Once the run has ended, use `executions.retry`.
   */
  retryTask(
    jobId: string,
    execId: string,
    taskId: string,
    { note, signal, ...body }: TaskRetryRequest & NoteOptions = {},
  ): Promise<TaskDetail> {
    const call = this.api.POST('/v1/jobs/{jobId}/executions/{execId}/tasks/{taskId}/retry', {
      params: { path: { jobId, execId, taskId } },
      body,
      headers: noteHeaders({ note }),
      signal,
    });
    return bodyOf(call, { taskId: 'text', status: 'text' });
  }

  /** Approvals and paused runs of the project. */
  waiting(filter: WaitingFilter = {}, { signal }: CallOptions = {}): Listing<Waiting> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/waiting', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['execId'] },
      ),
    );
  }
}
