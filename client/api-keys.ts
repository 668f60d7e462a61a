import {
  bodyOf,
  type Connection,
  createHeaders,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
  deleted,
} from './connection';
import { Listing } from './listing';
import type { CallOptions, CreateOptions, NoteOptions } from './options';
import type { ApiKey, ApiKeyDefinition, NewApiKey } from './types';

/** The calls under `/v1/api-keys`, for owners of the project. */
export class ApiKeys {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /**
   * Creates a key. Only this response shows it: keep `key` at once. Throws a `ConflictError` that names the
   * key if it was created and the response was lost. Then revoke that key, and create another.
   */
  create(definition: ApiKeyDefinition, options: CreateOptions = {}): Promise<NewApiKey> {
    const { signal } = options;
    const call = this.api.POST('/v1/api-keys', { body: definition, headers: createHeaders(options), signal });
    return bodyOf(call, { key: 'text' });
  }

  /** The keys of the project by their ids, without secrets. */
  list({ signal }: CallOptions = {}): Listing<ApiKey> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/api-keys', {
          params: { query: { cursor, limit: 100 } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['keyId'] },
      ),
    );
  }

  /** Requests with the key are refused within 60 seconds. */
  async revoke(keyId: string, options: NoteOptions = {}): Promise<void> {
    const call = this.api.DELETE('/v1/api-keys/{keyId}', {
      params: { path: { keyId } },
      headers: repeatableChangeHeaders(options),
      signal: options.signal,
    });
    await deleted(call);
  }

  /** Revokes all keys that the actor with this `sub` created, and resolves to their ids. */
  async revokeAllBy(sub: string, options: NoteOptions = {}): Promise<string[]> {
    const call = this.api.DELETE('/v1/api-keys', {
      params: { query: { by: sub } },
      headers: repeatableChangeHeaders(options),
      signal: options.signal,
    });
    return (await bodyOf(call, { revoked: 'texts' })).revoked;
  }
}
