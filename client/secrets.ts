import { bodyOf, type Connection, REPEATABLE_HEADERS, resultOf } from './connection';
import { problemOf } from './errors';
import { Listing } from './listing';
import type { CallOptions } from './options';
import { TRIES } from './retrying-fetch';
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
    secret: { value: string; hosts: string[] },
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
        { items: 'list' },
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
    const { error, response } = await resultOf<unknown>(call);
    // 404 after a retry: an earlier try of this call deleted the secret, and its response was lost.
    if (response.ok || (response.status === 404 && response.headers.has(TRIES))) return;
    throw problemOf(response.status, error);
  }
}
