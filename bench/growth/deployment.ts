import type { ApiDeps } from '../../lambdas/api/request';
import { quotas } from '../../lambdas/api/jobs/charge-quotas';
import type { AuditorDeps } from '../../lambdas/auditor/audit-jobs';
import { systemRandom } from '../../lambdas/core/clock/system-random';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import { firstEntry, scheduleOf } from '../../lambdas/core/domain/entry-planning';
import type { Job } from '../../lambdas/core/domain/job';
import { shardOf } from '../../lambdas/core/domain/shard';
import { endUnstarted } from '../../lambdas/core/ending/end-execution';
import { compose, type Composition } from '../../lambdas/core/platform/compose';
import type { SendingStage } from '../../lambdas/core/queue/pipeline';
import { raiseShards } from '../../lambdas/core/shards/raise-shards';
import { TABLES } from '../../test/support/dynamo/memory-backend';
import { MemoryDynamo } from '../../test/support/dynamo/memory-dynamo';
import { MemoryTables } from '../../test/support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../test/support/dynamo/table-keys';
import { aJob, anExecution } from '../../test/support/factories';
import { FakeClock } from '../../test/support/fake-clock';
import { noQuotas } from '../../test/support/no-quotas';
import { RecordingLog } from '../../test/support/recording-log';
import { RecordingMeter } from '../../test/support/recording-meter';
import { apiSurroundings } from '../../test/support/surroundings';

export const PROJECT = 'growing';
export const SHARDS = Array.from({ length: 16 }, (_, shard) => shard);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** The auditor reads no record from before that. */
const AUDITED_MS = 2 * HOUR_MS;

/** What stages did: calls of DynamoDB, request units of reads, and messages to execution queues. */
export interface Usage {
  calls: number;
  readUnits: number;
  sent: number;
}

/** Stages over tables in memory, on virtual time. */
export class Deployment {
  readonly clock = new FakeClock(undefined, { promisesOnly: true });
  readonly log = new RecordingLog();
  private readonly tables = new MemoryTables(TABLE_KEYS);
  private calls = 0;
  private sent = 0;

  /** The first tick has been. */
  static async started(): Promise<Deployment> {
    const deployment = new Deployment();
    const { clock } = deployment;
    await raiseShards(SHARDS.length, { schedule: deployment.stage('scanner').schedule, clock });
    return deployment;
  }

  get usage(): Usage {
    return { calls: this.calls, readUnits: this.tables.units().readUnits, sent: this.sent };
  }

  stage(stage: SendingStage): Composition {
    const before = () => void (this.calls += 1);
    const documents = new MemoryDynamo(this.tables, { faults: { before } });
    return compose({
      stage,
      tables: TABLES,
      documents,
      heartbeats: documents,
      executionQueue: {
        send: async (messages) => void (this.sent += messages.length),
        has: () => true,
        backlog: async () => ({ visible: 0, inFlight: 0 }),
      },
      events: { put: () => undefined },
      clock: this.clock,
      random: systemRandom,
      log: this.log,
      meter: new RecordingMeter(),
      settings: {
        userLimitsPerSec: {},
        lifecycleEvents: 'all',
        retentionDays: 30,
        horizonMs: HORIZON.usualSec * 1_000,
        shardCount: SHARDS.length,
      },
    });
  }

  api(): ApiDeps {
    const composed = this.stage('api');
    const tickSwitch = { state: async () => 'on' as const, set: async () => undefined };
    return {
      ...composed,
      ...apiSurroundings,
      quotas: quotas(noQuotas.quotaLimits, composed),
      tickSwitch,
    };
  }

  auditor(): AuditorDeps {
    return { ...this.stage('auditor'), quotaLimits: noQuotas.quotaLimits };
  }

  /**
   * Writes active jobs of one project that run once a day, and their pending entries: rows that creations of
   * ten days ago leave. What fell due in the hours that the auditor reads has succeeded.
   *
   * @param withinMs the due times are spread over that long from now on
   */
  async fill(jobs: number, withinMs: number): Promise<void> {
    const deps = this.stage('api');
    const nowMs = this.clock.nowMs();
    const sinceMs = nowMs - 10 * DAY_MS;
    for (let index = 0; index < jobs; index++) {
      const job = dailyJob(index, nowMs + Math.floor((index * withinMs) / jobs), sinceMs);
      await deps.jobs.create(job);
      const shard = shardOf(jobKeyOf(job), SHARDS.length);
      const entry = firstEntry(job, scheduleOf(job), shard, nowMs)!;
      await deps.schedule.putEntries([entry]);
      const lastMs = entry.dueAtMs - DAY_MS;
      if (lastMs < nowMs - AUDITED_MS) continue;
      const row = { jobKey: jobKeyOf(job), execId: execIdOfOccurrence(lastMs), dueAtMs: lastMs };
      await endUnstarted(
        anExecution({ ...row, status: 'succeeded', finishedAtMs: lastMs }),
        'executor',
        deps,
      );
    }
  }
}

function dailyJob(index: number, dueAtMs: number, sinceMs: number): Job {
  const due = new Date(dueAtMs);
  return aJob({
    userId: PROJECT,
    jobId: `job-${String(index).padStart(7, '0')}`,
    schedule: { type: 'cron', expression: `${due.getUTCMinutes()} ${due.getUTCHours()} * * *` },
    createdAtMs: sinceMs,
    updatedAtMs: sinceMs,
    scheduleChangedAtMs: sinceMs,
    activeSinceMs: sinceMs,
  });
}
