import type { StageDeps } from '../../lambdas/core/deps';
import { execIdOfBackfill } from '../../lambdas/core/domain/workflow/backfill';
import { startBackfill } from '../../lambdas/core/ending/runs/start-backfill';
import type { ClientAction } from './workload';

const DAY_MS = 86_400_000;
/** Long before each run: no schedule of it has such due times. */
const FIRST_MS = Date.parse('2020-02-27T03:00:00Z');

/** What a `backfill` asks for. */
export interface AskedDates {
  /** How many days it has. */
  dates: number;
  parallel: number;
  onFailure: 'continue' | 'stop';
  overlap: 'respect' | 'ignore';
}

/** What a backfill uses of the world. */
export interface Invoking {
  invokeComposed(stage: 'api', work: (deps: StageDeps) => Promise<void>): Promise<unknown>;
}

/** Starts a backfill of a job, if there is one, in a process of the API. */
export async function askForBackfill(
  { id, userId, jobId, body }: ClientAction,
  world: Invoking,
): Promise<void> {
  const { dates, parallel, onFailure, overlap } = body as unknown as AskedDates;
  await world.invokeComposed('api', async (deps) => {
    const job = await deps.jobs.get({ userId, jobId });
    if (!job) return;
    const execId = execIdOfBackfill(deps.clock.nowMs(), `sim${id}`);
    const dueTimesMs = Array.from({ length: dates }, (_, day) => FIRST_MS + day * DAY_MS);
    const backfill = {
      fromMs: FIRST_MS,
      toMs: FIRST_MS + dates * DAY_MS,
      parallel,
      order: 'asc',
      only: 'all',
      onFailure,
      overlap,
      priority: 'low',
      count: dates,
    } as const;
    await startBackfill({ execId, backfill, dueTimesMs }, job, deps);
  });
}
