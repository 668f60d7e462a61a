import { coveredThroughMs } from '../../core/history/coverage';
import { type Execution, isPlanned } from '../../core/domain/execution';
import { skippedRangeOf } from '../../core/domain/misfire';
import type { Schedule } from '../../core/schedule/schedule';

/** A listed row; where it stands for several, `position` is the last of them in the order of the list. */
export type Listed = Execution & { position?: string };

/** Where a list goes on after a record. */
export const positionOf = ({ execId, position }: Pick<Listed, 'execId' | 'position'>): string =>
  position ?? execId;

/**
 * Neighbouring occurrences skipped for one reason are one record to whoever reads them, whether they were written as one
 * stretch or one by one. A stretch ends where the next row begins, however far it reached when it was written.
 */
export function mergeSkipped(rows: readonly Listed[], schedule: Schedule, order: 'asc' | 'desc'): Listed[] {
  const merged: Listed[] = [];
  for (const row of rows) {
    const last = merged.pop();
    if (!last) merged.push(row);
    else if (order === 'asc') merged.push(...meet(last, row, schedule, row));
    else merged.push(...meet(row, last, schedule, row).reverse());
  }
  return merged;
}

/** Two rows that follow on each other, as one or as two. */
function meet(earlier: Listed, later: Listed, schedule: Schedule, last: Listed): Listed[] {
  const first = endedBy(later, earlier, schedule);
  return areNeighbours(first, later, schedule) ? [join(first, later, last)] : [first, later];
}

function endedBy(later: Listed, earlier: Listed, schedule: Schedule): Listed {
  if (!earlier.skipped || !isPlanned(later.trigger) || coveredThroughMs(earlier) < later.dueAtMs)
    return earlier;
  return { ...earlier, skipped: skippedRangeOf(schedule, earlier.skipped.fromMs, later.dueAtMs - 1) };
}

const spanOf = ({ skipped, dueAtMs }: Execution) => skipped ?? { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };

const areNeighbours = (earlier: Listed, later: Listed, schedule: Schedule): boolean =>
  [earlier, later].every(
    (row) => row.status === 'skipped' && isPlanned(row.trigger) && row.attempts.length === 0,
  ) &&
  earlier.reason === later.reason &&
  schedule.next(spanOf(earlier).toMs) === spanOf(later).fromMs;

function join(earlier: Listed, later: Listed, last: Listed): Listed {
  const [first, second] = [spanOf(earlier), spanOf(later)];
  const skipped = { fromMs: first.fromMs, toMs: second.toMs, count: first.count + second.count };
  return { ...earlier, skipped, position: last.position ?? last.execId };
}
