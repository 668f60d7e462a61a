/**
 * Measures how calls of DynamoDB and processor time grow with the number of active jobs. The real stages run
 * over tables in memory, on virtual time. The jobs belong to one project and run once a day.
 *
 * `npm run bench:growth -- [--most 100000] [--json]`
 *
 * - **page**: a page of 50 jobs, in the middle of the list.
 * - **creation**: one job more, with its quota.
 * - **pass**: a pass of the auditor over all jobs. Due times are spread over a day.
 * - **recovery**: all jobs fell due in an hour without a scanner. Then 16 shards are scanned, one a scanner.
 */
import { handleRequest } from '../../lambdas/api/handle-request';
import type { ApiDeps } from '../../lambdas/api/request';
import { auditJobs } from '../../lambdas/auditor/audit-jobs';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { scanShards } from '../../lambdas/scanner/scan-shards';
import { callerOf } from '../../test/support/caller';
import { routeOf } from '../../test/support/route-of';
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { median } from '../support/percentiles';
import { DAY_MS, Deployment, HOUR_MS, MINUTE_MS, PROJECT, SHARDS, type Usage } from './deployment';

const LEAST = 1_000;
const TIMES = 20;
const MOST_A_PAGE = 100;
const BUDGET = { remainingMs: () => 900_000 };

interface Cost extends Usage {
  cpuMs: number;
  /** Virtual time: what a stage waits on purpose. Calls take none of it. */
  waitedMs: number;
}

interface Growth {
  jobs: number;
  page: Cost;
  creation: Cost;
  pass: Cost;
  recovery: Cost;
}

run('bench:growth', async () => {
  const { most } = numbersFrom({ most: 100_000 });
  const before = machine();
  const rows: Growth[] = [];
  for (let jobs = LEAST; jobs <= most; jobs *= 10) rows.push(await growthAt(jobs));
  if (wantsJson()) return void printJson({ before, rows });
  say(machineLine(before));
  for (const part of ['page', 'creation', 'pass', 'recovery'] as const) {
    say(`\n${part}`);
    const cells = rows.map(({ jobs, [part]: cost }) => [
      jobs,
      cost.calls,
      cost.readUnits,
      cost.sent,
      cost.waitedMs,
      cost.cpuMs.toFixed(1),
    ]);
    say(table(['jobs', 'calls', 'read units', 'messages', 'waited ms', 'CPU ms'], cells));
  }
});

async function growthAt(jobs: number): Promise<Growth> {
  const [steady, late] = [await Deployment.started(), await Deployment.started()];
  await steady.fill(jobs, DAY_MS);
  await late.fill(jobs, HOUR_MS);
  await late.clock.advance(HOUR_MS + MINUTE_MS);
  note(`${jobs} jobs are in the tables`);
  const api = steady.api();
  const middle = await middleOf(jobs, api);
  const page = () => ask('listJobs', { query: { limit: '50', ...middle } }, api);
  let created = 0;
  const create = () => ask('createJob', { body: newJob((created += 1)) }, api);
  return {
    jobs,
    page: await medianOf(steady, page),
    creation: await medianOf(steady, create),
    pass: await costOf(steady, async () => {
      const { complete, repaired } = await auditJobs(steady.auditor(), BUDGET);
      if (!complete || repaired > 0) throw new Error(`the pass repaired ${repaired}; complete: ${complete}`);
    }),
    recovery: await costOf(late, async () => {
      const scanOf = (shard: number) => scanShards([shard], late.stage('scanner'), BUDGET);
      const results = (await Promise.all(SHARDS.map(scanOf))).flat();
      const behind = results.find(({ ended }) => ended !== 'caught-up');
      if (behind) throw new Error(`shard ${behind.shard} is ${behind.ended}`);
      if (late.usage.sent < jobs) throw new Error(`${late.usage.sent} messages were sent for ${jobs} jobs`);
    }),
  };
}

/** The query of the page in the middle of the list. */
async function middleOf(jobs: number, api: ApiDeps): Promise<{ cursor?: string }> {
  let cursor: string | undefined;
  for (let seen = 0; seen < jobs / 2; seen += MOST_A_PAGE) {
    const query = { limit: String(MOST_A_PAGE), ...(cursor !== undefined && { cursor }) };
    cursor = (await ask('listJobs', { query }, api)).nextCursor ?? undefined;
  }
  return cursor === undefined ? {} : { cursor };
}

const newJob = (index: number) => ({
  jobId: `new-${index}`,
  schedule: { type: 'cron', expression: '0 9 * * *' },
  target: { type: 'http', url: 'https://example.com/hook' },
});

async function medianOf(deployment: Deployment, work: () => Promise<unknown>): Promise<Cost> {
  await costOf(deployment, work);
  const costs: Cost[] = [];
  for (let time = 0; time < TIMES; time++) costs.push(await costOf(deployment, work));
  const of = (part: keyof Cost) => median(costs.map((cost) => cost[part]));
  return {
    calls: of('calls'),
    readUnits: of('readUnits'),
    sent: of('sent'),
    waitedMs: of('waitedMs'),
    cpuMs: of('cpuMs'),
  };
}

async function costOf(deployment: Deployment, work: () => Promise<unknown>): Promise<Cost> {
  const { calls, readUnits, sent } = deployment.usage;
  const startMs = deployment.clock.monotonicMs();
  const started = process.cpuUsage();
  await deployment.clock.settle(work());
  const { user, system } = process.cpuUsage(started);
  const { usage } = deployment;
  return {
    calls: usage.calls - calls,
    readUnits: usage.readUnits - readUnits,
    sent: usage.sent - sent,
    waitedMs: deployment.clock.monotonicMs() - startMs,
    cpuMs: (user + system) / 1_000,
  };
}

async function ask(
  operation: Operation,
  { query = {}, body }: { query?: Record<string, string>; body?: object },
  api: ApiDeps,
): Promise<{ nextCursor?: string | null }> {
  const response = await handleRequest(
    {
      route: routeOf(operation),
      requestId: 'bench',
      ...callerOf(PROJECT, 'jobs:read', 'jobs:write'),
      params: {},
      query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
      headers: {},
      body: body && JSON.stringify(body),
    },
    api,
  );
  if (response.status >= 300) throw new Error(`${operation}: ${JSON.stringify(response.body)}`);
  return response.body as { nextCursor?: string | null };
}
