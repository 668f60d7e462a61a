import { type Backfill, execIdOfBackfill } from '../../lambdas/core/domain/workflow/backfill';
import { startBackfill } from '../../lambdas/core/ending/runs/start-backfill';
import type { WorkflowWorld } from './workflow-world';

/** What tests of gates ask of a world with several jobs. */

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('2019-03-01T02:00:00Z');

/** Asks for a backfill of a job from March 2019 on. */
export async function backfilled(
  { world }: WorkflowWorld,
  count: number,
  how: Partial<Backfill> = {},
  jobId = 'child',
): Promise<string> {
  const job = await world.deps.jobs.get({ userId: 'alice', jobId });
  const backfill: Backfill = {
    fromMs: FIRST_MS,
    toMs: FIRST_MS + count * DAY_MS,
    parallel: 1,
    order: 'asc',
    only: 'all',
    onFailure: 'continue',
    overlap: 'respect',
    priority: 'low',
    count,
    ...how,
  };
  const dueTimesMs = Array.from({ length: count }, (_, day) => FIRST_MS + day * DAY_MS);
  const execId = execIdOfBackfill(world.clock.nowMs(), 'one');
  await startBackfill({ execId, backfill, dueTimesMs }, job!, world.deps);
  return execId;
}

/** How many executions of a concurrency key run at a time. */
export async function limitTo({ world }: WorkflowWorld, limit: number, key = 'db'): Promise<void> {
  const { status, body } = await world.api('putConcurrencyKey', { key }, { limit });
  if (status >= 300) throw new Error(JSON.stringify(body));
}

/** Changes some fields of a job. */
export async function edit({ world }: WorkflowWorld, jobId: string, fields: object): Promise<void> {
  const { status, body } = await world.api('patchJob', { jobId }, fields);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** Starts a run of a job, and returns its execId. */
export async function start({ world }: WorkflowWorld, jobId: string): Promise<string> {
  const { status, body } = await world.api('runJob', { jobId });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return (body as { execId: string }).execId;
}
