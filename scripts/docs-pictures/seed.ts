import { type Body, type Api, type Asking, askingOf } from './asking';
import { cron, FREQUENT, jobs, type TargetAt } from './jobs';
import { workAtQueue } from './workers';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** How long a job is planned that fires each few seconds, and how long it is paused meanwhile. */
const PLANNED_MS = 240_000;
const PLANNED_HERE_MS = 180_000;
const PAUSED_MS = 22_000;
const RUNS_FOR_WORKERS = 7;

/** Makes jobs and lets them run until each picture has something to show. Waits for the API's word alone. */
export async function seed(api: Api, at: TargetAt): Promise<void> {
  const asking = askingOf(api);
  const definitions = Object.entries(jobs(at)).map(([jobId, job]) => ({ jobId, ...job }));
  await asking.ask('POST', '/jobs/batch?replace=true', { jobs: definitions });
  const nowMs = Date.now();
  const midnightMs = startOfDay(nowMs);
  await theDaySoFar(asking, midnightMs, nowMs);
  await started(asking);
  const endMs = await pausedForAWhile(asking);
  await backfills(asking, midnightMs);
  await worked(asking, api);
  // It goes on while the pictures are made.
  const long = await asking.backfill('etl', daysBefore(midnightMs, 61), midnightMs, { parallel: 3 });
  await asking.until(pathOf(long), hasEndedDates(9));
  // What it has run stands behind it: now it is a job that is due now and then.
  await asking.until('/jobs/inventory-sync', () => Date.now() > endMs);
  const next = cron('*/30 7-19 * * MON-FRI', { every: null, endAt: null });
  await asking.ask('PATCH', '/jobs/inventory-sync', { schedule: next });
}

/** As if the jobs had been there since midnight, and a workflow for a week. */
async function theDaySoFar({ backfill, until }: Asking, midnightMs: number, nowMs: number): Promise<void> {
  const minuteMs = wholeMinute(nowMs);
  const all = await Promise.all(
    FREQUENT.map(([jobId]) => backfill(jobId, midnightMs, minuteMs, { parallel: 4 })),
  );
  for (const one of all) await until(pathOf(one), hasEnded);
  const week = await backfill('nightly-warehouse', midnightMs - 8 * DAY_MS, midnightMs + DAY_MS / 2, {
    parallel: 3,
  });
  await until(pathOf(week), hasEnded);
}

/** A blocked key, an approval, and an execution that keeps others from running. */
async function started({ ask, some }: Asking): Promise<void> {
  const jobIds = ['charge-42', 'charge-42', 'charge-42', 'release-prices', 'invoice-reminder'];
  for (const jobId of [...jobIds, 'video-transcode', 'video-transcode', 'video-transcode'])
    await ask('POST', `/jobs/${jobId}/run`, {});
  await some('/waiting?kind=approval');
  await some('/jobs/charge-42/executions?status=failed');
  await some('/jobs/video-transcode/executions?status=skipped');
}

/** An end in the past leaves the planned load of the day alone. */
const everyFewSeconds = (every: string, forMs: number) => ({
  schedule: { type: 'interval', every, endAt: new Date(wholeMinute(Date.now() + forMs)).toISOString() },
});

const wholeMinute = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** Each kind of outcome, and a pause in which occurrences fall due: for the ledger and the proof. */
async function pausedForAWhile({ ask, some, until }: Asking): Promise<number> {
  const planned = everyFewSeconds('6s', PLANNED_HERE_MS);
  await ask('PATCH', '/jobs/inventory-sync', planned);
  const endMs = Date.parse(planned.schedule.endAt);
  const ran = '/jobs/inventory-sync/executions?status=succeeded';
  await some(ran, 3);
  await some('/jobs/inventory-sync/executions?status=failed');
  await ask('POST', '/jobs/inventory-sync/pause');
  const resumeMs = Date.now() + PAUSED_MS;
  await until('/jobs/inventory-sync', () => Date.now() > resumeMs);
  await ask('POST', '/jobs/inventory-sync/resume');
  await some(ran, 6);
  await ask('POST', '/jobs/inventory-sync/run', {});
  return endMs;
}

/** One that failed, one that a user cancelled, and one that is paused. */
async function backfills({ ask, until, backfill }: Asking, midnightMs: number): Promise<void> {
  const back = (days: number) => daysBefore(midnightMs, days);
  await until(pathOf(await backfill('ledger-close', back(21), back(0), { parallel: 5 })), hasEnded);
  const cancelled = await backfill('etl', back(90), back(62));
  await until(pathOf(cancelled), hasEndedDates(2));
  await ask('POST', `/jobs/etl/executions/${cancelled.execId}/cancel`, {});
  const held = await backfill('crm-sync', back(9), back(7), { order: 'desc', parallel: 2 });
  await until(pathOf(held), hasEndedDates(20));
  await ask('POST', `/jobs/crm-sync/executions/${held.execId}/pause`, {});
}

async function worked({ ask, until }: Asking, { url, headers }: Api): Promise<void> {
  await ask('PATCH', '/jobs/load-orders', everyFewSeconds('4s', PLANNED_MS));
  await until('/work/queues/warehouse', ({ waiting }) => Number(waiting) >= RUNS_FOR_WORKERS);
  await workAtQueue(url, await headers('work'), 'warehouse');
}

const pathOf = ({ jobId, execId }: Body): string => `/jobs/${String(jobId)}/backfills/${execId}`;
const hasEnded = ({ status }: Body): boolean => status === 'succeeded' || status === 'failed';
const hasEndedDates =
  (least: number) =>
  ({ items }: Body): boolean =>
    (items as unknown as { succeeded: number }).succeeded >= least;

/** A midnight some days before another one, also if clocks have changed in between. */
const daysBefore = (midnightMs: number, days: number): number =>
  startOfDay(midnightMs - (days - 0.5) * DAY_MS);

/** Midnight in Berlin, an hour or two before that in UTC. */
function startOfDay(nowMs: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const [hour = 0, minute = 0, second = 0] = clock.format(nowMs).split(':').map(Number);
  return Math.floor(nowMs / 1_000) * 1_000 - (hour * 3_600 + minute * 60 + second) * 1_000;
}
