import type { Clock } from '../core/clock/clock';
import { endIn, isInJournal } from '../core/domain/journal-end';
import type { EndsJournal } from '../core/store/ends-journal';
import type { ExecutionChange } from '../core/store/execution-stream';
import type { Log, Meter } from '../core/telemetry/telemetry';
import type { RunLabelStore } from '../core/store/run-label-store';
import { type ExportDeps, followExport } from './export/follow-export';
import { followLabels } from './follow-labels';
import { type FollowedEnd, journalRowsOf } from './journal-rows';
import { followSpans, type SpanDeps } from './spans/follow-spans';
import { writeEach } from './write-each';

export interface FollowerDeps {
  /** Absent: the deployment keeps no journal. */
  journal?: Pick<EndsJournal, 'put' | 'begin'> | undefined;
  /** Absent: the deployment keeps no journal, and finds no execution by its run tags. */
  labels?: Pick<RunLabelStore, 'putRunTag' | 'putExternalId'> | undefined;
  /** Absent: the deployment exports no history. */
  history?: ExportDeps | undefined;
  /** Absent: the deployment records no trace. */
  spans?: SpanDeps | undefined;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
  meter: Pick<Meter, 'count'>;
  /** How long a finished execution stays readable. */
  retentionDays: number;
}

const PARALLEL_WRITES = 8;

/**
 * Writes the ends among changes into the journal and the export, and by what they are found, and sends their
 * spans. A batch that comes again, as a whole or in other parts, may do so twice for an end.
 *
 * @returns `failedFrom`: the sequence number of the first change of which something may not be written
 */
export async function follow(
  changes: readonly ExecutionChange[],
  { journal, labels, history, spans, ...deps }: FollowerDeps,
): Promise<{ failedFrom?: string }> {
  const failed = await Promise.all([
    journal && followEnds(changes, journal, deps),
    labels && followLabels(changes, { labels, ...deps }),
    history && followExport(changes, history, deps.log),
    spans && followSpans(changes, spans, deps),
  ]);
  const from = changes[Math.min(...failed.map((index) => index ?? Number.POSITIVE_INFINITY))];
  return from ? { failedFrom: from.sequence } : {};
}

/** @returns the index of the first change whose end may not be written; undefined: all are */
async function followEnds(
  changes: readonly ExecutionChange[],
  journal: Pick<EndsJournal, 'put'>,
  { clock, log, retentionDays }: FollowerDeps,
): Promise<number | undefined> {
  const ends = changes.flatMap(({ name, before, after }, index): FollowedEnd[] => {
    const ended = endIn(before, after);
    return ended && isInJournal(ended) ? [{ index, name, ended }] : [];
  });
  return writeEach(
    journalRowsOf(ends, { retentionDays, nowMs: clock.nowMs() }),
    PARALLEL_WRITES,
    ({ row }) => journal.put(row),
    (error, { row }) =>
      log.error('ends were not written; the stream brings them again', error, { day: row.day }),
  );
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
