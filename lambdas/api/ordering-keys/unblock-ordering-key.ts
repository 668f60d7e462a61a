import { ticketStateOf } from '../../core/gates/ordering-queue';
import { OrderingKeyBody } from '../../core/http/job';
import { unblockKey } from './unblock-key';
import { orderingKeyView } from './ordering-key-view';
import { readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

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
