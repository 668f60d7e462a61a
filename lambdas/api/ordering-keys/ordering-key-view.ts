import { instantText } from '../../core/clock/clock';
import type { OrderingKeyView } from '../../core/http/ordering-key-answers';
import { jobRefOf, type OrderingKeyRef } from '../../core/contracts/tables';
import { ticketStateOf } from '../../core/gates/ordering-queue';
import type { ApiDeps } from '../request';

const MAX_SHOWN = 10;

/**
 * The holder of an ordering key, whether it blocks the key, and the first executions that wait. What has
 * failed before it held the key blocks it all the same, and is shown as its holder.
 */
export async function orderingKeyView(ref: OrderingKeyRef, deps: ApiDeps): Promise<OrderingKeyView> {
  const { orderingKey } = ref;
  const { holder, tickets } = await deps.ordering.peek(ref, MAX_SHOWN);
  const holderState = holder && (await ticketStateOf(holder, orderingKey, deps));
  const nowMs = deps.clock.nowMs();
  const isHolder = (execId: string, jobKey: string) => holder?.execId === execId && holder.jobKey === jobKey;
  const queued = await Promise.all(
    tickets
      .filter(({ execId, jobKey, dueAtMs }) => dueAtMs <= nowMs && !isHolder(execId, jobKey))
      .map(async (ticket) => ({ ticket, state: await ticketStateOf(ticket, orderingKey, deps) })),
  );
  const waiting = queued.filter(({ state }) => state !== 'over');
  const hasHolder = holderState !== undefined && holderState !== 'over';
  const blocking = !hasHolder && isBlocking(waiting[0]?.state) ? waiting.shift() : undefined;
  const [first, state] = hasHolder ? [holder, holderState] : [blocking?.ticket, blocking?.state];
  return {
    orderingKey,
    holder: first
      ? {
          jobId: jobRefOf(first.jobKey).jobId,
          execId: first.execId,
          status: typeof state === 'object' ? state.status : 'queued',
        }
      : null,
    blocked: isBlocking(state),
    waiting: waiting.map(({ ticket: { jobKey, execId, dueAtMs } }) => ({
      jobId: jobRefOf(jobKey).jobId,
      execId,
      dueAt: instantText(dueAtMs),
    })),
  };
}

const isBlocking = (state: Awaited<ReturnType<typeof ticketStateOf>> | undefined): boolean =>
  typeof state === 'object' && state.blocksKey === true;
