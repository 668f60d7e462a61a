import { handleRequest } from '../../../lambdas/api/handle-request';
import { requestOf, resultOf } from '../../../lambdas/api/http/http-event';
import { quotas } from '../../../lambdas/api/jobs/charge-quotas';
import type { ApiDeps } from '../../../lambdas/api/request';
import { HORIZON } from '../../../lambdas/core/contracts/horizon';
import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { dynamoExecutionStore } from '../../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoOverlapLockStore } from '../../../lambdas/core/store/dynamo/overlap-locks/dynamo-overlap-lock-store';
import { dynamoJobStore } from '../../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { dynamoUserStore } from '../../../lambdas/core/store/dynamo/users/dynamo-user-store';
import { dynamoRequestKeyStore } from '../../../lambdas/core/store/dynamo/idempotency/dynamo-request-key-store';
import { dynamoUsageStore } from '../../../lambdas/core/store/dynamo/usage/dynamo-usage-store';
import { dynamoScheduleStore } from '../../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { apiContract } from '../../support/api-contract';
import { dynamoOrderingStore } from '../../../lambdas/core/store/dynamo/ordering/dynamo-ordering-store';
import { AWS_POLICY } from '../../support/aws-policy';
import { MemoryDynamo, type MemoryDynamoOptions } from '../../support/dynamo/memory-dynamo';
import { MemoryTables, type MemoryTablesOptions } from '../../support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../support/dynamo/table-keys';
import { FakeRandom } from '../../support/fake-random';
import { FakeClock } from '../../support/fake-clock';
import { MemoryQueue } from '../../support/memory-queue';
import { publicNames } from '../../support/public-names';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';

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
  headers?: Record<string, string>;
  query?: string;
  /** Sent as it is; `body` is sent as JSON. */
  raw?: string;
}

const SHARDS = 4;
const LIMITS = { jobs: 1_000_000, firesPerMinute: 1_000_000, payloadBytes: 10_000_000_000 };

/**
 * The API over tables in memory, on virtual time: requests as API Gateway sends them, all stores and queues
 * to look into.
 */
export class World {
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
    dynamoOptions: MemoryDynamoOptions & MemoryTablesOptions = {},
  ) {
    const { jobs, executions, schedule } = TABLE_KEYS;
    this.tables = new MemoryTables({ Jobs: jobs, Executions: executions, Schedule: schedule }, dynamoOptions);
    this.dynamo = new MemoryDynamo(this.tables, dynamoOptions);
    const access = (table: string) => ({
      documents: this.dynamo,
      heartbeats: this.dynamo,
      table,
      clock: this.clock,
      random: this.random,
    });
    const executionRows = dynamoExecutionStore(access('Executions'));
    this.deps = {
      jobs: dynamoJobStore(access('Jobs')),
      executions: executionRows,
      ends: executionRows,
      publishEnd: () => undefined,
      schedule: dynamoScheduleStore(access('Schedule')),
      overlapLocks: dynamoOverlapLockStore(access('Jobs')),
      ordering: dynamoOrderingStore(access('Schedule')),
      users: dynamoUserStore(access('Jobs')),
      requestKeys: dynamoRequestKeyStore(access('Jobs')),
      quotas: quotas(LIMITS, { usage: dynamoUsageStore(access('Jobs')), clock: this.clock }),
      queue: this.queue,
      clock: this.clock,
      random: this.random,
      shardCount: () => Promise.resolve(SHARDS),
      inMaintenance: () => Promise.resolve(false),
      tickSwitch: {
        state: async () => this.tick,
        set: async (to) => {
          this.tick = to;
        },
      },
      log: this.log,
      meter: this.meter,
      retentionDays: 30,
      horizonMs: HORIZON.usualSec * 1_000,
      secret: { get: () => Promise.resolve(Buffer.alloc(32, 7)) },
      settings: { targetPolicy: 'public', awsTargets: AWS_POLICY, pools: ['default'] },
      resolve: publicNames,
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
    const { user = 'alice', scope = 'jobs:read jobs:write admin', headers = {}, query = '', raw } = options;
    const request = requestOf({
      routeKey,
      rawQueryString: query,
      headers,
      pathParameters: params,
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      requestContext: { requestId: 'request-1', authorizer: { jwt: { claims: { sub: user, scope } } } },
    });
    if (!request) throw new Error(`no route ${routeKey}`);
    const result = resultOf(await handleRequest(request, this.deps));
    const answered = {
      status: result.statusCode,
      headers: result.headers,
      body: result.body === undefined ? undefined : JSON.parse(result.body),
    };
    // whatever a test is about: no answer may be outside the document
    expect(apiContract().complaints(routeKey, answered)).toEqual([]);
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

  executions(jobId: string, query = '', options?: CallOptions): Promise<Answered> {
    return this.call('GET /v1/jobs/{jobId}/executions', { jobId }, undefined, { ...options, query });
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
    return this.tables.rows('Schedule');
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
