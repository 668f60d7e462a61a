import { execIdOfOccurrence } from '../core/contracts/tables';
import { dueTimesOf, type Entry } from '../core/domain/entry';
import type { ExecutionRef } from '../core/store/execution-store';

/** The executions of an entry. */
export function refsOf(entry: Entry): ExecutionRef[] {
  const { jobKey } = entry;
  if (entry.kind === 'attempt') return [{ jobKey, execId: entry.execId }];
  return dueTimesOf(entry).map((dueAtMs) => ({ jobKey, execId: execIdOfOccurrence(dueAtMs) }));
}
