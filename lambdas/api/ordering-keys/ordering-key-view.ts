import type { OrderingKeyView } from '../../core/http/answers';
import { jobRefOf, type OrderingKeyRef } from '../../core/contracts/tables';
import { ticketStateOf } from '../../core/gates/ordering-queue';
import { instantText } from '../http/instants';
import type { ApiDeps } from '../request';

const SHOWN = 10;

/** Where those that share an ordering key stand now. A key that nobody has used is one where nobody waits. */
export async function orderingKeyView(line: OrderingKeyRef, deps: ApiDeps): Promise<OrderingKeyView> {
  const { orderingKey } = line;
  const { holder, tickets: places } = await deps.ordering.peek(line, SHOWN);
  const holding = holder && (await ticketStateOf(holder, orderingKey, deps));
  const nowMs = deps.clock.nowMs();
  const isHolder = (execId: string, jobKey: string) => holder?.execId === execId && holder.jobKey === jobKey;
  const waiting = await Promise.all(
    places
      .filter(({ execId, jobKey, dueAtMs }) => dueAtMs <= nowMs && !isHolder(execId, jobKey))
      .map(async (place) => ({ place, state: await ticketStateOf(place, orderingKey, deps) })),
  );
  return {
    orderingKey,
    holder:
      holder && holding && holding !== 'over'
        ? {
            jobId: jobRefOf(holder.jobKey).jobId,
            execId: holder.execId,
            status: holding === 'unclaimed' ? 'queued' : holding.status,
          }
        : null,
    blocked: typeof holding === 'object' && holding.blocksKey === true,
    waiting: waiting
      .filter(({ state }) => state !== 'over')
      .map(({ place: { jobKey, execId, dueAtMs } }) => ({
        jobId: jobRefOf(jobKey).jobId,
        execId,
        dueAt: instantText(dueAtMs),
      })),
  };
}
