import { bodyOf, type Connection, REPEATABLE_HEADERS } from './connection';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { WorkQueue, WorkQueueDetail } from './types';

/** The work queues that jobs name. `quarterjack/worker` has what runs their executions. */
export class WorkQueues {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** All queues by name. `workers`: each with its workers of the last hour. */
  list({ signal, workers }: CallOptions & { workers?: boolean } = {}): Listing<WorkQueue> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/work/queues', {
          params: { query: { cursor, workers } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['queue'] },
      ),
    );
  }

  /** What waits in a queue, and its workers. A queue that no job names is empty. */
  get(queue: string, { signal }: CallOptions = {}): Promise<WorkQueueDetail> {
    const params = { path: { queue } };
    return bodyOf(this.api.GET('/v1/work/queues/{queue}', { params, headers: REPEATABLE_HEADERS, signal }), {
      queue: 'text',
    });
  }
}
