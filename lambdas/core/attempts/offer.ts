import { SECOND_MS } from '../clock/clock';
import type { WorkMessage } from '../contracts/messages';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { expiresAtSecAfter } from '../domain/timing';
import { awaitsClaim, TICKET_KEPT_MS } from '../domain/work';
import { fenceBaseOf, laneKeptOf } from './claim';

type OfferingDeps = Pick<StageDeps, 'work' | 'executions' | 'clock' | 'random' | 'retentionDays'>;

/**
 * Offers an execution to the workers of its queue: writes its ticket. It takes no lease and asks no gate. A
 * message that comes again finds its ticket.
 *
 * The place of a ticket follows from the due time, and each sender of a task takes that from its own clock.
 * So the row of a task is written first, and its due time counts.
 */
export async function offer(message: WorkMessage, deps: OfferingDeps): Promise<void> {
  const { work, clock, random } = deps;
  const nowMs = clock.nowMs();
  const isNewTask = message.trigger === 'task' && message.attempt === 1;
  const dueAtMs = isNewTask ? await dueTimeOf(message, deps) : message.dueAtMs;
  if (dueAtMs === undefined) return;
  const keptMs = Math.max(message.startAtMs, nowMs) + message.startWithinMs + TICKET_KEPT_MS;
  const expiresAtSec = Math.ceil(keptMs / SECOND_MS);
  await work.offer({ ...message, dueAtMs }, { offerId: random.id(), nowMs, expiresAtSec });
}

/** The due time on a task's row, which this writes if there is none. Undefined: it does not wait any more. */
async function dueTimeOf(message: WorkMessage, deps: OfferingDeps): Promise<number | undefined> {
  if ((await deps.executions.putQueued(offeredTask(message, deps))) === 'written') return message.dueAtMs;
  const row = await deps.executions.get(message);
  return row && awaitsClaim(message, row) ? row.dueAtMs : undefined;
}

/** A task that waits for a worker. Its end decides until when it is kept; without one, the end of its run. */
function offeredTask(
  message: WorkMessage,
  { clock, retentionDays }: Pick<OfferingDeps, 'clock' | 'retentionDays'>,
): Execution {
  const { jobKey, execId, dueAtMs, workQueue, runEndsAtMs } = message;
  const nowMs = clock.nowMs();
  return {
    jobKey,
    execId,
    trigger: 'task',
    dueAtMs,
    status: 'queued',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: fenceBaseOf(execId),
    attempts: [],
    detail: { queue: workQueue },
    lane: laneKeptOf(message),
    ...(runEndsAtMs !== undefined && { runEndsAtMs }),
    expiresAtSec: expiresAtSecAfter(Math.max(nowMs, runEndsAtMs ?? nowMs), retentionDays),
  };
}
