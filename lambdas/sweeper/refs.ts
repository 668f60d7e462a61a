import { execIdOfOccurrence } from '../core/contracts/tables';
import { scheduleOf } from '../core/dispatch/entries';
import type { Entry, OccurrenceEntry } from '../core/domain/entry';
import type { Job } from '../core/domain/job';
import { occurrences } from '../core/domain/misfire';
import type { ExecutionRef } from '../core/store/execution-store';

/** The executions that an entry stands for. */
export function refsOf(entry: Entry, job: Job | undefined): ExecutionRef[] {
  const { jobKey } = entry;
  if (entry.kind === 'attempt') return [{ jobKey, execId: entry.execId }];
  return duesOf(entry, job).map((dueAtMs) => ({ jobKey, execId: execIdOfOccurrence(dueAtMs) }));
}

/** The due times that an entry stands for. Where its schedule is gone, the first and last are all that is known. */
export function duesOf(entry: OccurrenceEntry, job: Job | undefined): number[] {
  if (entry.throughMs === entry.dueAtMs) return [entry.dueAtMs];
  if (job?.revision !== entry.revision) return [entry.dueAtMs, entry.throughMs];
  return occurrences(scheduleOf(job), entry.dueAtMs - 1, entry.throughMs);
}
