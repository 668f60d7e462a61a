import { bodyOf, type Connection, deleted, REPEATABLE_HEADERS } from './connection';
import { Listing } from './listing';
import type { CallOptions } from './options';
import type { FailureAck, FailureAckDefinition } from './types';

/** The causes of failures that a user of the project knows about. */
export class FailureAcks {
  /** @internal */
  constructor(private readonly api: Connection) {}

  /** Acknowledges a cause, or replaces its note and its end. Rejects if nothing has failed so in a week. */
  set(ack: FailureAckDefinition, { signal }: CallOptions = {}): Promise<FailureAck> {
    const call = this.api.PUT('/v1/failures/acks', { body: ack, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { fingerprint: 'text' });
  }

  /** All by fingerprint, also those that a further job has ended. */
  list(filter: { limit?: number } = {}, { signal }: CallOptions = {}): Listing<FailureAck> {
    return new Listing((cursor) => {
      const params = { query: { ...filter, cursor } };
      return bodyOf(this.api.GET('/v1/failures/acks', { params, headers: REPEATABLE_HEADERS, signal }), {
        items: ['fingerprint'],
      });
    });
  }

  async remove(fingerprint: string, { signal }: CallOptions = {}): Promise<void> {
    const params = { query: { fingerprint } };
    await deleted(this.api.DELETE('/v1/failures/acks', { params, headers: REPEATABLE_HEADERS, signal }));
  }
}
