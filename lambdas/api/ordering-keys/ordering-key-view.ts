import { instantText } from '../../core/clock/clock';
import type { OrderingKeyView } from '../../core/http/ordering-key-answers';
import { jobRefOf, type OrderingKeyRef } from '../../core/contracts/tables';
import { ticketStateOf } from '../../core/gates/ordering-queue';
import type { ApiDeps } from '../request';

const MAX_SHOWN = 10;

/** The holder of an ordering key, whether it blocks the key, and the first executions that wait. */
export async function orderingKeyView(ref: OrderingKeyRef, deps: ApiDeps): Promise<OrderingKeyView> {
  const { orderingKey } = ref;
  const { holder, tickets } = await deps.ordering.peek(ref, MAX_SHOWN);
  const holderState = holder && (await ticketStateOf(holder, orderingKey, deps));
  const nowMs = deps.clock.nowMs();
  const isHolder = (execId: string, jobKey: string) => holder?.execId === execId && holder.jobKey === jobKey;
  const waiting = await Promise.all(
    tickets
      .filter(({ execId, jobKey, dueAtMs }) => dueAtMs <= nowMs && !isHolder(execId, jobKey))
      .map(async (ticket) => ({ ticket, state: await ticketStateOf(ticket, orderingKey, deps) })),
  );
  return {
    orderingKey,
    holder:
      holder && holderState && holderState !== 'over'
        ? {
            jobId: jobRefOf(holder.jobKey).jobId,
            execId: holder.execId,
            status: holderState === 'unclaimed' ? 'queued' : holderState.status,
          }
        : null,
    blocked: typeof holderState === 'object' && holderState.blocksKey === true,
    waiting: waiting
      .filter(({ state }) => state !== 'over')
      .map(({ ticket: { jobKey, execId, dueAtMs } }) => ({
        jobId: jobRefOf(jobKey).jobId,
        execId,
        dueAt: instantText(dueAtMs),
      })),
  };
}
