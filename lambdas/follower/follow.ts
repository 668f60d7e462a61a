import { inParallel } from '../core/async/in-parallel';
import type { Clock } from '../core/clock/clock';
import { endIn, isInJournal } from '../core/domain/journal-end';
import type { EndsJournal } from '../core/store/ends-journal';
import type { ExecutionChange } from '../core/store/execution-stream';
import type { Log } from '../core/telemetry/telemetry';
import { type FollowedEnd, journalRowsOf } from './journal-rows';

export interface FollowerDeps {
  journal: Pick<EndsJournal, 'put' | 'begin'>;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
  /** How long a finished execution stays readable. */
  retentionDays: number;
}

const PARALLEL_WRITES = 8;

/**
 * Writes the ends among changes into the journal. A batch that comes again, as a whole or in other parts, may
 * write an end twice.
 *
 * @returns `failedFrom`: the sequence number of the first change whose end may not be written
 */
export async function follow(
  changes: readonly ExecutionChange[],
  { journal, clock, log, retentionDays }: FollowerDeps,
): Promise<{ failedFrom?: string }> {
  const ends = changes.flatMap(({ name, before, after }, index): FollowedEnd[] => {
    const ended = endIn(before, after);
    return ended && isInJournal(ended) ? [{ index, name, ended }] : [];
  });
  let failed = Number.POSITIVE_INFINITY;
  const rows = journalRowsOf(ends, { retentionDays, nowMs: clock.nowMs() });
  await inParallel(rows, PARALLEL_WRITES, async ({ first, row }) => {
    try {
      await journal.put(row);
    } catch (error) {
      log.error('ends were not written; the stream brings them again', error, { day: row.day });
      failed = Math.min(failed, first);
    }
  });
  const from = changes[failed];
  return from ? { failedFrom: from.sequence } : {};
}

/** Says once in a process since when the journal has every end: before the first of them is written. */
export function journalStart(
  journal: Pick<EndsJournal, 'begin'>,
): (changes: readonly ExecutionChange[], stream: string) => Promise<void> {
  let begun: string | undefined;
  return async ([first], stream) => {
    if (!first || begun === stream) return;
    await journal.begin(stream, first.atMs);
    begun = stream;
  };
}
