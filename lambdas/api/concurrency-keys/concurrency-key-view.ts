import { instantText } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import { CONCURRENCY_KEY, type ConcurrencyKey } from '../../core/domain/concurrency-key';
import { recentStarts } from '../../core/domain/start-log';
import { holderStateOf, withoutSlot } from '../../core/gates/slots';
import type { ConcurrencyKeyView } from '../../core/http/concurrency-answers';
import { MAX_WAITING_SHOWN } from '../../core/http/concurrency-key';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

/** The key that the path names. Throws `ProblemError` 404. */
export async function requestedKey(
  { params: { key = '' }, project }: ApiRequest,
  { concurrency }: ApiDeps,
): Promise<ConcurrencyKey> {
  const isName = CONCURRENCY_KEY.test(key);
  const found = isName ? await concurrency.getKey({ userId: project, concurrencyKey: key }) : undefined;
  if (!found) throw notFound('concurrency key');
  return found;
}

/** The key, the executions that hold its slots, and the first that wait. Reads each holder's execution. */
export async function concurrencyKeyView(
  { userId, name, limit, rate, updatedAtMs, by }: ConcurrencyKey,
  deps: ApiDeps,
): Promise<ConcurrencyKeyView> {
  const ref = { userId, concurrencyKey: name };
  const queue = await deps.concurrency.peek(ref, MAX_WAITING_SHOWN);
  const states = await Promise.all(queue.holders.map((holder) => holderStateOf(holder, name, deps)));
  return {
    key: name,
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
