import { jobRefOf } from '../../core/contracts/tables';
import { scheduleOf } from '../../core/domain/entry-planning';
import { coveredThroughMs } from '../../core/history/coverage';
import { type Execution, isPlanned } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import { skippedRangeOf } from '../../core/domain/misfire';
import type { Schedule } from '../../core/schedule/schedule';
import { filteredPage } from '../http/paging';
import type { ApiDeps } from '../request';

/**
 * A listed row. If it was merged from several, `position` is the execId of the last one in the order of the
 * list.
 */
export type ListedExecution = Execution & { position?: string };

/** Where a list continues after this row. */
export const listPositionOf = ({ execId, position }: Pick<ListedExecution, 'execId' | 'position'>): string =>
  position ?? execId;

/**
 * Shows neighbouring occurrences that were skipped for one reason as one record, whether they were written as
 * one range or one by one. A skipped range ends before the next row, even if it reached further when it was
 * written. A skipped row that lies inside it is part of the record.
 *
 * @param schedule the job's as it is now; undefined: the job is deleted
 */
export function mergeSkipped(
  rows: readonly ListedExecution[],
  schedule: Schedule | undefined,
  order: 'asc' | 'desc',
): ListedExecution[] {
  const merged: ListedExecution[] = [];
  for (const row of rows) {
    let pair = [row];
    // What became one row may belong to the row that is listed before it, too.
    while (pair.length === 1 && merged.length > 0) {
      const [last, next] = [merged.pop()!, pair[0]!];
      pair =
        order === 'asc'
          ? mergePair(last, next, schedule, row)
          : mergePair(next, last, schedule, row).reverse();
    }
    merged.push(...pair);
  }
  return merged;
}

/**
 * A row as the list shows it: merged with the skipped rows that follow it without a gap. It merges as many
 * rows as one page of the list reads.
 */
export async function withFollowingSkips(
  row: Execution,
  job: Job | undefined,
  deps: Pick<ApiDeps, 'executions'>,
): Promise<Execution> {
  if (row.status !== 'skipped') return row;
  const schedule = job && scheduleOf(job);
  const { items } = await filteredPage<ListedExecution>({
    limit: 1,
    read: async (after, limit) => {
      const page = await deps.executions.list(row.jobKey, {
        order: 'asc',
        after,
        fromExecId: row.execId,
        limit,
      });
      return { rows: page.executions, nextAfter: page.nextAfter };
    },
    positionOf: listPositionOf,
    merge: (rows) => mergeSkipped(rows, schedule, 'asc'),
    keep: (rows) => rows,
  });
  const [first] = items;
  return first?.execId === row.execId ? first : row;
}

/** A row with the skipped ranges that follow it merged in. Reads its job. */
export const withMergedSkips = async (
  row: Execution,
  deps: Pick<ApiDeps, 'executions' | 'jobs'>,
): Promise<Execution> =>
  row.status === 'skipped' ? withFollowingSkips(row, await deps.jobs.get(jobRefOf(row.jobKey)), deps) : row;

/** Two consecutive rows, as one or as two. */
function mergePair(
  earlier: ListedExecution,
  later: ListedExecution,
  schedule: Schedule | undefined,
  lastListed: ListedExecution,
): ListedExecution[] {
  if (later.insideRange && later.status === 'skipped' && coveredThroughMs(earlier) >= later.dueAtMs)
    return [{ ...earlier, position: listPositionOf(lastListed) }];
  const first = later.insideRange ? earlier : endedBy(later, earlier, schedule);
  return areNeighbours(first, later, schedule) ? [joined(first, later, lastListed)] : [first, later];
}

/** `earlier`, with its skipped range cut off before `later`. */
function endedBy(
  later: ListedExecution,
  earlier: ListedExecution,
  schedule: Schedule | undefined,
): ListedExecution {
  if (!schedule || !earlier.skipped || !isPlanned(later.trigger) || coveredThroughMs(earlier) < later.dueAtMs)
    return earlier;
  return { ...earlier, skipped: skippedRangeOf(schedule, earlier.skipped.fromMs, later.dueAtMs - 1) };
}

const rangeOf = ({ skipped, dueAtMs }: Execution) => skipped ?? { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };

const areNeighbours = (
  earlier: ListedExecution,
  later: ListedExecution,
  schedule: Schedule | undefined,
): boolean =>
  [earlier, later].every(
    (row) => row.status === 'skipped' && isPlanned(row.trigger) && row.attempts.length === 0,
  ) &&
  earlier.reason === later.reason &&
  (schedule?.next(rangeOf(earlier).toMs, rangeOf(later).fromMs) === rangeOf(later).fromMs ||
    areOfEndedPlans(earlier, later));

/**
 * A delete or a change of schedule has ended the plans that both are of, so the present schedule does not
 * tell. All that was dispatched of those plans has a row: there is none between these two.
 */
const areOfEndedPlans = (earlier: ListedExecution, later: ListedExecution): boolean =>
  (earlier.reason === 'deleted' || earlier.reason === 'superseded') &&
  rangeOf(earlier).toMs < rangeOf(later).fromMs;

function joined(
  earlier: ListedExecution,
  later: ListedExecution,
  lastListed: ListedExecution,
): ListedExecution {
  const [first, second] = [rangeOf(earlier), rangeOf(later)];
  const skipped = { fromMs: first.fromMs, toMs: second.toMs, count: first.count + second.count };
  return { ...earlier, skipped, position: listPositionOf(lastListed) };
}
