import { jobKeyOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { workerTargetOf } from '../../core/domain/work';
import { segmentsIn } from '../../core/domain/workflow/fan-out';
import { graphOf } from '../../core/domain/workflow/graph';
import { writesOf } from '../../core/domain/workflow/sample-run';
import type { BackfillBody } from '../../core/http/backfill';
import type { ApiDeps } from '../request';

/** Its row in the list, its entry, row, claim, start and end; the head, the row and the mark of its dates. */
const WRITES_A_BACKFILL = 9;
/** 50 dates are 1.3 KB; and their sum. */
const WRITES_A_SEGMENT = 3;
/** Its row and its mark, whatever its job does. */
const WRITES_A_DATE = 2;
/** Its entry, claim and end. */
const WRITES_A_PLAIN_DATE = 3;
/** A ticket in the work queue and its removal, and the entry at the limit of the lease. */
const WRITES_BY_A_WORKER = 3;
/** The gate is acquired and released. */
const WRITES_A_GATE = 2;

/** The writes of a backfill of so many dates, if each succeeds at its first attempt. */
export async function writesOfBackfill(
  job: Job,
  { parallel, overlap }: Pick<BackfillBody, 'parallel' | 'overlap'>,
  count: number,
  { flows }: Pick<ApiDeps, 'flows'>,
): Promise<number> {
  const isOccupying = job.overlap !== 'allow' && overlap === 'respect';
  const gates = [isOccupying, job.orderingKey !== null, job.concurrencyKey !== undefined].filter(Boolean);
  const writesADate = WRITES_A_DATE + WRITES_A_GATE * gates.length + (await writesOfJob(job, flows));
  const dispensed = Math.max(0, count - parallel);
  return WRITES_A_BACKFILL + WRITES_A_SEGMENT * segmentsIn(count) + writesADate * count + dispensed;
}

/** A fan-out in its workflow counts as empty: its items are not known. */
async function writesOfJob(job: Job, flows: ApiDeps['flows']): Promise<number> {
  const flow = job.workflow && (await flows.get(jobKeyOf(job), job.workflow.version));
  if (flow) return writesOf(graphOf(flow.workflow), new Map());
  return WRITES_A_PLAIN_DATE + (workerTargetOf(job) ? WRITES_BY_A_WORKER : 0);
}
