import { isBackfilled } from '../../../lambdas/core/domain/workflow/child-row';
import { endOf, type Mutable, type Mutation } from './log-edits';

/** The dates of a backfill that has succeeded. */
function someDates(records: Mutable) {
  const { executions } = endOf(records);
  const run = executions.find(({ backfill, status }) => backfill && status === 'succeeded');
  const dates = executions.filter(({ parent }) => run && parent?.execId === run.execId);
  if (dates.length < 2) throw new Error('the valid log has no such backfill');
  return dates;
}

/** Logs in which a backfill leaves out a date, repeats one, or costs an occurrence its run. */
export const backfills: readonly Mutation[] = [
  [
    'backfill',
    'a date is left out',
    (records) => {
      const [first] = someDates(records);
      const end = endOf(records);
      end.executions = end.executions.filter((row) => row !== first);
    },
  ],
  [
    'backfill',
    'a date runs twice',
    (records) => {
      const [first, second] = someDates(records);
      second!.dueAtMs = first!.dueAtMs;
    },
  ],
  [
    'backfill',
    'an occurrence is skipped because of a date',
    (records) => {
      const [date] = someDates(records);
      const row = endOf(records).executions.find(
        ({ execId }) => !isBackfilled(execId) && !execId.includes('-'),
      )!;
      Object.assign(row, { status: 'skipped', reason: 'overlap', detail: { heldBy: date!.execId } });
    },
  ],
];
