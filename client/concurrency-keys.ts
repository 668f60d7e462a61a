import { bodyOf, type Connection, REPEATABLE_HEADERS, deleted } from './connection';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { ConcurrencyKey, ConcurrencyKeyDefinition } from './types';

/** The concurrency keys of the project: how many executions with a key run at a time, and how many start. */
export class ConcurrencyKeys {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Creates a key, or replaces its limit and its rate. */
  set(
    key: string,
    definition: ConcurrencyKeyDefinition,
    { signal }: CallOptions = {},
  ): Promise<ConcurrencyKey> {
    const params = { path: { key } };
    return bodyOf(
      this.api.PUT('/v1/concurrency-keys/{key}', {
        params,
        body: definition,
        headers: REPEATABLE_HEADERS,
        signal,
      }),
      { key: 'text' },
    );
  }

  /** All keys by name. */
  list(filter: { limit?: number } = {}, { signal }: CallOptions = {}): Listing<ConcurrencyKey> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/concurrency-keys', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['key'] },
      ),
    );
  }

  get(key: string, { signal }: CallOptions = {}): Promise<ConcurrencyKey> {
    const params = { path: { key } };
    return bodyOf(
      this.api.GET('/v1/concurrency-keys/{key}', { params, headers: REPEATABLE_HEADERS, signal }),
      { key: 'text' },
    );
  }

  /** Rejects with a conflict if a job uses the key, unless `force` is true. */
  async remove(
    key: string,
    { force = false, signal }: { force?: boolean } & CallOptions = {},
  ): Promise<void> {
    const query = force ? { force } : {};
    const call = this.api.DELETE('/v1/concurrency-keys/{key}', {
      params: { path: { key }, query },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    await deleted(call);
  }
}
