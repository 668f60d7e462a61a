import { instantText } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import { dollarsOf } from '../../core/domain/workflow/sample-run';
import type { BackfillBody } from '../../core/http/backfill';
import type { BackfillPlanView } from '../../core/http/backfill-answers';
import type { PlannedBackfill } from '../../core/store/backfill-store';
import type { ApiDeps } from '../request';
import { dueTimesIn } from './due-times';
import { writesOfBackfill } from './estimate';
import { succeededDates } from './succeeded-dates';

/** What a backfill would run: its dates in the order in which they begin, and what was counted. */
export interface BackfillPlan {
  dueTimesMs: number[];
  counted: Omit<PlannedBackfill, 'jobKey' | 'execId'>;
}

/** Counts the dates of a backfill. Writes nothing. Throws `ProblemError` 400 and 409. */
export async function planBackfill(job: Job, body: BackfillBody, deps: ApiDeps): Promise<BackfillPlan> {
  const all = dueTimesIn(job, { fromMs: body.from, toMs: body.to }, deps);
  const succeeded = await succeededDates(job, all, deps);
  const chosen = body.only === 'all' ? all : all.filter((atMs) => !succeeded.has(atMs));
  const counted = {
    ...(chosen.length > 0 && { firstMs: chosen[0]!, lastMs: chosen.at(-1)! }),
    alreadySucceeded: succeeded.size,
    writes: await writesOfBackfill(job, body, chosen.length, deps),
  };
  return { dueTimesMs: body.order === 'asc' ? chosen : chosen.toReversed(), counted };
}

export const planView = (
  count: number,
  { firstMs, lastMs, alreadySucceeded, writes }: BackfillPlan['counted'],
): BackfillPlanView => ({
  count,
  first: firstMs === undefined ? null : instantText(firstMs),
  last: lastMs === undefined ? null : instantText(lastMs),
  alreadySucceeded,
  estimate: { writes, dollars: dollarsOf(writes) },
});
