import type { ConcurrencyKeyView } from '../../core/http/openapi/concurrency';
import { ListConcurrencyKeysQuery, DeleteConcurrencyKeyQuery } from '../../core/http/queries';
import {
  type ConcurrencyKey,
  MAX_CONCURRENCY_KEYS,
  CONCURRENCY_KEY,
  KEY_RULE,
} from '../../core/domain/concurrency-key';
import { definitionFor, withoutSlot, holderStateOf } from '../../core/gates/slots';
import { MOST_WOKEN, TICKETS_A_READ, wakeWaiting } from '../../core/gates/wake-waiting';
import { ConcurrencyKeyBody, ConcurrencyKeyPath, MAX_WAITING_SHOWN } from '../../core/http/concurrency-key';
import { instantText } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import { recentStarts } from '../../core/domain/start-log';
import { listByName } from '../http/list-by-name';
import { readQuery, parseWith, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { audited } from '../audit/audited';
import { conflict, notFound } from '../http/problem';
import { usersOf } from '../jobs/users-of';

/** 200 with a page of the project's concurrency keys by name. */
export async function listConcurrencyKeys(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListConcurrencyKeysQuery);
  const all = await deps.concurrency.listKeys(request.project);
  const view = (key: ConcurrencyKey) => concurrencyKeyView(key, deps);
  return listByName(all, { nameOf: ({ name }) => name, view }, query, request, deps);
}

/**
 * 200 with a concurrency key, the executions that hold its slots, and the first that wait. A key without a
 * definition has the limits of the rule for its beginning.
 */
export async function getConcurrencyKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { params, project: userId } = request;
  const { key = '' } = params;
  const definition = CONCURRENCY_KEY.test(key)
    ? await definitionFor({ userId, concurrencyKey: key }, deps)
    : await requestedKey(request, deps);
  if (!definition) throw notFound('concurrency key');
  return { status: 200, body: await concurrencyKeyView(definition, deps, key) };
}

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

/** 204. Throws `ProblemError` 409 if a job uses the key, unless `force` is true. */
export async function deleteConcurrencyKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { force } = readQuery(request, DeleteConcurrencyKeyQuery);
  const key = await requestedKey(request, deps);
  const change = { what: 'concurrency-key.deleted', resource: key.name } as const;
  await audited(request, change, () => removeUnused(key, force, deps), deps);
  return { status: 204 };
}

async function removeUnused(key: ConcurrencyKey, force: boolean, deps: ApiDeps): Promise<void> {
  const thing = { kind: 'concurrency-key', name: key.name } as const;
  const [user] = force ? [] : await usersOf(key.userId, thing, 1, deps);
  if (user !== undefined)
    throw conflict(
      `the job ${JSON.stringify(user)} uses the concurrency key ${JSON.stringify(key.name)}: change the job, or repeat with force=true (in the CLI: --force)`,
    );
  await deps.concurrency.removeKey({ userId: key.userId, concurrencyKey: key.name });
}

/** The key or rule that the path names. Throws `ProblemError` 404. */
async function requestedKey(
  { params: { key = '' }, project }: ApiRequest,
  { concurrency }: ApiDeps,
): Promise<ConcurrencyKey> {
  const isName = CONCURRENCY_KEY.test(key) || KEY_RULE.test(key);
  const found = isName ? await concurrency.getKey({ userId: project, concurrencyKey: key }) : undefined;
  if (!found) throw notFound('concurrency key');
  return found;
}

/**
 * The key, the executions that hold its slots, and the first that wait. Reads each holder's execution.
 *
 * @param key the key of which this is the rule; absent: the one that this defines
 */
async function concurrencyKeyView(
  { userId, name, limit, rate, updatedAtMs, by }: ConcurrencyKey,
  deps: ApiDeps,
  key = name,
): Promise<ConcurrencyKeyView> {
  const queue = await deps.concurrency.peek({ userId, concurrencyKey: key }, MAX_WAITING_SHOWN);
  const states = await Promise.all(queue.holders.map((holder) => holderStateOf(holder, key, deps)));
  return {
    key,
    ...(key !== name && { rule: name }),
    limit,
    ...(rate && { rate, recentStarts: recentStarts(queue.startLog, rate, deps.clock.nowMs()) }),
    updatedAt: instantText(updatedAtMs),
    by,
    running: queue.holders
      .filter((_, index) => states[index] === 'active')
      .map(({ jobKey, execId, takenAtMs }) => ({
        jobId: jobRefOf(jobKey).jobId,
        execId,
        since: instantText(takenAtMs),
      })),
    waiting: withoutSlot(queue).map(({ jobKey, execId, dueAtMs }) => ({
      jobId: jobRefOf(jobKey).jobId,
      execId,
      dueAt: instantText(dueAtMs),
    })),
    hasMoreWaiting: queue.more,
  };
}
