import { setTimeout as sleep } from 'node:timers/promises';

import { FREQUENT, jobs, type TargetAt } from './jobs';
import { workAtQueue } from './workers';

const BETWEEN_POLLS_MS = 500;
/** A busy machine needs some of it. */
const PATIENCE_MS = 600_000;
const DAY_MS = 86_400_000;
/** How long a job is planned that fires each 5 seconds, and how long it is paused meanwhile. */
const PLANNED_MS = 240_000;
const PAUSED_MS = 22_000;
const RUNS_FOR_WORKERS = 7;

interface Api {
  url: string;
  /** Headers of a request with these scopes; without a text, with the usual ones. */
  headers(scope?: string): Promise<Record<string, string>>;
}

type Answer = { items?: { execId: string; status: string }[]; execId?: string; [name: string]: unknown };

/** Makes jobs and lets them run until each picture has something to show. Waits for the API's word alone. */
export async function seed({ url, headers }: Api, at: TargetAt): Promise<void> {
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: await headers(),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const until = async (path: string, isDone: (answer: Answer) => boolean): Promise<Answer> => {
    for (const giveUpMs = Date.now() + PATIENCE_MS; ; await sleep(BETWEEN_POLLS_MS)) {
      const answer = await ask('GET', path);
      if (isDone(answer)) return answer;
      if (Date.now() > giveUpMs) throw new Error(`${path} is still ${JSON.stringify(answer).slice(0, 400)}`);
    }
  };
  const some = (path: string, least = 1) => until(path, ({ items = [] }) => items.length >= least);

  const definitions = Object.entries(jobs(at)).map(([jobId, job]) => ({ jobId, ...job }));
  await ask('POST', '/jobs/batch?replace=true', { jobs: definitions });
  const backfill = (jobId: string, from: number, to: number, more: object = {}) =>
    ask('POST', `/jobs/${jobId}/backfills`, {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      ...more,
    });
  const hasEnded = ({ status }: Answer) => status === 'succeeded' || status === 'failed';
  const ended = (one: Answer) => until(pathOf(one), hasEnded);

  // The day so far, as if the jobs had been there.
  const nowMs = Date.now();
  const todayMs = startOfDay(nowMs);
  const today = await Promise.all(
    FREQUENT.map(([jobId]) => backfill(jobId, todayMs, wholeMinutes(nowMs), { parallel: 4 })),
  );
  for (const one of today) await ended(one);
  const back = (days: number) => todayMs - days * DAY_MS;
  await ended(await backfill('nightly-warehouse', back(8), todayMs + DAY_MS / 2, { parallel: 3 }));

  for (const jobId of ['charge-42', 'charge-42', 'charge-42', 'release-prices', 'invoice-reminder'])
    await ask('POST', `/jobs/${jobId}/run`, {});
  for (let count = 0; count < 3; count++) await ask('POST', '/jobs/video-transcode/run', {});
  await pausedForAWhile({ ask, until });
  await ended(await backfill('ledger-close', back(21), back(0), { parallel: 5 }));
  const cancelled = await backfill('etl', back(90), back(62));
  await until(pathOf(cancelled), hasEndedDates(2));
  await ask('POST', `/jobs/etl/executions/${cancelled.execId}/cancel`, {});
  const held = await backfill('crm-sync', back(9), back(7), { order: 'desc', parallel: 2 });
  await until(pathOf(held), hasEndedDates(20));
  await ask('POST', `/jobs/crm-sync/executions/${held.execId}/pause`, {});

  for (let count = 0; count < RUNS_FOR_WORKERS; count++) await ask('POST', '/jobs/load-orders/run', {});
  await workAtQueue(url, await headers('work'), 'warehouse');
  await some('/waiting?kind=approval');
  await some('/jobs/charge-42/executions?status=failed');
  await some('/jobs/video-transcode/executions?status=skipped');

  // It goes on while the pictures are made.
  const long = await backfill('etl', back(61), back(0), { parallel: 3 });
  await until(pathOf(long), hasEndedDates(17));
}

const pathOf = ({ jobId, execId }: Answer): string => `/jobs/${String(jobId)}/backfills/${execId}`;
const hasEndedDates =
  (least: number) =>
  ({ items }: Answer): boolean =>
    (items as unknown as { succeeded: number }).succeeded >= least;

interface Asking {
  ask(method: string, path: string, body?: object): Promise<Answer>;
  until(path: string, isDone: (answer: Answer) => boolean): Promise<Answer>;
}

/** A pause in which occurrences fall due, for the ledger and the proof. Its end leaves the load of the day alone. */
async function pausedForAWhile({ ask, until }: Asking): Promise<void> {
  const endAt = new Date(Date.now() + PLANNED_MS).toISOString();
  await ask('PATCH', '/jobs/inventory-sync', { schedule: { type: 'interval', every: '5s', endAt } });
  const ran = '/jobs/inventory-sync/executions?status=succeeded';
  await until(ran, ({ items = [] }) => items.length >= 3);
  await ask('POST', '/jobs/inventory-sync/pause');
  const since = Date.now();
  await until('/jobs/inventory-sync', () => Date.now() > since + PAUSED_MS);
  await ask('POST', '/jobs/inventory-sync/resume');
  await until(ran, ({ items = [] }) => items.length >= 6);
}

const wholeMinutes = (ms: number): number => Math.floor(ms / 60_000) * 60_000;

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
