import { instantText } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import type { Backfill } from '../../core/domain/workflow/backfill';
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
  backfill: Backfill;
  dueTimesMs: number[];
  counted: Omit<PlannedBackfill, 'jobKey' | 'execId'>;
}

/** Counts the dates of a backfill. Writes nothing. Throws `ProblemError` 400 and 409. */
export async function planBackfill(job: Job, body: BackfillBody, deps: ApiDeps): Promise<BackfillPlan> {
  const all = dueTimesIn(job, { fromMs: body.from, toMs: body.to }, deps);
  const succeeded = await succeededDates(job, all, deps);
  const chosen = body.only === 'all' ? all : all.filter((atMs) => !succeeded.has(atMs));
  const backfill = rowOf(job, body, chosen.length);
  const counted = {
    ...(chosen.length > 0 && { firstMs: chosen[0]!, lastMs: chosen.at(-1)! }),
    alreadySucceeded: succeeded.size,
    writes: await writesOfBackfill(job, backfill, deps),
  };
  return { backfill, dueTimesMs: body.order === 'asc' ? chosen : chosen.toReversed(), counted };
}

/** Dates that share the overlap lock of their job run one at a time. More of them would wait for nothing. */
const isSerial = ({ overlap }: Job, body: BackfillBody): boolean =>
  overlap !== 'allow' && body.overlap === 'respect';

function rowOf(job: Job, body: BackfillBody, count: number): Backfill {
  const { from, to, parallel, order, only, onFailure, overlap, priority } = body;
  return {
    fromMs: from,
    toMs: to,
    parallel: isSerial(job, body) ? 1 : parallel,
    order,
    only,
    onFailure,
    overlap,
    priority,
    count,
  };
}

export const planView = (
  { count, parallel }: Pick<Backfill, 'count' | 'parallel'>,
  { firstMs, lastMs, alreadySucceeded, writes }: BackfillPlan['counted'],
): BackfillPlanView => ({
  count,
  first: firstMs === undefined ? null : instantText(firstMs),
  last: lastMs === undefined ? null : instantText(lastMs),
  alreadySucceeded,
  parallel,
  estimate: { writes, dollars: dollarsOf(writes) },
});
