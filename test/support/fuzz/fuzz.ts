import * as fc from 'fast-check';

import type { ApiContract, HttpAnswer } from '../api-contract';
import { type FuzzedRequest, hintsAt, JOB_IDS, type PathValue, requestsOf } from './request-arbitrary';

/** A request as it goes out: the path filled in and encoded. */
export interface SentRequest extends Pick<FuzzedRequest, 'routeKey' | 'query' | 'headers' | 'body'> {
  pathParameters: Record<string, string>;
}
export type Send = (request: SentRequest) => Promise<HttpAnswer>;

export interface Fuzzed {
  requests: number;
  /** Operations for users that never succeeded. */
  neverSucceeded: string[];
}

interface FuzzBudget {
  nowMs: number;
  seed: number;
  numRuns: number;
  budgetMs: number;
  /** Operations that are asked; by default all. */
  routeKeys?: readonly string[];
}

/** What of an answer names something that exists. */
interface NamedThings {
  execId?: string;
  workflowVersion?: { version: string };
}

/** Values of path parameters that exist; other parameters are ids of executions. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  jobId: JOB_IDS,
  calendarId: JOB_IDS,
  number: ['1', '2', '3'],
  id: ['ops', 'billing'],
  taskId: ['extract', 'load', 'copy'],
  index: ['0', '1'],
  queue: ['warehouse'],
  kind: ['not-found', 'conflict'],
  key: ['crm', 'billing'],
};

/** The second asks for what the first has started. */
const OF_BACKFILLS = ['POST /v1/jobs/{jobId}/backfills', 'GET /v1/jobs/{jobId}/backfills/{execId}'];
const JSON_TYPE = { 'content-type': 'application/json' };
const lastWeek = (nowMs: number): string =>
  JSON.stringify({
    from: new Date(nowMs - 7 * 86_400_000).toISOString(),
    to: new Date(nowMs).toISOString(),
  });
const ofBackfill = (routeKey: string, job: number, execId: number, nowMs: number): FuzzedRequest => ({
  routeKey,
  path: { jobId: { known: job }, execId: { known: execId } },
  query: [],
  headers: JSON_TYPE,
  ...(routeKey.startsWith('POST') && { body: lastWeek(nowMs) }),
});
const OF_PINGS = /^(GET|POST) .*\/ping(?:\/rotate)?$/;
const A_MONITOR = JSON.stringify({
  schedule: { type: 'cron', expression: '0 3 * * *' },
  target: { type: 'monitor', pingWithin: '1h' },
});
const OF_TASKS = /^GET .*\/\{execId\}\/tasks(?:\/\{taskId\}|$)/;
/** Among the known values. */
const [FAN_OUT, FIRST] = [{ known: 1 }, { known: 0 }];

/**
 * Sends random requests to an API, made from its own document: correct ones, and ones with one fault. Throws
 * with the smallest such request, at a 5xx and at an answer that the document does not name.
 */
export async function fuzz(
  contract: ApiContract,
  send: Send,
  { nowMs, seed, numRuns, budgetMs, routeKeys = contract.routeKeys }: FuzzBudget,
): Promise<Fuzzed> {
  const execIds: string[] = []; // grows with what answers tell, as do the versions
  const versions: string[] = [];
  const succeeded = new Set<string>();
  let requests = 0;

  const textOf = (name: string, value: PathValue): string => {
    if ('text' in value) return value.text;
    const known = KNOWN[name] ?? (name === 'version' ? versions : execIds);
    return known[value.known % known.length] ?? 'none';
  };
  const ask = async ({ path, ...request }: FuzzedRequest): Promise<HttpAnswer> => {
    const filled = Object.entries(path).map(([name, value]) => [name, textOf(name, value)]);
    requests += 1;
    const answer = await send({ ...request, pathParameters: Object.fromEntries(filled) });
    const { execId, workflowVersion } = (answer.body ?? {}) as NamedThings;
    if (execId && !execIds.includes(execId)) execIds.push(execId);
    if (workflowVersion && !versions.includes(workflowVersion.version))
      versions.push(workflowVersion.version);
    return answer;
  };

  for (const [known, jobId] of JOB_IDS.entries()) {
    const request = { path: { jobId: { known } }, query: [], headers: JSON_TYPE };
    await ask({ ...request, routeKey: 'PUT /v1/jobs/{jobId}', body: A_MONITOR });
    for (const routeKey of contract.routeKeys.filter((key) => OF_PINGS.test(key)))
      if ((await ask({ ...request, routeKey })).status < 300) succeeded.add(routeKey);
    await ask({ ...request, routeKey: 'PUT /v1/jobs/{jobId}', body: JSON.stringify(jobOf(jobId)) });
    await ask({ ...request, routeKey: 'POST /v1/jobs/{jobId}/run' });
    // Random requests seldom meet what a run has: its id, one of its tasks and an item at once.
    const path = { ...request.path, execId: { known: execIds.length - 1 }, taskId: FAN_OUT, index: FIRST };
    for (const routeKey of contract.routeKeys.filter((key) => OF_TASKS.test(key)))
      if ((await ask({ path, query: [], headers: {}, routeKey })).status < 300) succeeded.add(routeKey);
    for (const routeKey of OF_BACKFILLS)
      if ((await ask(ofBackfill(routeKey, known, execIds.length - 1, nowMs))).status < 300)
        succeeded.add(routeKey);
  }

  const hints = hintsAt(nowMs);
  const any = fc.oneof(...routeKeys.map((routeKey) => requestsOf(routeKey, contract, hints)));
  const property = fc.asyncProperty(any, async (request) => {
    const answer = await ask(request);
    if (answer.status >= 500) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    const complaints = contract.complaints(request.routeKey, answer);
    if (complaints.length > 0) throw new Error(`${complaints.join('\n')}\n${JSON.stringify(answer.body)}`);
    if (answer.status < 300) succeeded.add(request.routeKey);
  });
  await fc.assert(property, {
    seed,
    numRuns,
    interruptAfterTimeLimit: budgetMs,
    markInterruptAsFailure: false,
  });
  const forUsers = contract.routeKeys.filter((routeKey) => isForUsers(contract, routeKey));
  return { requests, neverSucceeded: forUsers.filter((routeKey) => !succeeded.has(routeKey)) };
}

/** The last of the known jobs has a workflow. */
function jobOf(jobId: string): object {
  const target = { type: 'http', url: 'http://127.0.0.1:9/hook' };
  const tasks = { extract: { target }, load: { target, forEach: { items: ['a', 'b'] } } };
  return { schedule: 'rate(1 day)', ...(jobId === JOB_IDS.at(-1) ? { workflow: { tasks } } : { target }) };
}

/** Open, or for a token with the scopes of a user: not for operators, nor for targets. */
const isForUsers = (contract: ApiContract, routeKey: string): boolean =>
  contract
    .operation(routeKey)
    .security.every((needed) => /^\{"token":\["jobs:(read|write)"\]\}$/.test(JSON.stringify(needed)));
