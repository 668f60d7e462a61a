import { DAY_MS, instantText } from '../../../core/clock/clock';
import { inParallel } from '../../../core/async/in-parallel';
import { TAG_SLOTS } from '../../../core/contracts/label-keys';
import {
  compactInstant,
  dayOf,
  failureSortOf,
  jobKeyOf,
  parseCompactInstant,
  userPartOf,
} from '../../../core/contracts/tables';
import type { Execution } from '../../../core/domain/execution';
import { CLOCK_SKEW_MS } from '../../../core/domain/timing';
import { isTerminal } from '../../../core/domain/transitions';
import type { ExecutionsOfJobsView } from '../../../core/http/openapi/lookup-answers';
import type { ExecutionsOfJobsQuery } from '../../../core/http/lookup-queries';
import { MAX_DELAY } from '../../../core/http/run';
import { parseDuration } from '../../../core/schedule/duration';
import { executionMapKey } from '../../../core/store/execution-store';
import { findExecutions } from '../../../core/store/read-whole';
import type { LabelledRef, LabelPartition } from '../../../core/store/run-label-store';
import { cpuBudget } from '../../http/cpu-budget';
import { filteredPage, openCursor, pageView } from '../../http/paging';
import { invalidField } from '../../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../../request';
import { executionViews, isRetained } from '../execution-view';
import { passesAll, selectJobs } from './select-jobs';

const LONGEST_WINDOW_DAYS = 31;
/** Days of a run tag that are read at once: each has eight partitions. */
const DAYS_AT_ONCE = 4;
const CPU_FOR_JOBS_MS = 3_500;

/** A query that says by which label. */
type LabelQuery = ExecutionsOfJobsQuery & ({ runTag: string } | { externalId: string });

export const isByLabel = (query: ExecutionsOfJobsQuery): query is LabelQuery =>
  query.runTag !== undefined || query.externalId !== undefined;

interface Window {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** The window counts as whole if all is kept from here on. */
  wholeFromMs: number;
}

/** 200 with a page of the executions that have a run tag, an external id or both, newest first. */
export async function listLabelled(
  query: LabelQuery,
  request: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const nowMs = deps.clock.nowMs();
  const window = windowOf(query, nowMs, deps);
  const after = await openCursor(query.cursor, request, deps.secret);
  const selected = passesAll(query)
    ? undefined
    : await selectJobs(
        request.project,
        { filter: query, isBounded: false },
        cpuBudget(deps, CPU_FOR_JOBS_MS),
        deps,
      );
  const jobKeys = selected && new Set(selected.jobs.map(jobKeyOf));
  const page = await filteredPage<Execution>({
    ...(after !== undefined && { after }),
    limit: query.limit,
    read: (from, size) => readLabelled(query, { ...window, after: from, size }, request.project, deps),
    positionOf: failureSortOf,
    keep: (rows) => rows.filter((row) => passes(row, query, nowMs) && (jobKeys?.has(row.jobKey) ?? true)),
  });
  const show = { view: await executionViews(deps), positionOf: failureSortOf };
  const incompleteBecause = await reasonsOf(window, selected?.isAll ?? true, nowMs, deps);
  const body: ExecutionsOfJobsView = {
    ...(await pageView(page, show, request, deps)),
    from: instantText(window.fromMs),
    to: instantText(window.toMs),
    jobs: selected?.jobs.length ?? (await deps.usage.get(request.project)).jobs,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
    asOf: instantText(nowMs),
  };
  return { status: 200, body };
}

/**
 * An external id has one partition for all days, and may be that of a run which is due in a year. A date that
 * was made up for lies before the retention, and is kept from its end on.
 */
function windowOf(
  { from, to, externalId, counts }: LabelQuery,
  nowMs: number,
  { retentionDays }: ApiDeps,
): Window {
  if (counts) throw invalidField('counts', 'is not possible with runTag or externalId');
  const keptSinceMs = nowMs - retentionDays * DAY_MS;
  const isByTag = externalId === undefined;
  const toMs = to ?? nowMs + (isByTag ? CLOCK_SKEW_MS : parseDuration(MAX_DELAY) + DAY_MS);
  const fromMs = from ?? (isByTag ? Math.max(toMs - LONGEST_WINDOW_DAYS * DAY_MS, keptSinceMs) : 0);
  if (toMs <= fromMs) throw invalidField('to', `must be later than ${instantText(fromMs)}`);
  if (isByTag && toMs - fromMs > LONGEST_WINDOW_DAYS * DAY_MS)
    throw invalidField('from', `must be at most ${LONGEST_WINDOW_DAYS} days before to, with runTag`);
  return { fromMs, toMs, wholeFromMs: from ?? Math.max(fromMs, Math.min(keptSinceMs, toMs - 1)) };
}

/** A row tells whether it has the label: what was written about it may say so before it does. */
const passes = (row: Execution, { status, runTag, externalId }: LabelQuery, nowMs: number): boolean =>
  isRetained(row, nowMs) &&
  (externalId === undefined || row.externalId === externalId) &&
  (runTag === undefined || row.runTags?.includes(runTag) === true) &&
  (status === undefined || (status === 'ended' ? isTerminal(row.status) : row.status === status));

interface LabelRead extends Pick<Window, 'fromMs' | 'toMs'> {
  after: string | undefined;
  size: number;
}

/** The next rows in the order of their execIds. */
async function readLabelled(
  query: LabelQuery,
  read: LabelRead,
  project: string,
  deps: ApiDeps,
): Promise<{ rows: Execution[]; nextAfter?: string }> {
  const refs = await nextRefs(query, read, userPartOf(jobKeyOf({ userId: project, jobId: '' })), deps);
  const { executions } = await findExecutions(refs, deps, { consistent: query.externalId !== undefined });
  const rows = refs.flatMap((ref) => executions.get(executionMapKey(ref)) ?? []);
  const last = refs.length === read.size ? refs.at(-1) : undefined;
  return { rows, ...(last && { nextAfter: last.position }) };
}

async function nextRefs(
  { runTag, externalId }: LabelQuery,
  { fromMs, toMs, after, size }: LabelRead,
  userPart: string,
  { runLabels }: ApiDeps,
): Promise<LabelledRef[]> {
  const page = { fromExecId: compactInstant(fromMs), toExecId: compactInstant(toMs), after, limit: size };
  if (externalId !== undefined) return runLabels.list({ userPart, externalId }, page);
  const refs: LabelledRef[] = [];
  const lastMs = after === undefined ? toMs - 1 : Math.min(toMs - 1, parseCompactInstant(after));
  const days = daysDownTo(fromMs, lastMs);
  while (days.length > 0 && refs.length < size) {
    const partitions = days.splice(0, DAYS_AT_ONCE).flatMap((day) =>
      Array.from({ length: TAG_SLOTS }, (_, slot): LabelPartition => ({
        userPart,
        runTag: runTag!,
        day,
        slot,
      })),
    );
    const found: LabelledRef[] = [];
    await inParallel(partitions, partitions.length, async (partition) => {
      found.push(...(await runLabels.list(partition, page)));
    });
    refs.push(...found.sort((a, b) => (a.position < b.position ? 1 : -1)));
  }
  return refs.slice(0, size);
}

/** The days of a window, the last one first. */
function daysDownTo(fromMs: number, lastMs: number): string[] {
  const days: string[] = [];
  const firstDay = dayOf(compactInstant(fromMs));
  for (let atMs = lastMs; dayOf(compactInstant(atMs)) >= firstDay; atMs -= DAY_MS)
    days.push(dayOf(compactInstant(atMs)));
  return days;
}

/** Why executions may be missing. What the follower has not written yet is found by nothing. */
async function reasonsOf(
  { wholeFromMs }: Window,
  isAll: boolean,
  nowMs: number,
  { journal, settings, retentionDays }: ApiDeps,
): Promise<ExecutionsOfJobsView['incompleteBecause']> {
  const sinceMs = settings.journal ? await journal.sinceMs() : undefined;
  return [
    ...(isAll ? [] : (['time'] as const)),
    ...(sinceMs === undefined || wholeFromMs < sinceMs ? (['journal'] as const) : []),
    ...(wholeFromMs < nowMs - retentionDays * DAY_MS ? (['retention'] as const) : []),
  ];
}
