import { instantText } from '../../core/clock/clock';
import type { BulkAction } from '../../core/contracts/bulk';
import type { BulkBody } from '../../core/http/bulk';
import { NOTE_HEADER } from '../../core/http/fields';
import { cancelExecution } from '../executions/cancel-execution';
import { retryOneExecution } from '../executions/retry-execution';
import { runJob } from '../executions/run-job';
import { preconditionFailed, ProblemError, problemOf } from '../http/problem';
import { deleteJob } from '../jobs/delete-job';
import { patchOneJob } from '../jobs/patch-job';
import { pauseOneJob, resumeOneJob } from '../jobs/pause-resume-job';
import type { SavedJob } from '../jobs/save-job';
import type { ApiDeps, ApiRequest } from '../request';
import { type BulkItem, jobTest } from './select-items';

/** A bulk, as one page of it runs. */
export interface RunningBulk {
  request: ApiRequest;
  body: Omit<BulkBody, 'cursor' | 'limit'>;
  begunAtMs: number;
}

/**
 * What became of an item. `gone`: it is not selected any more, because the job was deleted or changed
 * meanwhile.
 */
export type Settled = 'done' | 'unchanged' | 'gone' | ProblemError;

/** Another request may change the job meanwhile. Each try acts on the state that it has read. */
const MAX_TRIES = 5;

/**
 * Does to one item what the request for that item alone would do, by the same code. Never rejects. An error
 * that the item's own request would be answered with becomes the outcome.
 */
export async function actOnItem(item: BulkItem, bulk: RunningBulk, deps: ApiDeps): Promise<Settled> {
  try {
    return await ACTS[bulk.body.action](item, bulk, deps);
  } catch (error) {
    const problem = problemOf(error, bulk.request, deps.log);
    return problem.status === 404 ? 'gone' : problem;
  }
}

type Act = (item: BulkItem, bulk: RunningBulk, deps: ApiDeps) => Promise<Settled>;

const ACTS: Readonly<Record<BulkAction, Act>> = {
  pause: (item, bulk, deps) => changeJob(item, bulk, pauseForBulk, deps),
  resume: (item, bulk, deps) => changeJob(item, bulk, resumeOneJob, deps),
  patch: (item, bulk, deps) => changeJob(item, bulk, patchOneJob, deps),
  // A job that was changed since the bulk began is not the one that was counted.
  delete: async (item, bulk, deps) => {
    if (item.job.updatedAtMs > bulk.begunAtMs)
      throw preconditionFailed('the job was changed after the bulk began');
    await deleteJob(itemRequest(item, bulk, ifMatch(item)), deps);
    return 'done';
  },
  run: async (item, bulk, deps) => {
    const key = bulk.request.headers['idempotency-key'];
    const { headers } = await runJob(itemRequest(item, bulk, { 'idempotency-key': key }), deps);
    return headers?.['idempotency-replayed'] === 'true' ? 'unchanged' : 'done';
  },
  retry: async (item, bulk, deps) => {
    const { outcome } = await retryOneExecution(itemRequest(item, bulk), deps, {
      endedByMs: bulk.begunAtMs,
    });
    return outcome === 'retried' ? 'done' : 'unchanged';
  },
  cancel: async (item, bulk, deps) => {
    try {
      await cancelExecution(itemRequest(item, bulk), deps);
      return 'done';
    } catch (error) {
      // It has ended meanwhile.
      if (error instanceof ProblemError && error.status === 409) return 'unchanged';
      throw error;
    }
  },
};

/** Many jobs at once: a pause that has no end gets none. */
const pauseForBulk: ChangeJob = (request, deps) => pauseOneJob(request, deps, { keepsEndless: true });

type ChangeJob = (request: ApiRequest, deps: ApiDeps) => Promise<SavedJob>;

/**
 * Changes a job in the very state that passed the filter. If another request has changed it meanwhile, the
 * filter decides again.
 */
async function changeJob(
  item: BulkItem,
  bulk: RunningBulk,
  change: ChangeJob,
  deps: ApiDeps,
): Promise<Settled> {
  const { begunAtMs, body, request } = bulk;
  const passes = jobTest({ project: request.project, filter: body.filter, begunAtMs }, deps);
  let seen = item;
  for (let tries = 1; ; tries++) {
    try {
      const { outcome } = await change(itemRequest(seen, bulk, ifMatch(seen)), deps);
      return outcome === 'unchanged' ? 'unchanged' : 'done';
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 412 || tries === MAX_TRIES) throw error;
      const job = await deps.jobs.get(item.job);
      if (!job || !(await passes(job))) return 'gone';
      seen = { ...item, job };
    }
  }
}

const ifMatch = ({ job }: BulkItem) => ({ 'if-match': `"${job.etag}"` });

/** The request for one item alone, by the same caller. */
function itemRequest(
  { job, execId }: BulkItem,
  { request, body }: RunningBulk,
  more: ApiRequest['headers'] = {},
): ApiRequest {
  const {
    'idempotency-key': _key,
    'if-match': _ifMatch,
    'if-none-match': _ifNoneMatch,
    ...headers
  } = request.headers;
  const note = body.note === undefined ? {} : { [NOTE_HEADER.toLowerCase()]: encodeURIComponent(body.note) };
  return {
    ...request,
    params: { jobId: job.jobId, execId },
    query: new Map(),
    headers: { ...headers, ...note, ...more },
    body: JSON.stringify(body.patch ?? (body.until && { until: instantText(body.until) })),
  };
}
