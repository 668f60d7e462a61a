import {
  compactInstant,
  type CursorKind,
  jobKeyOf,
  minuteOf,
  minuteStartMs,
} from '../../lambdas/core/contracts/tables';
import { setTimeout as sleep } from 'node:timers/promises';

import { MAX_BATCH } from '../../lambdas/core/http/job';
import { systemRandom } from '../../lambdas/core/clock/system-random';
import { systemClock } from '../../lambdas/core/clock/system-clock';
import type { OccurrenceEntry } from '../../lambdas/core/domain/entry';
import type { Job } from '../../lambdas/core/domain/job';
import { contextOf } from '../../lambdas/core/domain/identity-context';
import { RECHECK_AFTER_MS } from '../../lambdas/core/domain/timing';
import { type Stores, storesOf } from '../../lambdas/core/platform/stores';
import { identityOf } from '../../test/support/caller';
import { MemoryDynamo } from '../../test/support/dynamo/memory-dynamo';
import { aJob, aMessage, anOccurrenceEntry } from '../../test/support/factories';
import type { Stage } from '../cost/usage';
import { startEnvironment } from './environment';
import type { Workshop } from './workshop';

const MINUTE_MS = 60_000;
const MESSAGES_A_BATCH = 10;
const SHARD = 0;
const SETTLED_MS = 1_000;
/** Jobs that go through a stage before it is measured. */
const WARM_UP = 200;

/** What one environment of a stage does with so many jobs. */
export interface StageFigures {
  jobs: number;
  jobsPerSec: number;
  /** Processor time of the stage alone: the store is another process. */
  cpuMsPerJob: number;
  callsPerJob: number;
  cpuMsPerCall: number;
}

/** Runs the first round to warm up, and measures the rest. A round's events are made when it begins. */
async function measure(
  stage: Stage,
  jobs: number,
  rounds: readonly (() => Promise<readonly object[]> | readonly object[])[],
  { aws, synthesized: { functions }, authorityFile, profileDir }: Workshop,
): Promise<StageFigures & { results: unknown[] }> {
  const environment = await startEnvironment(functions[stage], { authorityFile, profileDir });
  const callsSoFar = () => [...aws.calls.values()].reduce((sum, count) => sum + count, 0);
  const [warmUp, ...measured] = rounds;
  const results: unknown[] = [];
  let wallMs = 0;
  let cpuMs = 0;
  try {
    await environment.invoke(await warmUp!());
    const before = callsSoFar();
    for (const round of measured) {
      const ran = await environment.invoke(await round());
      results.push(...ran.results);
      wallMs += ran.wallMs;
      cpuMs += ran.cpuMs;
    }
    const calls = callsSoFar() - before;
    return {
      jobs,
      jobsPerSec: (jobs / wallMs) * 1_000,
      cpuMsPerJob: cpuMs / jobs,
      callsPerJob: calls / jobs,
      cpuMsPerCall: cpuMs / calls,
      results,
    };
  } finally {
    await environment.end();
  }
}

function stores({ tables, synthesized: { functions } }: Workshop): Stores {
  const documents = new MemoryDynamo(tables);
  const { JOBS_TABLE, EXECUTIONS_TABLE, SCHEDULE_TABLE } = functions.scanner.variables;
  return storesOf({
    documents,
    heartbeats: documents,
    tables: { jobs: JOBS_TABLE!, executions: EXECUTIONS_TABLE!, schedule: SCHEDULE_TABLE! },
    clock: systemClock,
    random: systemRandom,
  });
}

const sqsEvent = (bodies: readonly object[]): object => ({
  Records: bodies.map((body, index) => ({
    messageId: String(index),
    receiptHandle: String(index),
    body: JSON.stringify(body),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
    messageAttributes: {},
    eventSource: 'aws:sqs',
  })),
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  times(Math.ceil(items.length / size), (index) => items.slice(index * size, (index + 1) * size));

/** Some users with some jobs each. */
const jobAt = (index: number, overrides: Partial<Job>): Job =>
  aJob({ userId: `user-${index % 50}`, jobId: `job-${index}`, ...overrides });

const definition = (index: number) => ({
  schedule: { type: 'at', at: new Date(Date.now() + 60 * MINUTE_MS).toISOString() },
  target: { type: 'http', url: 'http://127.0.0.1:9000/hooks/nightly-report' },
  payload: { report: index },
});

/** Requests to create a job, as API Gateway passes them on. */
export async function registering(jobs: number, workshop: Workshop): Promise<StageFigures> {
  await stores(workshop).schedule.raiseShards(1);
  const events = (count: number) => () =>
    times(count, (index) => httpEvent('POST /v1/jobs', definition(index)));
  return accepted(await measure('api', jobs, [events(WARM_UP), events(jobs)], workshop), 201);
}

/** Requests to create a hundred jobs each, as API Gateway passes them on. */
export async function registeringInBatches(jobs: number, workshop: Workshop): Promise<StageFigures> {
  await stores(workshop).schedule.raiseShards(1);
  const batches = (count: number) => () =>
    times(Math.ceil(count / MAX_BATCH), () =>
      httpEvent('POST /v1/jobs/batch', { jobs: times(MAX_BATCH, definition) }),
    );
  return accepted(await measure('api', jobs, [batches(WARM_UP), batches(jobs)], workshop), 207);
}

function accepted(ran: StageFigures & { results: unknown[] }, status: number): StageFigures {
  const { results, ...figures } = ran;
  const refused = (results as { statusCode: number; body: string }[]).find(
    ({ statusCode }) => statusCode !== status,
  );
  if (refused) throw new Error(`the API answered ${refused.statusCode}: ${refused.body}`);
  return figures;
}

const httpEvent = (routeKey: string, body: object): object => ({
  version: '2.0',
  routeKey,
  rawPath: routeKey.split(' ')[1],
  rawQueryString: '',
  headers: { 'content-type': 'application/json', host: 'api.example.com' },
  requestContext: {
    requestId: 'bench',
    authorizer: { lambda: contextOf(identityOf('bench', ['jobs:read', 'jobs:write'])) },
    http: { method: routeKey.split(' ')[0] },
  },
  body: JSON.stringify(body),
  isBase64Encoded: false,
});

/** An active shard with one cursor, at a minute. */
async function makeShard(kind: CursorKind, minute: number, workshop: Workshop): Promise<void> {
  const { schedule } = stores(workshop);
  await schedule.createCursors([
    { kind, shard: SHARD, minute, after: '', movedAtMs: 0, entriesInLastBucket: 0 },
  ]);
  await schedule.raiseShards(1);
}

/** Jobs that fire every minute. */
async function makeJobs(jobs: number, url: string, workshop: Workshop): Promise<Job[]> {
  const target = { type: 'http', url, method: 'POST', headers: {}, timeout: '30s' } as const;
  const longAgo = Date.now() - 60 * MINUTE_MS;
  const stamps = {
    createdAtMs: longAgo,
    updatedAtMs: longAgo,
    scheduleChangedAtMs: longAgo,
    activeSinceMs: longAgo,
  };
  const made = times(jobs, (index) => jobAt(index, { target, ...stamps }));
  for (const job of made) await stores(workshop).jobs.create(job);
  return made;
}

/** The entries of one due time. */
async function enter(jobs: readonly Job[], dueAtMs: number, workshop: Workshop): Promise<OccurrenceEntry[]> {
  const entries = jobs.map((job) =>
    anOccurrenceEntry({ jobKey: jobKeyOf(job), dueAtMs, checkAtMs: dueAtMs, throughMs: dueAtMs }),
  );
  for (const some of batchesOf(entries, 500)) await stores(workshop).schedule.putEntries(some);
  return entries;
}

/** One scanner and two busy buckets. */
export async function dispatching(jobs: number, workshop: Workshop): Promise<StageFigures> {
  const minute = minuteOf(Date.now()) + 2; // both are within the horizon, and neither is late
  const made = await makeJobs(jobs, workshop.receiver.url, workshop);
  for (const one of [minute - 1, minute]) await enter(made, minuteStartMs(one), workshop);
  await makeShard('scan', minute - 1, workshop);
  const sentBefore = workshop.aws.sent.length;
  const scan = sqsEvent([{ v: 1, shards: [SHARD] }]);
  const { results: _, ...figures } = await measure('scanner', 2 * jobs, [() => [], () => [scan]], workshop);
  const sent = workshop.aws.sent.length - sentBefore;
  if (sent < 2 * jobs) throw new Error(`the scanner sent ${sent} messages of ${2 * jobs}`);
  return figures;
}

/** One executor and batches of ten that are due now, with a target at `url` that answers at once. */
export async function executing(jobs: number, url: string, workshop: Workshop): Promise<StageFigures> {
  const made = await makeJobs(jobs + WARM_UP, url, workshop);
  const rounds = batchesOf(made, WARM_UP).map((some) => async () => {
    const entries = await enter(some, Date.now(), workshop);
    const messages = entries.map(({ jobKey, dueAtMs }) =>
      aMessage({ jobKey, dueAtMs, startAtMs: dueAtMs, execId: compactInstant(dueAtMs) }),
    );
    return batchesOf(messages, MESSAGES_A_BATCH).map(sqsEvent);
  });
  const { results, ...executed } = await measure('executor', jobs, rounds, workshop);
  const givenBack = (results as { batchItemFailures: unknown[] }[]).flatMap((one) => one.batchItemFailures);
  if (givenBack.length > 0) throw new Error(`the executor gave ${givenBack.length} messages back`);
  return executed;
}

/** As `executing`, then one sweeper and the entries of these executions. */
export async function executingAndSweeping(
  jobs: number,
  workshop: Workshop,
): Promise<{ executed: StageFigures; swept: StageFigures }> {
  await makeShard('sweep', minuteOf(Date.now()), workshop);
  const executed = await executing(jobs, workshop.receiver.url, workshop);
  await sleep(RECHECK_AFTER_MS + SETTLED_MS);
  const sweep = sqsEvent([{ v: 1, shards: [SHARD] }]);
  const ran = await measure('sweeper', jobs + WARM_UP, [() => [], () => [sweep]], workshop);
  const { results: _, ...swept } = ran;
  return { executed, swept };
}
