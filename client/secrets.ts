import { bodyOf, type Connection, REPEATABLE_HEADERS, deleted } from './connection';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { Secret } from './types';

/**
 * The secrets of the project. The token needs the scope `project:admin`. No call returns a value.
 */
export class Secrets {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Creates a secret, or replaces its value and hosts. Deliveries use the new value within a minute. */
  set(
    name: string,
    secret: { value: string; hosts: string[]; kind?: 'text' | 'pem' },
    { signal }: CallOptions = {},
  ): Promise<Secret> {
    const params = { path: { name } };
    return bodyOf(
      this.api.PUT('/v1/secrets/{name}', { params, body: secret, headers: REPEATABLE_HEADERS, signal }),
      { name: 'text' },
    );
  }

  /** All secrets by name. */
  list(filter: { limit?: number } = {}, { signal }: CallOptions = {}): Listing<Secret> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/secrets', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['name'] },
      ),
    );
  }

  get(name: string, { signal }: CallOptions = {}): Promise<Secret> {
    const params = { path: { name } };
    return bodyOf(this.api.GET('/v1/secrets/{name}', { params, headers: REPEATABLE_HEADERS, signal }), {
      name: 'text',
    });
  }

  /** Rejects with a conflict if a job uses the secret, unless `force` is true. */
  async remove(
    name: string,
    { force = false, signal }: { force?: boolean } & CallOptions = {},
  ): Promise<void> {
    const query = force ? { force: 'true' as const } : {};
    const call = this.api.DELETE('/v1/secrets/{name}', {
      params: { path: { name }, query },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    await deleted(call);
  }
}
