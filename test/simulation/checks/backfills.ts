import type { Execution } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { isBackfilled } from '../../../lambdas/core/domain/workflow/child-row';
import { groupBy, idOf, type Story } from '../story';
import { broken, type Violation } from '../violation';

/**
 * W17. A backfill that has succeeded has run each of its dates, and no date twice. It costs no other
 * execution its run: none is skipped or cancelled for one of its dates. Its window is checked as that of any
 * fan-out.
 */
export function checkBackfills(story: Story): Violation[] {
  const rows = story.end.executions;
  const dates = groupBy(
    rows.filter(({ execId, parent }) => isBackfilled(execId) && parent),
    ({ parent }) => idOf(parent!),
  );
  const datesOf = (run: Execution) => dates.get(idOf(run)) ?? [];
  return [
    ...rows.flatMap((row) => (row.backfill ? checkDates(row, datesOf(row)) : [])),
    ...rows.flatMap((row) => checkHeldBy(row)),
  ];
}

function checkDates(row: Execution, children: readonly Execution[]): Violation[] {
  const id = idOf(row);
  const { count } = row.backfill!;
  const dates = new Set(children.map(({ dueAtMs }) => dueAtMs));
  const missing = row.status === 'succeeded' && dates.size !== count;
  const open = isTerminal(row.status) && children.some(({ status }) => !isTerminal(status));
  return [
    ...(dates.size === children.length ? [] : [broken('backfill', `${id} has run a date twice`)]),
    ...(missing ? [broken('backfill', `${id} has run ${dates.size} of ${count} dates`)] : []),
    ...(open ? [broken('backfill', `${id} has ended before one of its dates`)] : []),
  ];
}

function checkHeldBy({ jobKey, execId, reason, detail }: Execution): Violation[] {
  const heldBy = detail?.heldBy;
  if (reason !== 'overlap' || heldBy === undefined) return [];
  if (!isBackfilled(heldBy) && !isBackfilled(execId)) return [];
  return [broken('backfill', `${idOf({ jobKey, execId })} did not run because of ${heldBy}`)];
}
