import { bodyOf, type Connection, REPEATABLE_HEADERS } from './connection';
import type { CallOptions } from './options';
import type { DeploymentStatus } from './types';

/** The calls of operators: the token needs the scope `admin`. */
export class Admin {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Whether the deployment runs, how far its shards are, what its queues hold, and the last 50 stops. */
  status({ signal }: CallOptions = {}): Promise<DeploymentStatus> {
    return bodyOf(this.api.GET('/v1/admin/status', { headers: REPEATABLE_HEADERS, signal }), {
      state: 'text',
    });
  }

  /** Enters maintenance mode. The `reason` is shown with the stop. */
  stop({ reason, signal }: { reason?: string } & CallOptions = {}): Promise<DeploymentStatus> {
    const body = reason === undefined ? {} : { reason };
    return bodyOf(this.api.POST('/v1/admin/stop', { body, headers: REPEATABLE_HEADERS, signal }), {
      state: 'text',
    });
  }

  /** Leaves maintenance mode. */
  start({ signal }: CallOptions = {}): Promise<DeploymentStatus> {
    return bodyOf(this.api.POST('/v1/admin/start', { headers: REPEATABLE_HEADERS, signal }), {
      state: 'text',
    });
  }

  /** Moves at most `max` dead letters back to their queue, and resolves to how many moved. */
  async redrive(queue: string, max: number, { signal }: CallOptions = {}): Promise<number> {
    const body = { queue, max };
    const { moved } = await bodyOf(
      this.api.POST('/v1/admin/redrive', { body, headers: REPEATABLE_HEADERS, signal }),
      { queue: 'text' },
    );
    return moved;
  }
}
