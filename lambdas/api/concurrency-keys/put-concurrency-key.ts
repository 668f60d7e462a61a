import { type ConcurrencyKey, MAX_CONCURRENCY_KEYS } from '../../core/domain/concurrency-key';
import { withoutSlot } from '../../core/gates/slots';
import { MOST_WOKEN, TICKETS_A_READ, wakeWaiting } from '../../core/gates/wake-waiting';
import { ConcurrencyKeyBody, ConcurrencyKeyPath } from '../../core/http/concurrency-key';
import { audited } from '../audit/audited';
import { parseWith, readBody } from '../http/parse-request';
import { conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { concurrencyKeyView } from './concurrency-key-view';

/**
 * 201 with a new key, or 200 with a changed one. Throws `ProblemError` 409 if the project has as many keys as
 * it may have. A rule that lets waiting executions go counts as a change (429); one that holds them does not.
 */
export async function putConcurrencyKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { key: name } = parseWith(request.params, ConcurrencyKeyPath);
  const { limit, rate } = readBody(request, ConcurrencyKeyBody);
  const { project: userId, by } = request;
  const key: ConcurrencyKey = {
    userId,
    name,
    limit,
    ...(rate && { rate }),
    updatedAtMs: deps.clock.nowMs(),
    by,
  };
  const detail = rate ? `limit ${limit}, rate ${rate.limit} per ${rate.per}` : `limit ${limit}`;
  if (await wakesSome(key, deps)) await deps.quotas.chargeRate(userId, 'changes');
  const change = { what: 'concurrency-key.set', resource: name, detail } as const;
  const isNew = await audited(request, change, () => store(key, deps), deps);
  await wakeUnderNewRule(key, deps);
  return { status: isNew ? 201 : 200, body: await concurrencyKeyView(key, deps) };
}

const refOf = ({ userId, name }: ConcurrencyKey) => ({ userId, concurrencyKey: name });

async function wakesSome(key: ConcurrencyKey, { concurrency }: ApiDeps): Promise<boolean> {
  const queue = await concurrency.peek(refOf(key), TICKETS_A_READ);
  return queue.holders.length < key.limit && withoutSlot(queue).length > 0;
}

/** A higher limit lets more of those that wait run. */
async function wakeUnderNewRule(key: ConcurrencyKey, deps: ApiDeps): Promise<void> {
  const ref = refOf(key);
  const queue = await deps.concurrency.peek(ref, TICKETS_A_READ);
  if (queue.tickets.length > 0)
    await wakeWaiting(ref, queue, key, { most: MOST_WOKEN, forLater: true }, deps);
}

async function store(key: ConcurrencyKey, { concurrency }: ApiDeps): Promise<boolean> {
  const keys = await concurrency.listKeys(key.userId);
  const isNew = !keys.some(({ name }) => name === key.name);
  if (isNew && keys.length >= MAX_CONCURRENCY_KEYS)
    throw conflict(
      `a project has at most ${MAX_CONCURRENCY_KEYS} concurrency keys; delete one that no job uses`,
    );
  await concurrency.putKey(key);
  return isNew;
}
