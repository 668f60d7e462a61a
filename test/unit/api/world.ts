import { handleRequest } from '../../../lambdas/api/handle-request';
import { requestOf, resultOf } from '../../../lambdas/api/http/http-event';
import { quotas } from '../../../lambdas/api/jobs/charge-quotas';
import type { ApiDeps } from '../../../lambdas/api/request';
import type { Identity } from '../../../lambdas/core/domain/identity';
import { HORIZON } from '../../../lambdas/core/contracts/horizon';
import { CONTROL_SORT, jobKeyOf, SHARDS_KEY } from '../../../lambdas/core/contracts/tables';
import { compose } from '../../../lambdas/core/platform/compose';
import { contextOfClaims } from '../../support/caller';
import { apiContract } from '../../support/api-contract';
import { MemoryDynamo, type MemoryDynamoOptions } from '../../support/dynamo/memory-dynamo';
import { MemoryTables, type MemoryTablesOptions } from '../../support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../support/dynamo/table-keys';
import { FakeRandom } from '../../support/fake-random';
import { FakeClock } from '../../support/fake-clock';
import { watched } from '../../support/filed-by-request';
import { MemoryQueue } from '../../support/memory-queue';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';
import { apiSurroundings } from '../../support/surroundings';

export interface Answered {
  status: number;
  headers: Record<string, string>;
  // a test reads what it expects to be there, and fails where it is not
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface CallOptions {
  user?: string;
  scope?: string;
  /** What the authorizer says otherwise than of a person alone in a project. */
  identity?: Partial<Identity>;
  headers?: Record<string, string>;
  query?: string;
  /** Sent as it is; `body` is sent as JSON. */
  raw?: string;
}

const TABLES = { jobs: 'Jobs', executions: 'Executions', schedule: 'Schedule' };
const EVERY_SCOPE = 'jobs:read jobs:write project:admin work admin';
const SHARDS = 4;
const LIMITS = {
  jobs: 1_000_000,
  firesPerMinute: 1_000_000,
  payloadBytes: 10_000_000_000,
  requestsPerMinute: 1_000_000,
  changesPerMinute: 1_000_000,
  writtenBytesPerDay: 10_737_418_240,
  logBytesPerDay: 1_000_000_000,
  logBytesPerAttempt: 524_288,
  runsPerMinute: 1_000_000,
  reportsPerMinute: 1_000_000,
  liveRuns: 1_000_000,
};

/**
 * The API over tables in memory, on virtual time: requests as API Gateway sends them, all stores and queues
 * to look into.
 */
export class ApiWorld {
  readonly clock = new FakeClock();
  readonly random = new FakeRandom(7);
  readonly log = new RecordingLog();
  readonly meter = new RecordingMeter();
  readonly queue = new MemoryQueue(this.clock);
  readonly tables: MemoryTables;
  readonly dynamo: MemoryDynamo;
  readonly deps: ApiDeps;
  /** As EventBridge Scheduler has it. */
  tick: 'on' | 'off' = 'on';

  constructor(
    overrides: Partial<ApiDeps> = {},
    dynamoOptions: MemoryDynamoOptions & MemoryTablesOptions & { writtenBytesPerDay?: number } = {},
  ) {
    const { jobs, executions, schedule } = TABLE_KEYS;
    this.tables = new MemoryTables({ Jobs: jobs, Executions: executions, Schedule: schedule }, dynamoOptions);
    const shards = { bucket: SHARDS_KEY, entry: CONTROL_SORT, count: SHARDS, history: [SHARDS] };
    this.tables.apply('PutCommand', { TableName: TABLES.schedule, Item: shards }, () => false);
    this.dynamo = new MemoryDynamo(this.tables, dynamoOptions);
    const composed = compose({
      stage: 'api',
      documents: this.dynamo,
      heartbeats: this.dynamo,
      tables: TABLES,
      executionQueue: this.queue,
      events: { put: () => undefined },
      clock: this.clock,
      random: this.random,
      log: this.log,
      meter: this.meter,
      settings: {
        userLimitsPerSec: {},
        lifecycleEvents: 'all',
        retentionDays: 30,
        horizonMs: HORIZON.usualSec * 1_000,
        writtenBytesPerDay: dynamoOptions.writtenBytesPerDay ?? LIMITS.writtenBytesPerDay,
      },
    });
    this.deps = {
      ...composed,
      ...apiSurroundings,
      quotas: quotas(LIMITS, { usage: composed.usage, clock: this.clock }),
      tickSwitch: {
        state: async () => this.tick,
        set: async (to) => {
          this.tick = to;
        },
      },
      ...overrides,
    };
  }

  /** `call('POST /v1/jobs/{jobId}/pause', { jobId: 'a' })` */
  async call(
    routeKey: string,
    params: Record<string, string> = {},
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answered> {
    const { user = 'alice', scope = EVERY_SCOPE, headers = {}, query = '', raw } = options;
    const request = requestOf({
      routeKey,
      rawQueryString: query,
      headers,
      pathParameters: params,
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      requestContext: {
        requestId: 'request-1',
        authorizer: { lambda: contextOfClaims({ sub: user, scope }, options.identity) },
      },
    });
    if (!request) throw new Error(`no route ${routeKey}`);
    const filed = watched(request.route.operation, this.deps);
    const result = resultOf(await handleRequest(request, filed.deps));
    const answered = {
      status: result.statusCode,
      headers: result.headers,
      body: result.body === undefined ? undefined : JSON.parse(result.body),
    };
    // whatever a test is about: no answer may be outside the document
    expect(apiContract().complaints(routeKey, answered)).toEqual([]);
    expect(filed.complaints()).toEqual([]);
    return answered;
  }

  create(body: object = {}, options?: CallOptions): Promise<Answered> {
    return this.call('POST /v1/jobs', {}, { ...aBody(), ...body }, options);
  }

  get(jobId: string, options?: CallOptions): Promise<Answered> {
    return this.call('GET /v1/jobs/{jobId}', { jobId }, undefined, options);
  }

  patch(jobId: string, patch: unknown, options?: CallOptions): Promise<Answered> {
    return this.call('PATCH /v1/jobs/{jobId}', { jobId }, patch, options);
  }

  post(
    jobId: string,
    action: 'pause' | 'resume' | 'run',
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answered> {
    return this.call(`POST /v1/jobs/{jobId}/${action}`, { jobId }, body, options);
  }

  remove(jobId: string, options?: CallOptions): Promise<Answered> {
    return this.call('DELETE /v1/jobs/{jobId}', { jobId }, undefined, options);
  }

  executions(jobId: string, query = '', options?: CallOptions): Promise<Answered> {
    return this.call('GET /v1/jobs/{jobId}/executions', { jobId }, undefined, { ...options, query });
  }

  /** Lets another request act between a request's read of a job and its next replacement or removal, once. */
  beforeNextWrite(act: () => Promise<unknown>): void {
    const { replace, remove } = this.deps.jobs;
    let done = false;
    const once = async () => {
      if (done) return;
      done = true;
      await act();
    };
    this.deps.jobs.replace = async (job, etag) => {
      await once();
      return replace(job, etag);
    };
    this.deps.jobs.remove = async (ref, etag, options) => {
      await once();
      return remove(ref, etag, options);
    };
  }

  /** A claim of a first attempt that is due now, as an executor makes it. */
  claim(jobId: string, execId: string, trigger: 'schedule' | 'manual' = 'schedule') {
    const nowMs = this.clock.nowMs();
    return this.deps.executions.claim({
      jobKey: this.jobKey(jobId),
      execId,
      attempt: 1,
      claimId: 'claim-1',
      trigger,
      dueAtMs: nowMs,
      nowMs,
    });
  }

  /** Rows of the Schedule table that are entries. */
  get entries(): Record<string, unknown>[] {
    return this.tables.rows('Schedule').filter(({ bucket }) => !String(bucket).startsWith('#'));
  }

  jobRow(jobId: string, userId = 'alice') {
    return this.deps.jobs.get({ userId, jobId });
  }

  readonly jobKey = (jobId: string, userId = 'alice') => jobKeyOf({ userId, jobId });
}

/** The least that makes a job. */
export const aBody = () => ({
  schedule: { type: 'cron', expression: '0 9 * * *' } as Record<string, unknown> | string,
  target: { type: 'http', url: 'https://example.com/hook' } as Record<string, unknown>,
});

/** Paths of a problem's errors. */
export const paths = (answered: Answered): string[] =>
  (answered.body.errors as { path: string }[] | undefined)?.map(({ path }) => path) ?? [];
