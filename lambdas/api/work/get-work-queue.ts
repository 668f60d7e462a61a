import { instantText } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import type { WorkQueueDetailView } from '../../core/http/work-answers';
import { WORK_QUEUE } from '../../core/domain/work';
import { runOf, taskRefOf } from '../../core/domain/workflow/task-id';
import type { WorkTicket } from '../../core/store/work-store';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { SEEN_FOR_MS } from './claim-work';
import { queueView } from './queue-view';

const FIRST_SHOWN = 25;
const WORKERS_SHOWN = 100;
const MOST_JOBS = 1_000;

/** 200 with what waits in a queue, and its workers. A queue that no job names is empty. */
export async function getWorkQueue(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { queue = '' } = request.params;
  if (!WORK_QUEUE.test(queue)) throw notFound('work queue');
  const { project: userId } = request;
  const ref = { userId, queue };
  const sinceMs = deps.clock.nowMs() - SEEN_FOR_MS;
  const [uses, tickets, workers] = await Promise.all([
    deps.uses.list(userId, 'queue', queue, { limit: MOST_JOBS }),
    deps.work.peek(ref, { limit: FIRST_SHOWN, consistent: false }),
    deps.work.workersSince(ref, sinceMs, WORKERS_SHOWN),
  ]);
  const body: WorkQueueDetailView = {
    ...(await queueView(userId, { queue, jobs: uses.length }, deps)),
    first: tickets.map(ticketView),
    workers: workers.map(({ worker, seenAtMs }) => ({ worker, lastSeenAt: instantText(seenAtMs) })),
  };
  return { status: 200, body };
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
