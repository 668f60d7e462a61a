import { MINUTE_MS } from '../clock/clock';
import type { StageDeps } from '../deps';
import type { AttemptEntry } from '../domain/entry';
import type { Execution } from '../domain/execution';
import { EARLIEST_RECHECK_MS, WRITE_DEADLINE_MS } from '../domain/timing';
import { recheckEntryAt } from './attempt-entries';

type Waiting = Pick<Execution, 'jobKey' | 'execId' | 'attempt' | 'userRetries' | 'startAtMs' | 'dueAtMs'>;

/**
 * The entry that a repeated start writes for an execution that waits for attempt 1. Its row may have come
 * later than the recheck of its first entry: then nothing else would start it.
 *
 * Undefined: nothing is left to do. Either that recheck is still to come, or another repeat has written the
 * entry. It lies 1, 2, 4, 8 … minutes after the start, so any number of repeats leaves few entries.
 */
export async function entryOfRepeat(
  waiting: Waiting,
  deps: Pick<StageDeps, 'schedule' | 'shardCount' | 'clock'>,
): Promise<AttemptEntry | undefined> {
  const { startAtMs = waiting.dueAtMs } = waiting;
  const waitedMs = deps.clock.nowMs() - startAtMs;
  if (waitedMs <= EARLIEST_RECHECK_MS) return undefined; // that recheck finds the row
  const entry = await recheckEntryAt(waiting, startAtMs + stepAfter(waitedMs), deps);
  return (await deps.schedule.hasEntry(entry)) ? undefined : entry;
}

/** The first step that is still ahead when the write is acknowledged. */
function stepAfter(waitedMs: number): number {
  let stepMs = MINUTE_MS;
  while (stepMs < waitedMs + WRITE_DEADLINE_MS) stepMs *= 2;
  return stepMs;
}
