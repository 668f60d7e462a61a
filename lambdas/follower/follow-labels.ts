import { endIn, isInJournal, keptUntilSec } from '../core/domain/journal-end';
import { expiresAtSecAfter, LONGEST_RUN_MS } from '../core/domain/timing';
import type { ExecutionChange } from '../core/store/execution-stream';
import type { RunLabelStore } from '../core/store/run-label-store';
import type { Log } from '../core/telemetry/telemetry';
import { writeEach } from './write-each';

const PARALLEL_WRITES = 8;

interface LabelDeps {
  labels: Pick<RunLabelStore, 'putRunTag' | 'putExternalId'>;
  log: Log;
  retentionDays: number;
}

/**
 * Writes by what executions that have ended are found. Who ends an execution writes no such row, so the end
 * itself waits for none. An execution without a label costs nothing.
 *
 * @returns the index of the first change of which a row may not be written; undefined: all are
 */
export async function followLabels(
  changes: readonly ExecutionChange[],
  { labels, log, retentionDays }: LabelDeps,
): Promise<number | undefined> {
  return writeEach(
    changes.flatMap((change, first) => writesOf(change, retentionDays).map((write) => ({ first, write }))),
    PARALLEL_WRITES,
    ({ write }) => write(labels),
    (error, { first: index }) =>
      log.error('a run tag was not written; the stream brings it again', error, { index }),
  );
}

type Write = (labels: LabelDeps['labels']) => Promise<void>;

/**
 * The API has written the external id of a request: it is on the row before the end. That one is kept as long
 * as the longest run needs. An end that is kept longer, as after a user's retry, writes it again.
 */
function writesOf({ before, after }: ExecutionChange, retentionDays: number): Write[] {
  const ended = endIn(before, after);
  if (!ended || !isInJournal(ended)) return [];
  const { runTags = [], externalId } = ended;
  const untilSec = keptUntilSec(ended, retentionDays);
  const keptSec = expiresAtSecAfter(ended.dueAtMs + LONGEST_RUN_MS, retentionDays);
  const isWritten =
    externalId === before?.externalId && ended.userRetries === undefined && untilSec <= keptSec;
  return [
    ...runTags.map(
      (tag): Write =>
        (labels) =>
          labels.putRunTag(ended, tag, untilSec),
    ),
    ...(externalId === undefined || isWritten
      ? []
      : [(labels: LabelDeps['labels']) => labels.putExternalId(ended, externalId, untilSec)]),
  ];
}
