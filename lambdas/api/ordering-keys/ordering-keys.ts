import { OrderingKeyQuery } from '../../core/http/queries';
import { ticketStateOf } from '../../core/gates/ordering-queue';
import { OrderingKeyBody } from '../../core/http/job';
import { repeatEnd } from '../../core/ending/end-execution';
import type { ExecutionRef } from '../../core/store/execution-store';
import { instantText } from '../../core/clock/clock';
import type { OrderingKeyView } from '../../core/http/openapi/execution';
import { jobRefOf, type OrderingKeyRef } from '../../core/contracts/tables';
import { readQuery, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { fileRecheck } from '../executions/file-recheck';

/**
 * 200 with the state of an ordering key. The key is a query parameter because it may contain any character.
 */
export async function getOrderingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { orderingKey } = readQuery(request, OrderingKeyQuery);
  return { status: 200, body: await orderingKeyView({ userId: request.project, orderingKey }, deps) };
}

/** Tickets of executions that are over may lie before the one that blocks. */
const MAX_PASSED = 10;

/**
 * 200. The failed execution that blocks the key stays failed, and the next one starts. A free key stays as it
 * is.
 */
export async function unblockOrderingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { orderingKey } = readBody(request, OrderingKeyBody);
  const ref = { userId: request.project, orderingKey };
  const { holder, tickets } = await deps.ordering.peek(ref, MAX_PASSED);
  // What has failed before it held the key blocks it by its ticket: a worker came too late, for example.
  for (const first of holder ? [holder, ...tickets] : tickets) {
    if (await unblockKey(first, deps)) break;
    if ((await ticketStateOf(first, orderingKey, deps)) !== 'over') break;
  }
  return { status: 200, body: await orderingKeyView(ref, deps) };
}

/**
 * Lets the next execution of an ordering key go on past one that failed and blocks it. The failed one stays
 * failed. The entry of its recheck comes first, so that a crash in between is repaired.
 *
 * @returns false where it blocks nothing
 */
export async function unblockKey(ref: ExecutionRef, deps: ApiDeps): Promise<boolean> {
  const row = await deps.executions.get(ref);
  if (!row?.blocksKey) return false;
  await fileRecheck(row, deps);
  if ((await deps.executions.unblock(row)) !== 'done') return false;
  await repeatEnd({ ...row, blocksKey: undefined }, { by: 'other' }, deps);
  return true;
}

const MAX_SHOWN = 10;

/**
 * The holder of an ordering key, whether it blocks the key, and the first executions that wait. What has
 * failed before it held the key blocks it all the same, and is shown as its holder.
 */
async function orderingKeyView(ref: OrderingKeyRef, deps: ApiDeps): Promise<OrderingKeyView> {
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
