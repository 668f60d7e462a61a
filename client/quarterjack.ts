import { answered, connect, type Connection, createHeaders, REPEATABLE_HEADERS } from './connection';
import { Executions } from './executions';
import { Jobs } from './jobs';
import { Listing } from './listing';
import type { CallOptions, ConnectionOptions, CreateOptions } from './options';
import type { Execution, FailureFilter, OrderingKey, Preview, Schedule, SigningSecret } from './types';

/**
 * A client of the HTTPS API.
 *
 *     const quarterjack = new Quarterjack({ url: 'http://127.0.0.1:8787', token });
 *     await quarterjack.jobs.create({ schedule: { type: 'delay', delay: '10m' }, target: { type: 'http', url } });
 */
export class Quarterjack {
  readonly jobs: Jobs;
  readonly executions: Executions;
  private readonly api: Connection;

  constructor(options: ConnectionOptions) {
    this.api = connect(options);
    this.jobs = new Jobs(this.api);
    this.executions = new Executions(this.api);
  }

  /** What a schedule would do, counted from `from` (RFC 3339, default now). */
  preview(
    schedule: Schedule,
    { count, from, signal }: { count?: number; from?: string } & CallOptions = {},
  ): Promise<Preview> {
    const body = { schedule, count, from };
    return answered(this.api.POST('/v1/schedules/preview', { body, headers: REPEATABLE_HEADERS, signal }));
  }

  /** Failed and skipped executions over all jobs of the user: of the last week, unless `from` and `to` say otherwise. */
  failures(filter: FailureFilter = {}, { signal }: CallOptions = {}): Listing<Execution> {
    return new Listing((cursor) =>
      answered(
        this.api.GET('/v1/failures', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
      ),
    );
  }

  /** Where the executions that share a key stand. */
  orderingKey(orderingKey: string, { signal }: CallOptions = {}): Promise<OrderingKey> {
    const params = { query: { orderingKey } };
    return answered(this.api.GET('/v1/ordering-keys', { params, headers: REPEATABLE_HEADERS, signal }));
  }

  /** Lets those go on that wait behind a failed execution. */
  unblock(orderingKey: string, { signal }: CallOptions = {}): Promise<OrderingKey> {
    const body = { orderingKey };
    return answered(
      this.api.POST('/v1/ordering-keys/unblock', { body, headers: REPEATABLE_HEADERS, signal }),
    );
  }

  /** The API's own description, in OpenAPI 3.1. */
  openApi({ signal }: CallOptions = {}): Promise<Record<string, unknown>> {
    return answered(this.api.GET('/v1/openapi.json', { headers: REPEATABLE_HEADERS, signal }));
  }

  /** What deliveries are signed with. */
  signingSecret({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return answered(this.api.GET('/v1/signing-secret', { headers: REPEATABLE_HEADERS, signal }));
  }

  /** A new secret; the one before signs along for a day. */
  rotateSigningSecret(options: CreateOptions = {}): Promise<SigningSecret> {
    const { signal } = options;
    return answered(this.api.POST('/v1/signing-secret/rotate', { headers: createHeaders(options), signal }));
  }
}
