import { isHiddenJob, jobKeyOf, type JobRef } from '../../core/contracts/tables';
import { newestRowThrough, covers } from '../../core/history/coverage';
import type { Execution } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import type { ExecutionRef } from '../../core/store/execution-store';
import { type AnyExecution, isRetained } from './execution-view';
import { derivedExecutions, plannedOccurrence } from './derived-executions';
import { notFound } from '../http/problem';
import { requestedHistory, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest } from '../request';

export type Found = { stored: true; execution: Execution } | { stored: false; execution: AnyExecution };

/** That of a date of a backfill has `-d-` before its hash. */
export const EXEC_ID = /^\d{8}T\d{6}\.\d{3}Z(?:-(?:d-)?[a-z0-9]{1,40})?$/;

/**
 * The execution that the path names: its row, or the planned execution with its id. Throws `ProblemError`
 * 404.
 */
export const findExecution = (request: ApiRequest, deps: ApiDeps): Promise<Found> =>
  findIn(requestedJob(request), request, deps);

/** The execution to read that the path names: also one of the hidden job of a notification. */
export const findReadable = (request: ApiRequest, deps: ApiDeps): Promise<Found> =>
  findIn(requestedHistory(request), request, deps);

async function findIn(ref: JobRef, request: ApiRequest, deps: ApiDeps): Promise<Found> {
  const { execId } = request.params;
  if (execId === undefined || !EXEC_ID.test(execId)) throw notFound('execution');
  const own = { jobKey: jobKeyOf(ref), execId };
  const execution = await deps.executions.get(own);
  if (execution && isRetained(execution, deps.clock.nowMs())) return { stored: true, execution };
  const isPlanned = !execution && !isHiddenJob(own.jobKey);
  const found = isPlanned ? await findPlanned(own, await deps.jobs.get(ref), deps) : undefined;
  if (!found) throw notFound('execution');
  return found;
}

/** The planned execution of a job that had no row when it was read; undefined if there is none. */
export async function findPlanned(
  own: ExecutionRef,
  job: Job | undefined,
  deps: ApiDeps,
): Promise<Found | undefined> {
  const { execId } = own;
  const nowMs = deps.clock.nowMs();
  const planned = job && (plannedOccurrence(job, execId, nowMs) ?? (await pausedRecord(job, execId, deps)));
  if (!planned) {
    // Since the first read, an executor may have claimed it, and a request may have changed the schedule.
    const written = await deps.executions.get(own);
    return written && { stored: true, execution: written };
  }
  const newest = await newestRowThrough(planned.jobKey, planned.dueAtMs, deps);
  // Since the first read, an executor may have claimed it and written its row.
  if (newest?.execId === execId) return { stored: true, execution: newest };
  // A skipped range covers it: it neither waits nor is planned any more.
  return covers(newest, planned.dueAtMs) ? undefined : { stored: false, execution: planned };
}

/**
 * The one record of what a paused job does not run. It has the id of the first occurrence, and no row yet.
 */
const pausedRecord = async (job: Job, execId: string, deps: ApiDeps): Promise<AnyExecution | undefined> =>
  job.status === 'paused'
    ? (await derivedExecutions(job, deps)).find((record) => record.execId === execId)
    : undefined;
