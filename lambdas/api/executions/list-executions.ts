import { ListExecutionsQuery } from '../../core/http/queries';
import { compactInstant, isHiddenJob, jobKeyOf, type JobRef } from '../../core/contracts/tables';
import { scheduleOf } from '../../core/domain/entry-planning';
import type { Job } from '../../core/domain/job';
import type { ExecutionStatus } from '../../core/domain/transitions';
import { derivedExecutions, recordedBy, queuedForMs } from './derived-executions';
import { type AnyExecution, executionView, executionViews, isRetained } from './execution-view';
import { type ListedExecution, listPositionOf, mergeSkipped } from './merge-skipped-ranges';
import { endOfInstant } from '../jobs/derived-job-status';
import { type Filtered, filteredPage, openCursor, pageView } from '../http/paging';
import { notFound } from '../http/problem';
import { readQuery, requestedHistory } from '../http/parse-request';
import { namedRunOf } from './keyed-run';
import type { RunKeyRef } from '../../core/store/run-key-store';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with a page of a job's history, newest first by default; also of a deleted job. Executions without a
 * row, the next one and those that wait, are listed among the stored ones by due time.
 */
export async function listExecutions(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedHistory(request);
  const query = readQuery(request, ListExecutionsQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const job = await deps.jobs.get(ref);
  if (query.key !== undefined) return runOfKey({ jobKey: jobKeyOf(ref), key: query.key }, job, deps);
  const derived =
    job && !isHiddenJob(jobKeyOf(ref)) ? await derivedOnPage(job, { ...query, after }, deps) : [];
  // No stored execution is `scheduled`.
  const stored =
    query.status === 'scheduled'
      ? { items: [] }
      : await storedExecutions(jobKeyOf(ref), job, query, after, deps);
  if (!job && stored.items.length === 0) await mustHaveExisted(ref, deps);
  const page = onePage(derived, stored, { ...query, after });
  return {
    status: 200,
    body: await pageView(
      page,
      { view: await executionViews(deps), positionOf: listPositionOf },
      request,
      deps,
    ),
  };
}

/** 200 with the run that a key names, if there is one: two reads, however long the history is. */
async function runOfKey(ref: RunKeyRef, job: Job | undefined, deps: ApiDeps): Promise<ApiResponse> {
  const { named, run } = await namedRunOf(ref, deps);
  if (!named && !job) throw notFound('job');
  const items = run && isRetained(run, deps.clock.nowMs()) ? [await executionView(run, deps)] : [];
  return { status: 200, body: { items, nextCursor: null } };
}

/**
 * Derived and stored executions in one order: at most a page, and not beyond the last stored one that was
 * read.
 */
function onePage(
  derived: readonly AnyExecution[],
  stored: Filtered<ListedExecution>,
  { order, limit, after }: Pick<ListExecutionsQuery, 'order' | 'limit'> & { after?: string },
): Filtered<AnyExecution> {
  const comesBefore = (one: string, other: string) => (order === 'asc' ? one < other : one > other);
  const isRecorded = recordedBy(stored.items);
  const shown = derived.filter(
    ({ execId, dueAtMs }) =>
      (after === undefined || comesBefore(after, execId)) &&
      (stored.nextAfter === undefined || comesBefore(execId, stored.nextAfter)) &&
      !isRecorded(dueAtMs), // its row may have been written since it was derived
  );
  const items = [...shown, ...stored.items].sort((a, b) => (comesBefore(a.execId, b.execId) ? -1 : 1));
  if (items.length <= limit) return { items, nextAfter: stored.nextAfter };
  return { items: items.slice(0, limit), nextAfter: listPositionOf(items[limit - 1]!) };
}

/** Derived executions that pass the filters; none on a page that begins before the oldest possible one. */
async function derivedOnPage(
  job: Job,
  { status, from, to, order, after }: ListExecutionsQuery & { after?: string },
  deps: ApiDeps,
): Promise<AnyExecution[]> {
  if (status !== undefined && !DERIVED.has(status)) return [];
  const oldest = compactInstant(deps.clock.nowMs() - queuedForMs(job));
  if (order === 'desc' && job.status === 'active' && after !== undefined && after < oldest) return [];
  return (await derivedExecutions(job, deps)).filter(
    (one) =>
      (status === undefined || one.status === status) &&
      (from === undefined || one.dueAtMs >= from) &&
      (to === undefined || one.dueAtMs < to),
  );
}

const DERIVED: ReadonlySet<ExecutionStatus> = new Set(['scheduled', 'queued', 'skipped'] as const);

const storedExecutions = (
  jobKey: string,
  job: Job | undefined,
  { from, to, order, status, limit }: ListExecutionsQuery,
  after: string | undefined,
  { executions, clock }: ApiDeps,
): Promise<Filtered<ListedExecution>> => {
  const schedule = job && scheduleOf(job);
  const nowMs = clock.nowMs();
  return filteredPage<ListedExecution>({
    after,
    limit,
    read: async (next, pageLimit) => {
      const page = await executions.list(jobKey, {
        order,
        after: next,
        fromExecId: from === undefined ? undefined : compactInstant(from),
        toExecId: to === undefined ? undefined : endOfInstant(to - 1),
        limit: pageLimit,
      });
      return { rows: page.executions, nextAfter: page.nextAfter };
    },
    positionOf: listPositionOf,
    merge: (rows) => mergeSkipped(rows, schedule, order),
    keep: (rows) =>
      rows.filter((row) => isRetained(row, nowMs) && (status === undefined || row.status === status)),
  });
};

/** A deleted job keeps its history until retention ends. Throws `ProblemError` 404 if there is none. */
export async function mustHaveExisted(ref: JobRef, { executions, clock }: ApiDeps): Promise<void> {
  const [newest] = (await executions.list(jobKeyOf(ref), { order: 'desc', limit: 1 })).executions;
  if (!newest || !isRetained(newest, clock.nowMs())) throw notFound('job');
}
