import { jobRefOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { recheckEntryNow } from '../../core/queue/attempt-entries';
import type { ApiDeps } from '../request';

type Rechecked = Pick<Execution, 'jobKey' | 'execId' | 'attempt' | 'userRetries'>;

/**
 * Files the recheck of an execution that a request is about to change. It counts towards `changesPerMinute`:
 * users share the shards, and the request may come without end. Throws `ProblemError` 429; then nothing is
 * written.
 */
export async function fileRecheck(execution: Rechecked, deps: ApiDeps): Promise<void> {
  await deps.quotas.chargeRate(jobRefOf(execution.jobKey).userId, 'changes');
  await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
}

/**
 * The same before a request stops work. It counts towards nothing, so that a project that has used up its
 * minute can still stop what it does. Only for what is done once: a repeat must write nothing. Stops at one
 * time file one entry.
 */
export async function fileRecheckOfStop(
  execution: Rechecked,
  deps: Pick<ApiDeps, 'schedule' | 'shardCount' | 'clock'>,
): Promise<void> {
  await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
}
