import { inParallel } from '../../lambdas/core/async/in-parallel';
import { systemClock } from '../../lambdas/core/clock/system-clock';
import { systemRandom } from '../../lambdas/core/clock/system-random';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import { shardOf } from '../../lambdas/core/domain/shard';
import { documentsOf, dynamoClient } from '../../lambdas/core/platform/clients';
import { type Stores, storesOf } from '../../lambdas/core/platform/stores';
import { readRunFile } from '../../local/run/run-file';
import { aJob, anOccurrenceEntry } from '../../test/support/factories';
import type { RunningSystem } from '../../test/support/local-run';
import { clientOf } from '../support/client';

const AT_ONCE = 16;
/** Entries of one call of the store, which writes them in batches of 25. */
const ENTRIES_A_CALL = 500;
const JOBS_A_USER = 100;
const DAY_MS = 86_400_000;

/**
 * Writes jobs and their pending entries into the tables of a local run: the rows that as many creations
 * leave, in less time. The jobs run once a day, first in a day from now.
 */
export async function fillWithJobs(system: RunningSystem, jobs: number): Promise<void> {
  if (jobs === 0) return;
  // The first job of a run sets the number of shards.
  const call = await clientOf(system, 'bench');
  await call('POST', '/v1/jobs', {
    schedule: { type: 'cron', expression: '0 9 * * *' },
    target: { type: 'http', url: 'http://127.0.0.1:9/hook' },
  });
  const { stores, end } = storesAt(system.url);
  const { count: shards } = await stores.schedule.readShards();
  const nowMs = Date.now();
  const made = Array.from({ length: jobs }, (_, index) =>
    aJob({
      userId: `bench-${Math.floor(index / JOBS_A_USER)}`,
      jobId: `job-${index}`,
      schedule: { type: 'cron', expression: '0 9 * * *' },
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      scheduleChangedAtMs: nowMs,
      activeSinceMs: nowMs,
    }),
  );
  await inParallel(made, AT_ONCE, (job) => stores.jobs.create(job));
  const entries = made.map((job, index) => {
    const dueAtMs = nowMs + DAY_MS + index;
    const jobKey = jobKeyOf(job);
    return anOccurrenceEntry({
      jobKey,
      shard: shardOf(jobKey, shards),
      dueAtMs,
      checkAtMs: dueAtMs,
      throughMs: dueAtMs,
      revision: job.revision,
    });
  });
  for (let from = 0; from < entries.length; from += ENTRIES_A_CALL)
    await stores.schedule.putEntries(entries.slice(from, from + ENTRIES_A_CALL));
  end();
}

function storesAt(url: string): { stores: Stores; end(): void } {
  const run = readRunFile(url);
  const tables = run?.functions.map(({ environment }) => environment).find((one) => one.SCHEDULE_TABLE);
  if (!run || !tables) throw new Error(`no run of this checkout listens at ${url}`);
  const { awsEndpointUrl: endpoint, region, operator: credentials } = run;
  const client = dynamoClient({ endpoint, region, credentials });
  const documents = documentsOf(client);
  const stores = storesOf({
    documents,
    heartbeats: documents,
    tables: {
      jobs: tables.JOBS_TABLE!,
      executions: tables.EXECUTIONS_TABLE!,
      schedule: tables.SCHEDULE_TABLE!,
    },
    clock: systemClock,
    random: systemRandom,
  });
  return { stores, end: () => client.destroy() };
}
