import { MINUTE_MS } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { recheckEntryAt, recheckEntryNow } from '../../core/queue/attempt-entries';
import type { ApiDeps } from '../request';

type Rechecked = Pick<Execution, 'jobKey' | 'execId' | 'attempt' | 'userRetries'>;

/**
 * Files the recheck of an execution that a request is about to change. It counts towards `changesPerMinute`:
 * users share the shards, and the request may come without end. Throws `ProblemError` 429; then nothing is
 * written.
 */
export async function fileRecheck(execution: Rechecked, deps: ApiDeps): Promise<void> {
  await chargeChange(execution, deps);
  await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
}

/**
 * Files the recheck of an execution that a request is about to stop. It counts towards nothing, so that a
 * project that has used up its minute can still stop what it does. Only for what is done once: a repeat must
 * write nothing. Stops at one time file one entry.
 */
export async function fileRecheckOfStop(
  execution: Rechecked,
  deps: Pick<ApiDeps, 'schedule' | 'shardCount' | 'clock'>,
): Promise<void> {
  await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
}

/** A request to cancel that is on record is obeyed by then, if an entry covers its execution. */
const OBEYED_WITHIN_MS = 2 * MINUTE_MS;

/**
 * Files the recheck of an execution whose cancel is repeated. Early repeats write nothing: the entry is
 * written before the request is on record. Tables that were put back may lack that entry, so a later repeat
 * files one, at the next whole minute. It counts towards `changesPerMinute` and throws like `fileRecheck`,
 * unless that entry is there.
 */
export async function fileRecheckOfRepeat(
  execution: Rechecked,
  askedAtMs: number,
  deps: ApiDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  if (nowMs - askedAtMs < OBEYED_WITHIN_MS) return;
  const entry = await recheckEntryAt(execution, Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS, deps);
  if (await deps.schedule.hasEntry(entry)) return;
  await chargeChange(execution, deps);
  await deps.schedule.putEntries([entry]);
}

const chargeChange = ({ jobKey }: Rechecked, { quotas }: ApiDeps): Promise<void> =>
  quotas.chargeRate(jobRefOf(jobKey).userId, 'changes');
