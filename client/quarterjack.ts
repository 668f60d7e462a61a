import { Admin } from './admin';
import { ApiKeys } from './api-keys';
import { Changes } from './changes';
import {
  bodyOf,
  connect,
  type Connection,
  createHeaders,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
} from './connection';
import { Executions } from './executions';
import { Jobs } from './jobs';
import { Listing } from './listing';
import type { CallOptions, ConnectionOptions, CreateOptions, NoteOptions } from './options';
import type {
  AuditFilter,
  AuditRecord,
  Execution,
  FailureFilter,
  OrderingKey,
  Preview,
  Schedule,
  SigningSecret,
} from './types';

/**
 * A client of the HTTPS API.
 *
 *     const quarterjack = new Quarterjack({ url: 'http://127.0.0.1:8787', token });
 *     const schedule = { type: 'delay', delay: '10m' };
 *     await quarterjack.jobs.create({ schedule, target: { type: 'http', url } });
 */
export class Quarterjack {
  readonly jobs: Jobs;
  /** What was changed in a job, by whom, and how to undo it. */
  readonly changes: Changes;
  readonly executions: Executions;
  readonly apiKeys: ApiKeys;
  /** For operators. */
  readonly admin: Admin;
  private readonly api: Connection;

  constructor(options: ConnectionOptions) {
    this.api = connect(options);
    this.jobs = new Jobs(this.api);
    this.changes = new Changes(this.api);
    this.executions = new Executions(this.api);
    this.apiKeys = new ApiKeys(this.api);
    this.admin = new Admin(this.api);
  }

  /** When a schedule would fire, counted from `from` (RFC 3339, default now). */
  preview(
    schedule: Schedule,
    { count, from, signal }: { count?: number | undefined; from?: string | undefined } & CallOptions = {},
  ): Promise<Preview> {
    const body = { schedule, count, from };
    return bodyOf(this.api.POST('/v1/schedules/preview', { body, headers: REPEATABLE_HEADERS, signal }), {
      times: 'list',
    });
  }

  /**
   * Failed and skipped executions of all the user's jobs. Without `from` and `to`: those of the last week.
   */
  failures(filter: FailureFilter = {}, { signal }: CallOptions = {}): Listing<Execution> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/failures', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: 'list' },
      ),
    );
  }

  /** Changes of the project's access, and requests that were denied, newest first. For owners. */
  audit(filter: AuditFilter = {}, { signal }: CallOptions = {}): Listing<AuditRecord> {
    return new Listing((cursor) =>
      bodyOf(
        this.api.GET('/v1/audit', {
          params: { query: { ...filter, cursor } },
          headers: REPEATABLE_HEADERS,
          signal,
        }),
        { items: 'list' },
      ),
    );
  }

  /** The state of an ordering key: which execution holds it, and which ones wait. */
  orderingKey(orderingKey: string, { signal }: CallOptions = {}): Promise<OrderingKey> {
    const params = { query: { orderingKey } };
    return bodyOf(this.api.GET('/v1/ordering-keys', { params, headers: REPEATABLE_HEADERS, signal }), {
      orderingKey: 'text',
    });
  }

  /** Releases the executions that wait behind a failed one. */
  unblock(orderingKey: string, options: NoteOptions = {}): Promise<OrderingKey> {
    const body = { orderingKey };
    const headers = repeatableChangeHeaders(options);
    const call = this.api.POST('/v1/ordering-keys/unblock', { body, headers, signal: options.signal });
    return bodyOf(call, { orderingKey: 'text' });
  }

  /** The API's OpenAPI 3.1 document. */
  openApi({ signal }: CallOptions = {}): Promise<Record<string, unknown>> {
    return bodyOf(this.api.GET('/v1/openapi.json', { headers: REPEATABLE_HEADERS, signal }), {
      openapi: 'text',
    });
  }

  /** The secret that deliveries are signed with. */
  signingSecret({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return bodyOf(this.api.GET('/v1/signing-secret', { headers: REPEATABLE_HEADERS, signal }), {
      secret: 'text',
    });
  }

  /** Makes a new secret. For one day, deliveries are signed with the old one too. */
  rotateSigningSecret(options: CreateOptions = {}): Promise<SigningSecret> {
    const { signal } = options;
    return bodyOf(this.api.POST('/v1/signing-secret/rotate', { headers: createHeaders(options), signal }), {
      secret: 'text',
    });
  }
}
