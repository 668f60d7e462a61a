import { handleRequest } from '../../../lambdas/api/handle-request';
import type { ApiDeps } from '../../../lambdas/api/request';
import { HORIZON } from '../../../lambdas/core/contracts/horizon';
import { jobRefOf } from '../../../lambdas/core/contracts/tables';
import type { ExplainView } from '../../../lambdas/core/http/openapi/lookup-answers';
import { compose } from '../../../lambdas/core/platform/compose';
import { callerOf } from '../../support/caller';
import { TABLES } from '../../support/dynamo/memory-backend';
import { MemoryDynamo } from '../../support/dynamo/memory-dynamo';
import type { MemoryTables } from '../../support/dynamo/memory-tables';
import { FakeRandom } from '../../support/fake-random';
import { noQuotas } from '../../support/no-quotas';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';
import { routeOf } from '../../support/route-of';
import { apiSurroundings } from '../../support/surroundings';

export const RETENTION_DAYS = 30;

/** Asks the API about the tables of a run, without faults, and at any time. Nothing is written. */
export class Asking {
  nowMs = 0;
  readonly deps: ApiDeps;

  constructor(tables: MemoryTables) {
    const documents = new MemoryDynamo(tables);
    const unused = () => Promise.reject(new Error('an explanation neither sends nor sleeps'));
    const composed = compose({
      stage: 'api',
      tables: TABLES,
      documents,
      heartbeats: documents,
      executionQueue: { send: unused, has: () => true, backlog: unused },
      events: { put: () => undefined },
      clock: { nowMs: () => this.nowMs, monotonicMs: () => 0, sleep: unused },
      random: new FakeRandom(1),
      log: new RecordingLog(),
      meter: new RecordingMeter(),
      settings: {
        userLimitsPerSec: {},
        lifecycleEvents: 'all',
        retentionDays: RETENTION_DAYS,
        horizonMs: HORIZON.usualSec * 1_000,
      },
    });
    const tickSwitch = { state: async () => 'on' as const, set: unused };
    this.deps = { ...composed, ...apiSurroundings, quotas: noQuotas.quotas, tickSwitch };
  }

  /** Undefined: there never was such a job. */
  async explain(jobKey: string, atMs: number): Promise<ExplainView | undefined> {
    const { userId, jobId } = jobRefOf(jobKey);
    const { status, body } = await handleRequest(
      {
        route: routeOf('explainOccurrence'),
        requestId: 'explain',
        ...callerOf(userId, 'jobs:read'),
        params: { jobId },
        query: new Map([['at', [new Date(atMs).toISOString()]]]),
        headers: {},
      },
      this.deps,
    );
    if (status !== 200 && status !== 404) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return status === 200 ? (body as ExplainView) : undefined;
  }
}
