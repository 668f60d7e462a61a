import { jobKeyOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { workerTargetOf } from '../../core/domain/work';
import { segmentsIn } from '../../core/domain/workflow/fan-out';
import { graphOf } from '../../core/domain/workflow/graph';
import { writesOf } from '../../core/domain/workflow/sample-run';
import { type Backfill, BACKFILL_TASK, workflowOfBackfill } from '../../core/domain/workflow/backfill';
import type { ApiDeps } from '../request';

/** Its rows in the lists of its job and of the project, and that of its run. */
const ROWS_OF_A_BACKFILL = 3;
/** The dates of a segment are longer than 1 KB. */
const MORE_FOR_A_SEGMENT = 1;
/** Its claim and its end; its entry, row and mark count with the backfill. */
const WRITES_A_PLAIN_DATE = 2;
/** The entry of a run counts with the backfill too. */
const WRITES_OF_AN_ENTRY = 1;
/** A ticket in the work queue and its removal, and the entry at the limit of the lease. */
const WRITES_BY_A_WORKER = 3;
/** The gate is acquired and released. */
const WRITES_A_GATE = 2;

/** The writes of a backfill, if each date succeeds at its first attempt. */
export async function writesOfBackfill(
  job: Job,
  backfill: Backfill,
  { flows }: Pick<ApiDeps, 'flows'>,
): Promise<number> {
  const { count, overlap } = backfill;
  const graph = graphOf(workflowOfBackfill(job.jobId, backfill));
  const ofRun = writesOf(graph, new Map([[graph.indexOf.get(BACKFILL_TASK)!, count]]));
  const isOccupying = job.overlap !== 'allow' && overlap === 'respect';
  const gates = [isOccupying, job.orderingKey !== null, job.concurrencyKey !== undefined].filter(Boolean);
  const ofEachDate = WRITES_A_GATE * gates.length + (await writesOfJob(job, flows));
  return ROWS_OF_A_BACKFILL + ofRun + MORE_FOR_A_SEGMENT * segmentsIn(count) + ofEachDate * count;
}

/** A fan-out in its workflow counts as empty: its items are not known. */
async function writesOfJob(job: Job, flows: ApiDeps['flows']): Promise<number> {
  const flow = job.workflow && (await flows.get(jobKeyOf(job), job.workflow.version));
  if (flow) return writesOf(graphOf(flow.workflow), new Map()) - WRITES_OF_AN_ENTRY;
  return WRITES_A_PLAIN_DATE + (workerTargetOf(job) ? WRITES_BY_A_WORKER : 0);
}
