import type { Execution } from '../core/domain/execution';
import type { Schedule } from '../core/domain/schedule/schedule';

/** A listed row; where it stands for several, `position` is the last of them in the order of the list. */
export type Listed = Execution & { position?: string };

/**
 * Neighbouring occurrences skipped for one reason are one record to whoever reads them, whether they were written as one
 * stretch or one by one, as those are whose messages were on the way when their job was paused.
 */
export function mergeSkipped(rows: readonly Listed[], schedule: Schedule, order: 'asc' | 'desc'): Listed[] {
  const merged: Listed[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    const [earlier, later] = order === 'asc' ? [last, row] : [row, last];
    if (earlier && later && areNeighbours(earlier, later, schedule))
      merged[merged.length - 1] = join(earlier, later, row);
    else merged.push(row);
  }
  return merged;
}

const spanOf = ({ skipped, dueAtMs }: Execution) => skipped ?? { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };

const areNeighbours = (earlier: Listed, later: Listed, schedule: Schedule): boolean =>
  [earlier, later].every(
    (row) => row.status === 'skipped' && row.trigger !== 'manual' && row.attempts.length === 0,
  ) &&
  earlier.reason === later.reason &&
  schedule.next(spanOf(earlier).toMs) === spanOf(later).fromMs;

function join(earlier: Listed, later: Listed, last: Listed): Listed {
  const [first, second] = [spanOf(earlier), spanOf(later)];
  const skipped = { fromMs: first.fromMs, toMs: second.toMs, count: first.count + second.count };
  return { ...earlier, skipped, position: last.position ?? last.execId };
}
