/**
 * Measures how much processor time the pages of lookups take with the worst definitions that are allowed. The
 * API runs over tables in memory, on the real clock.
 *
 * `npm run bench:lookups -- [--jobs 500] [--seed 1] [--json]`
 */
import { handleRequest } from '../../lambdas/api/handle-request';
import type { ApiDeps } from '../../lambdas/api/request';
import { chunksOf } from '../../lambdas/core/async/chunks';
import { systemClock, systemCpuMs } from '../../lambdas/core/clock/system-clock';
import { systemRandom } from '../../lambdas/core/clock/system-random';
import { HORIZON } from '../../lambdas/core/contracts/horizon';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { compose } from '../../lambdas/core/platform/compose';
import { callerOf } from '../../test/support/caller';
import { TABLES } from '../../test/support/dynamo/memory-backend';
import { MemoryDynamo } from '../../test/support/dynamo/memory-dynamo';
import { MemoryTables } from '../../test/support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../test/support/dynamo/table-keys';
import { noQuotas } from '../../test/support/no-quotas';
import { RecordingLog } from '../../test/support/recording-log';
import { RecordingMeter } from '../../test/support/recording-meter';
import { routeOf } from '../../test/support/route-of';
import { apiSurroundings } from '../../test/support/surroundings';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { calendarBody, CALENDARS, worstJobs } from './definitions';

const DAY_MS = 86_400_000;
/** Jobs in one request. */
const BATCH = 100;
/** What `docs/lookups.md` promises of a page, in seconds of processor time. */
const MOST_SEC = 5;
/** Far more than a week of 500 jobs takes. */
const MOST_PAGES = 2_000;

function newApi(): ApiDeps {
  const documents = new MemoryDynamo(new MemoryTables(TABLE_KEYS));
  const unused = () => Promise.reject(new Error('a lookup asks no queue'));
  const composed = compose({
    stage: 'api',
    tables: TABLES,
    documents,
    heartbeats: documents,
    executionQueue: { send: async () => undefined, has: () => true, backlog: unused },
    events: { put: () => undefined },
    clock: systemClock,
    random: systemRandom,
    log: new RecordingLog(),
    meter: new RecordingMeter(),
    settings: {
      userLimitsPerSec: {},
      lifecycleEvents: 'all',
      retentionDays: 30,
      horizonMs: HORIZON.usualSec * 1_000,
      shardCount: 1,
    },
  });
  const tickSwitch = { state: async () => 'on' as const, set: async () => undefined };
  return { ...composed, ...apiSurroundings, cpuMs: systemCpuMs, quotas: noQuotas.quotas, tickSwitch };
}

interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

async function ask(operation: Operation, { params = {}, query = {}, body }: Asked, deps: ApiDeps) {
  const response = await handleRequest(
    {
      route: routeOf(operation),
      requestId: 'bench',
      ...callerOf('alice', 'jobs:read', 'jobs:write'),
      params,
      query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
      headers: {},
      body: body && JSON.stringify(body),
    },
    deps,
  );
  if (response.status >= 300) throw new Error(`${operation}: ${JSON.stringify(response.body)}`);
  return response.body as { nextCursor?: string | null; results?: { status: number }[] };
}

/** The processor time of each page, in seconds. */
async function pagesOf(operation: Operation, asked: Asked, deps: ApiDeps): Promise<number[]> {
  const pagesSec: number[] = [];
  let cursor: string | undefined;
  do {
    const before = process.cpuUsage();
    const query = { ...asked.query, ...(cursor !== undefined && { cursor }) };
    const page = await ask(operation, { ...asked, query }, deps);
    const { user, system } = process.cpuUsage(before);
    pagesSec.push((user + system) / 1e6);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && pagesSec.length < MOST_PAGES);
  return pagesSec;
}

run('bench:lookups', async () => {
  const { jobs, seed } = numbersFrom({ jobs: 500, seed: 1 });
  const deps = newApi();
  for (const calendarId of CALENDARS)
    await ask('putCalendar', { params: { calendarId }, body: calendarBody(calendarId) }, deps);
  for (const some of chunksOf(worstJobs(jobs, seed), BATCH)) {
    const { results } = await ask('createJobs', { body: { jobs: some } }, deps);
    const failed = results?.find(({ status }) => status >= 300);
    if (failed) throw new Error(`a job was refused: ${JSON.stringify(failed)}`);
  }
  const at = (days: number) => new Date(deps.clock.nowMs() + days * DAY_MS).toISOString();
  const week = { from: at(60), to: at(67) };
  const lookups: [Operation, Asked][] = [
    ['listJobs', { query: { fields: 'summary', limit: '500' } }],
    ['listJobs', { query: { fields: 'summary', limit: '50', history: '20' } }],
    // Nothing has this text, so all jobs are read.
    ['listJobs', { query: { fields: 'summary', contains: 'nowhere' } }],
    ['listUpcomingOfJobs', { query: { ...week, limit: '500' } }],
    ['getLoad', { query: week }],
    ['listExecutionsOfJobs', { query: { from: at(-2), to: at(0) } }],
    ['listFailures', { query: { from: at(-2), to: at(0), view: 'inbox' } }],
  ];
  const rows = [];
  for (const [operation, asked] of lookups) {
    const pagesSec = await pagesOf(operation, asked, deps);
    rows.push({ operation, pages: pagesSec.length, mostSec: Math.max(...pagesSec) });
  }
  const isReached = rows.every(({ mostSec }) => mostSec < MOST_SEC);
  if (wantsJson()) printJson({ jobs, seed, rows, isReached });
  else {
    const cells = rows.map(({ operation, pages, mostSec }) => [operation, pages, mostSec.toFixed(2)]);
    say(table(['lookup', 'pages', 'most processor time of a page, s'], cells));
    say(`\nBelow ${MOST_SEC} s: ${isReached ? 'yes' : 'no'}.`);
  }
  if (!isReached) process.exitCode = 1;
});
