import type { OrderedMessage } from '../contracts/messages';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { CLOCK_SKEW_MS } from '../domain/timing';
import type { ExecutionRef, Ending } from '../store/execution-store';
import type { TicketRef } from '../store/ordering-store';
import type { StageDeps } from '../deps';
import {
  isSameExecution,
  type OrderingDeps,
  orderingKeyRefOf,
  resendOrdered,
  ticketStateOf,
} from './ordering-queue';
import { releaseOverlapLock } from './overlap';

const TICKETS_A_READ = 3;

/** What follows on the end of an execution, whoever wrote it: the next of its job, and of its ordering key, may go on. */
export async function releaseGates(
  ended: ExecutionRef & Pick<Execution, 'orderingKey' | 'blocksKey'>,
  job: Job | undefined,
  deps: StageDeps,
): Promise<void> {
  const { jobKey, execId, orderingKey } = ended;
  if (job && job.overlap !== 'allow') await releaseOverlapLock(jobKey, execId, job, deps);
  if (orderingKey !== undefined && !ended.blocksKey)
    await releaseOrderingKey({ jobKey, execId, orderingKey }, deps);
}

/** Whether an end blocks the ordering key: a failure, of a job that wants that today. */
export const blocksKey = (
  { status }: Pick<Ending, 'status'>,
  { orderingKey }: Pick<Execution, 'orderingKey'>,
  job: Job | undefined,
): true | undefined =>
  status === 'failed' && orderingKey !== undefined && job?.orderingKey && job.onFailure === 'block'
    ? true
    : undefined;

/**
 * Removes the place of an execution that is over, and sends the first of those that wait. Repeating it is free of harm;
 * where it never happens, the second look of whoever waits makes up for it.
 */
export async function releaseOrderingKey(ended: TicketRef, deps: OrderingDeps): Promise<void> {
  await deps.ordering.dequeue(ended);
  for (;;) {
    const {
      holder,
      tickets: places,
      more,
    } = await deps.ordering.peek(orderingKeyRefOf(ended), TICKETS_A_READ);
    const isFree =
      !holder ||
      isSameExecution(holder, ended) ||
      (await ticketStateOf(holder, ended.orderingKey, deps)) === 'over';
    if (!isFree) return;
    for (const place of places.filter((one) => !isSameExecution(one, ended))) {
      const state = await ticketStateOf(place, ended.orderingKey, deps);
      if (state !== 'over') return sendIfDue(place.message, state, deps);
      await deps.ordering.dequeue({ ...place, orderingKey: ended.orderingKey });
    }
    if (!more) return;
  }
}

/**
 * What runs needs no message, and what waits for a later time has one under way. Where that time is less than the clocks'
 * disagreement ahead, an executor whose clock is fast may have had it already, and left it to wait.
 */
async function sendIfDue(
  message: OrderedMessage,
  state: Execution | 'unclaimed',
  deps: OrderingDeps,
): Promise<void> {
  const isWaiting = state === 'unclaimed' || state.status === 'queued' || state.status === 'retrying';
  const startAtMs = state === 'unclaimed' ? message.startAtMs : (state.startAtMs ?? message.startAtMs);
  if (!isWaiting || startAtMs > deps.clock.nowMs() + CLOCK_SKEW_MS) return;
  const { attempt, takeovers } = state === 'unclaimed' ? message : state;
  await resendOrdered({ ...message, startAtMs, attempt, takeovers: takeovers || undefined }, deps);
}
