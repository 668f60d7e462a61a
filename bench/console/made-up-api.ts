import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { executionsOfDay, failuresOfDay, statsOfDay } from './busy-day';

const FILES = join(__dirname, '../../dist/lambdas/console/files');
const DUE_AT = '2026-11-22T02:15:00.000Z';

/** What the pages are given. */
export interface Sizes {
  jobs: number;
  tasks: number;
}

/** The API, and what it was asked for so far: requests below `/v1`, and the bytes of their answers. */
export interface MadeUpApi {
  url: string;
  asked(): { requests: number; bytes: number };
  stop(): Promise<void>;
}

/**
 * An API that answers after a while, and the built console, which comes at once: what is measured is the
 * browser's part alone.
 */
export async function madeUpApi(sizes: Sizes, delayMs = 0): Promise<MadeUpApi> {
  let [requests, bytes] = [0, 0];
  const server = createServer((request, response) => {
    const target = request.url ?? '/';
    if (!target.startsWith('/v1/')) return answer(target, response, sizes, () => undefined);
    requests++;
    setTimeout(() => answer(target, response, sizes, (sent) => (bytes += sent)), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => ({ requests, bytes }),
    stop: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function answer(
  target: string,
  response: ServerResponse,
  sizes: Sizes,
  count: (bytes: number) => void,
): void {
  const url = new URL(target, 'http://127.0.0.1');
  const json = (value: unknown): void => {
    const text = JSON.stringify(value);
    count(Buffer.byteLength(text));
    response.setHeader('content-type', 'application/json').end(text);
  };
  if (url.pathname === '/console/config.json') json(SIGN_IN);
  else if (url.pathname === '/token') json(TOKENS);
  else if (url.pathname.startsWith('/console')) file(url.pathname, response);
  else {
    const body = bodyOf(url, sizes);
    if (body === undefined) response.writeHead(404).end();
    else json(body);
  }
}

const SIGN_IN = {
  issuer: 'http://127.0.0.1',
  authorizationEndpoint: '/authorize',
  tokenEndpoint: '/token',
  clientId: 'console',
  scopes: ['openid'],
  callbackUrls: [],
  version: 'bench',
};
const TOKENS = { access_token: 'made-up', token_type: 'bearer', expires_in: 3_600, refresh_token: 'made-up' };

/** The compressed files, as the stack serves them. */
function file(path: string, response: ServerResponse): void {
  const known = JSON.parse(readFileSync(join(FILES, 'files.json'), 'utf8')) as Record<
    string,
    { type: string }
  >;
  const asked = path.replace('/console/', '');
  const name = asked in known ? asked : 'index.html';
  response
    .setHeader('content-type', known[name]!.type)
    .setHeader('content-encoding', 'br')
    .end(readFileSync(join(FILES, `${name}.br`)));
}

function bodyOf({ pathname, searchParams }: URL, { jobs, tasks }: Sizes): unknown {
  if (pathname === '/v1/me') return ME;
  if (pathname === '/v1/jobs')
    return searchParams.get('status') === 'paused'
      ? { items: [], nextCursor: null }
      : jobPage(Number(searchParams.get('cursor') ?? 0), jobs);
  if (pathname.endsWith('/tasks')) return { items: Array.from({ length: tasks }, taskOf), nextCursor: null };
  if (/\/executions\/[^/]+$/.test(pathname)) return RUN;
  if (pathname === '/v1/usage') return { jobs: QUOTA, firesPerMinute: QUOTA, payloadBytes: QUOTA };
  if (pathname === '/v1/load')
    return { ...RANGE, jobs, counts: Array<number>(1_440).fill(3), nextCursor: null };
  if (pathname === '/v1/upcoming')
    return { ...RANGE, items: [], jobs, complete: true, incompleteBecause: [] };
  if (pathname === '/v1/executions') return executionsOfDay(searchParams);
  if (pathname === '/v1/failures') return failuresOfDay(searchParams);
  if (pathname === '/v1/stats') return statsOfDay();
  if (pathname === '/v1/waiting') return { items: [], nextCursor: null };
  return undefined;
}

const QUOTA = { used: 1, allowed: 100 };
const RANGE = { from: DUE_AT, to: '2026-11-23T02:15:00.000Z' };
const ME = {
  by: { sub: 'alice', via: 'token' },
  project: 'alice',
  projects: [{ name: 'alice', role: 'owner' }],
  role: 'owner',
  scopes: ['jobs:read', 'jobs:write', 'runs:operate'],
  stage: 'bench',
  region: 'local',
  version: 'bench',
  quotas: { jobs: 100_000, firesPerMinute: 1_000, payloadBytes: 1_000_000 },
  retentionDays: 30,
  targetPolicy: 'public',
  pools: ['default'],
};

const PAGE = 50;
const jobPage = (from: number, jobs: number) => ({
  items: Array.from({ length: Math.min(PAGE, jobs - from) }, (_, index) => jobOf(from + index)),
  nextCursor: from + PAGE < jobs ? String(from + PAGE) : null,
});

const ended = (index: number) => ({
  execId: `e${index}`,
  trigger: 'schedule',
  status: index % 9 === 0 ? 'failed' : 'succeeded',
  reason: null,
  dueAt: DUE_AT,
  startedAt: DUE_AT,
  finishedAt: DUE_AT,
  latenessMs: 40,
});

const jobOf = (index: number) => ({
  jobId: `job-${String(index).padStart(5, '0')}`,
  name: `Job ${index}`,
  kind: 'plain',
  schedule: { type: 'cron', expression: `${index % 60} 9 * * *`, timezone: 'Europe/Berlin' },
  targets: [{ type: 'http', address: 'https://example.com/hook' }],
  priority: 'medium',
  pool: 'default',
  tags: { team: `t${index % 7}` },
  status: 'active',
  generation: 1,
  createdAt: DUE_AT,
  updatedAt: DUE_AT,
  scheduleChangedAt: DUE_AT,
  nextFireAt: RANGE.to,
  lastExecution: ended(index),
  history: Array.from({ length: 20 }, (_, one) => ended(index + one)),
});

const RUN = {
  ...ended(0),
  jobId: 'etl',
  status: 'succeeded',
  attempts: [],
  targets: [],
  skipped: null,
  result: null,
  heartbeatAt: null,
  nextAttemptAt: null,
  workflow: {
    version: 'v1',
    number: 1,
    phase: 'ended',
    startedAt: DUE_AT,
    endsAt: RANGE.to,
    stopping: null,
    moves: 1,
  },
};

/** Ten columns of tasks: each depends on the one above it ten places earlier. */
const taskOf = (_: unknown, index: number) => ({
  taskId: `task-${index}`,
  kind: 'call',
  status: index % 11 === 0 ? 'failed' : 'succeeded',
  reason: null,
  because: [],
  dependsOn: index < 10 ? [] : [`task-${index - 10}`],
  round: 1,
  startedAt: new Date(Date.parse(DUE_AT) + index * 60_000).toISOString(),
  finishedAt: new Date(Date.parse(DUE_AT) + (index + 3) * 60_000).toISOString(),
  attempts: 1,
  result: null,
});
