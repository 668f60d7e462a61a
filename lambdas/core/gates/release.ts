import type { OrderedMessage } from '../contracts/messages';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { CLOCK_SKEW_MS } from '../domain/timing';
import type { ExecutionRef, Ending } from '../store/execution-store';
import type { PlaceRef } from '../store/ordering-store';
import type { DispatchDeps } from '../deps';
import { isSame, type LineDeps, lineOf, sendInTime, stateOf } from './ordering-queue';
import { leaveJob } from './overlap';

const PLACES_A_LOOK = 3;

/** What follows on the end of an execution, whoever wrote it: the next of its job, and of its ordering key, may go on. */
export async function makeWay(
  ended: ExecutionRef & Pick<Execution, 'orderingKey' | 'blocksKey'>,
  job: Job | undefined,
  deps: DispatchDeps,
): Promise<void> {
  const { jobKey, execId, orderingKey } = ended;
  if (job && job.overlap !== 'allow') await leaveJob(jobKey, execId, job, deps);
  if (orderingKey !== undefined && !ended.blocksKey) await leaveLine({ jobKey, execId, orderingKey }, deps);
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
export async function leaveLine(ended: PlaceRef, deps: LineDeps): Promise<void> {
  await deps.lines.leave(ended);
  for (;;) {
    const { holder, places, more } = await deps.lines.look(lineOf(ended), PLACES_A_LOOK);
    const isFree =
      !holder || isSame(holder, ended) || (await stateOf(holder, ended.orderingKey, deps)) === 'over';
    if (!isFree) return;
    for (const place of places.filter((one) => !isSame(one, ended))) {
      const state = await stateOf(place, ended.orderingKey, deps);
      if (state !== 'over') return sendIfDue(place.message, state, deps);
      await deps.lines.leave({ ...place, orderingKey: ended.orderingKey });
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
  deps: LineDeps,
): Promise<void> {
  const isWaiting = state === 'unclaimed' || state.status === 'queued' || state.status === 'retrying';
  const startAtMs = state === 'unclaimed' ? message.startAtMs : (state.startAtMs ?? message.startAtMs);
  if (!isWaiting || startAtMs > deps.clock.nowMs() + CLOCK_SKEW_MS) return;
  const { attempt, takeovers } = state === 'unclaimed' ? message : state;
  await sendInTime({ ...message, startAtMs, attempt, takeovers: takeovers || undefined }, deps);
}
