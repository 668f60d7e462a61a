import { bodyOf, type Connection, createHeaders, REPEATABLE_HEADERS, deleted } from './connection';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { Notification, NotificationDefinition, NotificationTest } from './types';

/** The notifications of the project. The token needs the scope `project:admin`. */
export class Notifications {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Creates or replaces a notification. It is in effect when this resolves. */
  set(id: string, definition: NotificationDefinition, { signal }: CallOptions = {}): Promise<Notification> {
    const params = { path: { id } };
    return bodyOf(
      this.api.PUT('/v1/notifications/{id}', {
        params,
        body: definition,
        headers: REPEATABLE_HEADERS,
        signal,
      }),
      { id: 'text' },
    );
  }

  /** All notifications by id. */
  list(filter: { limit?: number } = {}, { signal }: CallOptions = {}): Listing<Notification> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/notifications', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: ['id'] },
      ),
    );
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Notification> {
    const params = { path: { id } };
    return bodyOf(this.api.GET('/v1/notifications/{id}', { params, headers: REPEATABLE_HEADERS, signal }), {
      id: 'text',
    });
  }

  async remove(id: string, { signal }: CallOptions = {}): Promise<void> {
    const call = this.api.DELETE('/v1/notifications/{id}', {
      params: { path: { id } },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    await deleted(call);
  }

  /** Sends a test message. Returns the execution that delivers it. */
  test(id: string, { signal }: CallOptions = {}): Promise<NotificationTest> {
    const params = { path: { id } };
    return bodyOf(
      this.api.POST('/v1/notifications/{id}/test', { params, body: {}, headers: createHeaders({}), signal }),
      { execId: 'text' },
    );
  }
}
