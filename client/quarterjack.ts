import { Admin } from './admin';
import { ApiKeys } from './api-keys';
import { Backfills } from './backfills';
import { bulkPages } from './bulk';
import { Calendars } from './calendars';
import { Changes } from './changes';
import {
  anyBodyOf,
  bodyOf,
  callOf,
  connect,
  type Connection,
  createHeaders,
  noteHeaders,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
} from './connection';
import { ConcurrencyKeys } from './concurrency-keys';
import { Executions } from './executions';
import { FailureAcks } from './failure-acks';
import { ProjectPings } from './ping-key';
import { Jobs } from './jobs';
import { Notifications } from './notifications';
import { Secrets } from './secrets';
import { Runs } from './runs';
import { Tasks } from './tasks';
import { WorkQueues } from './work-queues';
import { Listing, type Page } from './listing';
import type { CallOptions, ConnectionOptions, CreateOptions, NoteOptions, RequestOptions } from './options';
import type {
  ApiVersion,
  AuditFilter,
  AuditRecord,
  BulkPage,
  BulkRequest,
  EventToSend,
  Execution,
  FailureFilter,
  FailureGroups,
  Load,
  LoadFilter,
  Me,
  OrderingKey,
  Preview,
  Schedule,
  SentEvent,
  SignIn,
  Usage,
  SigningSecret,
  UpcomingFilter,
  UpcomingOfJobs,
} from './types';

/** Whose signing secret. Absent: the legacy one of the project. */
interface SecretOptions {
  host?: string | undefined;
}

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
  /** What users do to runs of workflows: pause, approve, skip, retry. */
  readonly runs: Runs;
  /** Runs of a job for the due times of a range. */
  readonly backfills: Backfills;
  /** The tasks of runs, and the versions of workflows. */
  readonly tasks: Tasks;
  readonly workQueues: WorkQueues;
  readonly calendars: Calendars;
  /** For owners of the project. */
  readonly secrets: Secrets;
  readonly apiKeys: ApiKeys;
  /** For owners of the project. */
  readonly notifications: Notifications;
  readonly concurrencyKeys: ConcurrencyKeys;
  /** Causes of failures that a user knows about. */
  readonly failureAcks: FailureAcks;
  /** The URL of the project for pings. */
  readonly pingKey: ProjectPings;
  /** For operators. */
  readonly admin: Admin;
  private readonly api: Connection;

  constructor(options: ConnectionOptions) {
    this.api = connect(options);
    this.jobs = new Jobs(this.api);
    this.changes = new Changes(this.api);
    this.executions = new Executions(this.api);
    this.runs = new Runs(this.api);
    this.backfills = new Backfills(this.api);
    this.tasks = new Tasks(this.api);
    this.workQueues = new WorkQueues(this.api);
    this.calendars = new Calendars(this.api);
    this.secrets = new Secrets(this.api);
    this.apiKeys = new ApiKeys(this.api);
    this.notifications = new Notifications(this.api);
    this.concurrencyKeys = new ConcurrencyKeys(this.api);
    this.failureAcks = new FailureAcks(this.api);
    this.pingKey = new ProjectPings(this.api);
    this.admin = new Admin(this.api);
  }

  /**
   * Sends an event: it starts each job that waits for it. Without an `id`, each call is an event of its
   * own; a retry of the call is the same event.
   */
  sendEvent(event: EventToSend, { signal, ...options }: CreateOptions = {}): Promise<SentEvent> {
    const call = this.api.POST('/v1/events', { body: event, headers: createHeaders(options), signal });
    return bodyOf(call, { eventId: 'text', runs: [] });
  }

  /** When a schedule would fire, counted from `from` (RFC 3339, default now). */
  preview(
    schedule: Schedule,
    { count, from, signal }: { count?: number | undefined; from?: string | undefined } & CallOptions = {},
  ): Promise<Preview> {
    const body = { schedule, count, from };
    return bodyOf(this.api.POST('/v1/schedules/preview', { body, headers: REPEATABLE_HEADERS, signal }), {
      times: [],
    });
  }

  /** The next due times over all jobs, in order: over at most 2,000 jobs that pass the filter. */
  upcoming(filter: UpcomingFilter = {}, { signal }: CallOptions = {}): Promise<UpcomingOfJobs> {
    const call = this.api.GET('/v1/upcoming', {
      params: { query: filter },
      headers: REPEATABLE_HEADERS,
      signal,
    });
    return bodyOf(call, { items: ['jobId'] });
  }

  /** Planned occurrences of all jobs by minute, at most 7 days: the sum of all pages. */
  async load(filter: LoadFilter = {}, { signal }: CallOptions = {}): Promise<Load> {
    let sum: Load | undefined;
    let cursor: string | undefined;
    do {
      const params = { query: { ...filter, cursor } };
      const call = this.api.GET('/v1/load', { params, headers: REPEATABLE_HEADERS, signal });
      const { nextCursor, ...page } = await bodyOf(call, { counts: 'numbers' });
      if (sum) {
        sum.jobs += page.jobs;
        for (const [minute, count] of page.counts.entries()) sum.counts[minute]! += count;
      } else sum = page;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return sum;
  }

  /**
   * Failed and skipped executions of all the project's jobs. Without `from` and `to`: those of the last week.
   * With `view: 'inbox'`: what no user asked for.
   */
  failures(filter: FailureFilter = {}, { signal }: CallOptions = {}): Listing<Execution> {
    return new Listing((cursor) => {
      const params = { query: { ...filter, cursor } };
      const call = this.api.GET('/v1/failures', { params, headers: REPEATABLE_HEADERS, signal });
      // Without `group`, the answer is a page.
      return bodyOf(call, { items: ['jobId', 'execId'] } as never) as Promise<Page<Execution>>;
    });
  }

  /** Failed and skipped executions, counted by cause: over at most 10,000 rows or 10 s. */
  failureGroups(
    filter: Omit<FailureFilter, 'limit'> = {},
    { signal }: CallOptions = {},
  ): Promise<FailureGroups> {
    const params = { query: { ...filter, group: 'fingerprint' as const } };
    const call = this.api.GET('/v1/failures', { params, headers: REPEATABLE_HEADERS, signal });
    return bodyOf(call, { groups: [] } as never) as Promise<FailureGroups>;
  }

  /**
   * Does the same with everything that a filter selects, page by page: `for await (const page of …)`. A loop
   * that ends early leaves the rest as it is. `delete` needs `expect`: the sum of `matched` in a dry run.
   */
  bulk(request: BulkRequest, options: CreateOptions = {}): AsyncGenerator<BulkPage, void, undefined> {
    return bulkPages(this.api, request, options);
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
        { items: ['at'] },
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

  /**
   * Any route of the API by its path: `request('GET', '/v1/jobs/a')`. Resolves to the body; undefined without
   * one. Reads are repeated, and so is what has an `idempotencyKey`.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    const { query = {}, body, idempotencyKey, signal } = options;
    const isRepeatable = method === 'GET' || idempotencyKey !== undefined;
    const headers = {
      ...(isRepeatable && REPEATABLE_HEADERS),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...noteHeaders(options),
    };
    return anyBodyOf(callOf(this.api, method, path, { params: { query }, body, headers, signal }));
  }

  /** The version of the API. Needs no token. */
  version({ signal }: CallOptions = {}): Promise<ApiVersion> {
    return bodyOf(this.api.GET('/v1/version', { headers: REPEATABLE_HEADERS, signal }), {
      version: 'text',
      api: 'text',
      features: 'texts',
    });
  }

  /** The caller, its projects and rights, and the deployment. */
  me({ signal }: CallOptions = {}): Promise<Me> {
    return bodyOf(this.api.GET('/v1/me', { headers: REPEATABLE_HEADERS, signal }), {
      stage: 'text',
      projects: ['name'],
      scopes: 'texts',
      by: 'object',
    });
  }

  /** What the project uses of each quota. */
  usage({ signal }: CallOptions = {}): Promise<Usage> {
    return bodyOf(this.api.GET('/v1/usage', { headers: REPEATABLE_HEADERS, signal }), { jobs: 'object' });
  }

  /** How a program signs a user in. Needs no token. */
  signIn({ signal }: CallOptions = {}): Promise<SignIn> {
    return bodyOf(this.api.GET('/v1/sign-in', { headers: REPEATABLE_HEADERS, signal }), { issuer: 'text' });
  }

  /** The API's OpenAPI 3.1 document. */
  openApi({ signal }: CallOptions = {}): Promise<Record<string, unknown>> {
    return bodyOf(this.api.GET('/v1/openapi.json', { headers: REPEATABLE_HEADERS, signal }), {
      openapi: 'text',
    });
  }

  /**
   * The secret that deliveries to `host` are signed with, such as `hooks.example.com`. Without `host`: the
   * legacy secret of the project.
   */
  signingSecret({ host, signal }: SecretOptions & CallOptions = {}): Promise<SigningSecret> {
    const params = { query: { host } };
    return bodyOf(this.api.GET('/v1/signing-secret', { params, headers: REPEATABLE_HEADERS, signal }), {
      secret: 'text',
    });
  }

  /** Makes a new secret. For one day, deliveries are signed with the old one too. */
  async rotateSigningSecret(options: SecretOptions & CreateOptions = {}): Promise<SigningSecret> {
    const { host, signal } = options;
    const headers = createHeaders(options);
    const rotated = this.api.POST('/v1/signing-secret/rotate', { body: { host }, headers, signal });
    return (await bodyOf(rotated, { secret: 'text' })) as SigningSecret;
  }

  /**
   * Ends the legacy secret of the project: within five minutes, only the secret of each host signs. This is
   * final.
   */
  async endLegacySigning(options: CreateOptions = {}): Promise<void> {
    const headers = createHeaders(options);
    const body = { legacy: false as const };
    const ended = this.api.POST('/v1/signing-secret/rotate', { body, headers, signal: options.signal });
    await bodyOf(ended, { legacy: 'boolean' } as never);
  }
}
