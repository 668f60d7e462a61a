import { inParallel } from '../../core/async/in-parallel';
import { ListWorkQueuesQuery } from '../../core/http/queries';
import type { WorkQueueView, WorkQueueDetailView } from '../../core/http/openapi/work';
import type { Use } from '../../core/store/uses-store';
import { instantText } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import type { WorkQueueRef } from '../../core/contracts/work-keys';
import { WORK_QUEUE } from '../../core/domain/work';
import { runOf, taskRefOf } from '../../core/domain/workflow/task-id';
import type { WorkTicket } from '../../core/store/work-store';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { notFound } from '../http/problem';
import { SEEN_FOR_MS } from './claim-work';

const USES_A_READ = 500;
const MOST_JOBS = 1_000;
const CONCURRENCY = 10;

interface NamedQueue {
  queue: string;
  jobs: number;
}

/** 200 with a page of the queues that jobs of the project name, in order. */
export async function listWorkQueues(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListWorkQueuesQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const { named, more } = await queuesAfter(request.project, after, query.limit, deps);
  const views = new Map<string, WorkQueueView>();
  await inParallel(named, CONCURRENCY, async (one) => {
    const { project: userId } = request;
    const [view, workers] = await Promise.all([
      queueView(userId, one, deps),
      query.workers ? workersView({ userId, queue: one.queue }, deps) : undefined,
    ]);
    views.set(one.queue, { ...view, ...(workers && { workers }) });
  });
  const last = named.at(-1);
  const page = { items: named, ...(more && last && { nextAfter: last.queue }) };
  const view = ({ queue }: NamedQueue) => views.get(queue)!;
  const positionOf = ({ queue }: NamedQueue) => queue;
  return { status: 200, body: await pageView(page, { view, positionOf }, request, deps) };
}

/** Sorts after every jobId of a queue. */
const AFTER_ALL = '~';

/** The next names, each with its jobs. One query reads the jobs of several queues. */
async function queuesAfter(
  userId: string,
  afterQueue: string | undefined,
  limit: number,
  { uses }: ApiDeps,
): Promise<{ named: NamedQueue[]; more: boolean }> {
  const named: NamedQueue[] = [];
  const lastOf = (queue: string): Use => ({ userId, kind: 'queue', name: queue, jobId: AFTER_ALL, atMs: 0 });
  let after: Use | undefined = afterQueue === undefined ? undefined : lastOf(afterQueue);
  for (;;) {
    const read: Use[] = await uses.listKind(userId, 'queue', { after, limit: USES_A_READ });
    for (const { name } of read) {
      const known = named.at(-1);
      if (known?.queue === name) {
        if (known.jobs < MOST_JOBS) known.jobs += 1;
      } else if (named.length === limit) return { named, more: true };
      else named.push({ queue: name, jobs: 1 });
    }
    if (read.length < USES_A_READ) return { named, more: false };
    after = read.at(-1);
  }
}

const FIRST_SHOWN = 25;
const WORKERS_SHOWN = 100;

/** 200 with what waits in a queue, and its workers. A queue that no job names is empty. */
export async function getWorkQueue(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { queue = '' } = request.params;
  if (!WORK_QUEUE.test(queue)) throw notFound('work queue');
  const { project: userId } = request;
  const ref = { userId, queue };
  const [uses, tickets, workers] = await Promise.all([
    deps.uses.list(userId, 'queue', queue, { limit: MOST_JOBS }),
    deps.work.peek(ref, { limit: FIRST_SHOWN, consistent: false }),
    workersView(ref, deps),
  ]);
  const body: WorkQueueDetailView = {
    ...(await queueView(userId, { queue, jobs: uses.length }, deps)),
    first: tickets.map(ticketView),
    workers,
  };
  return { status: 200, body };
}

async function workersView(
  ref: WorkQueueRef,
  { clock, work }: ApiDeps,
): Promise<WorkQueueDetailView['workers']> {
  const workers = await work.workersSince(ref, clock.nowMs() - SEEN_FOR_MS, WORKERS_SHOWN);
  return workers.map(({ worker, seenAtMs }) => ({ worker, lastSeenAt: instantText(seenAtMs) }));
}

function ticketView({ message, offeredAtMs }: WorkTicket): WorkQueueDetailView['first'][number] {
  const { jobKey, execId, attempt, priority, startAtMs } = message;
  const task = taskRefOf(execId);
  return {
    jobId: jobRefOf(jobKey).jobId,
    execId: runOf(execId),
    ...(task && { taskId: task.task }),
    attempt,
    priority,
    startAt: instantText(startAtMs),
    offeredAt: instantText(offeredAtMs),
  };
}

/** Tickets of a queue that are counted. */
const MOST_COUNTED = 1_000;

/** A queue, and how much waits in it. Cost: about 6 read units for each 100 tickets. */
async function queueView(
  userId: string,
  { queue, jobs }: { queue: string; jobs: number },
  { work }: ApiDeps,
): Promise<WorkQueueView> {
  const { waiting, isAtLeast, oldestOfferedAtMs } = await work.count({ userId, queue }, MOST_COUNTED);
  return {
    queue,
    jobs,
    waiting,
    waitingIs: isAtLeast ? 'at-least' : 'exact',
    oldestOfferedAt: oldestOfferedAtMs === undefined ? null : instantText(oldestOfferedAtMs),
  };
}
