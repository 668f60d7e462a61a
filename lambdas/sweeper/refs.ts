import { execIdOfOccurrence } from '../core/contracts/tables';
import { rowsBetween } from '../core/dispatch/accounted';
import type { DispatchDeps } from '../core/dispatch/deps';
import { scheduleOf } from '../core/dispatch/entries';
import type { Entry, OccurrenceEntry } from '../core/domain/entry';
import type { Job } from '../core/domain/job';
import { occurrences } from '../core/domain/misfire';
import type { ExecutionRef } from '../core/store/execution-store';

/** Whether the due times of an entry cannot be derived any more: it has several, and its schedule is gone. */
export const isGuess = (entry: Entry, job: Job | undefined): boolean =>
  entry.kind === 'occurrence' && entry.throughMs > entry.dueAtMs && job?.revision !== entry.revision;

/** The executions that an entry stands for. Of a guess the first and last are all that is known without a read. */
export function refsOf(entry: Entry, job: Job | undefined): ExecutionRef[] {
  const { jobKey } = entry;
  if (entry.kind === 'attempt') return [{ jobKey, execId: entry.execId }];
  return duesOf(entry, job).map((dueAtMs) => ({ jobKey, execId: execIdOfOccurrence(dueAtMs) }));
}

/** The same, with every row that a guess may stand for. */
export async function allRefsOf(
  entry: Entry,
  job: Job | undefined,
  deps: Pick<DispatchDeps, 'executions'>,
): Promise<ExecutionRef[]> {
  const refs = refsOf(entry, job);
  if (entry.kind === 'attempt' || !isGuess(entry, job)) return refs;
  const { jobKey, dueAtMs, throughMs } = entry;
  const rows = await rowsBetween(jobKey, dueAtMs, throughMs, deps);
  const execIds = new Set([...refs, ...rows].map(({ execId }) => execId));
  return [...execIds].map((execId) => ({ jobKey, execId }));
}

function duesOf(entry: OccurrenceEntry, job: Job | undefined): number[] {
  if (entry.throughMs === entry.dueAtMs) return [entry.dueAtMs];
  if (job?.revision !== entry.revision) return [entry.dueAtMs, entry.throughMs];
  return occurrences(scheduleOf(job), entry.dueAtMs - 1, entry.throughMs);
}
