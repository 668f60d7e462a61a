import { chunksOf } from '../core/async/chunks';
import { groupBy } from '../core/async/group-by';
import { dayOf, userPartOf } from '../core/contracts/tables';
import { type EndSeen, journalEndOf, keptUntilSec, namedAtMs } from '../core/domain/journal-end';
import type { EndsRow } from '../core/store/ends-journal';

/** An end, and the change by which it came. */
export interface FollowedEnd {
  /** Index of the change in its batch. */
  index: number;
  /** The name of the change in the stream. */
  name: string;
  ended: EndSeen;
}

/** About 6 KB of a row, so that one page of a query has a hundred of them. */
const MOST_ENDS = 200;

/**
 * The rows of ends in the order of the stream. The same ends make the same rows. `first`: the index of the
 * first change in it. A batch that ends elsewhere makes other rows, which replace none of these.
 */
export function journalRowsOf(
  ends: readonly FollowedEnd[],
  { retentionDays, nowMs }: { retentionDays: number; nowMs: number },
): { first: number; row: EndsRow }[] {
  const groups = groupBy(ends, ({ ended }) => `${userPartOf(ended.jobKey)}#${dayOf(ended.execId)}`);
  return [...groups.values()].flatMap((group) =>
    chunksOf(group, MOST_ENDS).map((chunk) => ({
      first: chunk[0]!.index,
      row: rowOf(chunk, retentionDays, nowMs),
    })),
  );
}

function rowOf(followed: readonly FollowedEnd[], retentionDays: number, nowMs: number): EndsRow {
  const [{ name, ended: first }] = followed as [FollowedEnd];
  const ends = followed.map(({ ended }) => journalEndOf(ended));
  return {
    userPart: userPartOf(first.jobKey),
    day: dayOf(first.execId),
    throughMs: Math.max(...ends.map((end) => Math.max(end.finishedAtMs, namedAtMs(end)))),
    name: `${name}-${ends.length}`,
    ends,
    writtenAtMs: nowMs,
    expiresAtSec: Math.max(...followed.map(({ ended }) => keptUntilSec(ended, retentionDays))),
  };
}
