import { execIdOfOccurrence, jobKeyOf, jobRefOf } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import type { Patience } from '../log';
import {
  groupBy,
  idOf,
  isManual,
  isPlanned,
  isTask,
  type JobVersion,
  scheduleIn,
  type Story,
} from '../story';
import { askedFor, callsOf, indexed, requestsFor, rowsOf } from '../story-index';
import { broken, clockTime, open, type Violation } from '../violation';
import { isHeldUp, waitsBehindPaused, waitsForSlot, waitsForOrderingKey } from './held-up';
import { waitingAtEnd } from './workers';

const MINUTE_MS = 60_000;
export const PATIENCE: Patience = {
  settledMs: 3 * MINUTE_MS,
  /** Attempts take five minutes at most, waits two. */
  endsWithinMs: 10 * MINUTE_MS,
  /** Ten seconds for the write, five for the clocks. */
  changeMarginMs: 16_000,
};
/** The auditor comes every ten minutes, and leaves series alone for three after a start. */
const AUDITED_WITHIN_MS = 15 * MINUTE_MS;

interface JobDue {
  jobKey: string;
  dueAtMs: number;
}

/** The time for which one revision of a job was in the table. */
interface RevisionPeriod {
  fromMs: number;
  untilMs: number;
  job: Job;
  /** It ended with the expiry of the job's row. */
  expires?: true;
}

/** Versions of one revision are one period: other fields may change meanwhile. */
export function periodsOf(versions: readonly JobVersion[]): RevisionPeriod[] {
  const periods: RevisionPeriod[] = [];
  for (const { fromMs, untilMs, job, expires } of versions) {
    const last = periods.at(-1);
    if (job && last?.job.revision === job.revision && last.untilMs === fromMs)
      Object.assign(last, { untilMs, expires });
    else if (job) periods.push({ fromMs, untilMs, job, expires });
  }
  return periods;
}

type Owing = Pick<Story['conditions'], 'patience' | 'pauseRecordedMs'>;

/** Due times of a period that must have a record, whatever happened. */
export function owedBy(
  period: RevisionPeriod,
  jobKey: string,
  untilMs: number,
  { patience: { changeMarginMs } = PATIENCE, pauseRecordedMs = Number.POSITIVE_INFINITY }: Owing = {},
): number[] {
  const { job } = period;
  const sinceMs = job.status === 'paused' ? job.pausedAtMs! : job.activeSinceMs;
  // a job that is replanned owes what its calendar has planned since the change of the calendar
  const begunMs = job.lastChange?.what === 'replanned' ? job.replannedAtMs! : period.fromMs;
  const recordedMs = job.status === 'paused' ? period.untilMs - pauseRecordedMs : 0;
  const fromMs =
    Math.max(begunMs, sinceMs, job.scheduleChangedAtMs, job.replannedAtMs ?? 0, recordedMs) + changeMarginMs;
  const lastMs = Math.min(period.untilMs - changeMarginMs, untilMs);
  const schedule = scheduleIn(job, jobKey);
  const owed: number[] = [];
  for (let at = schedule.next(fromMs); at !== undefined && at <= lastMs; at = schedule.next(at)) {
    if (isPlanned(job, jobKey, at)) owed.push(at);
  }
  return owed;
}

/**
 * Whether a restore may have cost an occurrence its record. Executions alone: it had one by then. Jobs alone:
 * its definition is gone, or came back and the auditor did not find it in time. A user has changed the job
 * before, or it was the last occurrence. The auditor finds that one in the history, after most runs end.
 */
function isForgotten(period: RevisionPeriod, { jobKey, dueAtMs }: JobDue, { restored }: Story): boolean {
  if (restored?.tables === 'executions')
    return recordOf(rowsOf(restored.before, jobKey), dueAtMs) !== undefined;
  if (restored?.tables !== 'jobs') return false;
  const { atMs } = restored;
  const auditedMs = atMs + AUDITED_WITHIN_MS;
  const nextMs = scheduleIn(period.job, jobKey).next(dueAtMs);
  const hasNext = nextMs !== undefined && isPlanned(period.job, jobKey, nextMs);
  const isFound = period.untilMs > auditedMs && hasNext;
  return period.untilMs === atMs || (period.fromMs === atMs && dueAtMs < auditedMs && !isFound);
}

/**
 * The row that covers an occurrence: the newest planned one at or before it, if its range reaches that far.
 */
export function recordOf(rows: readonly Execution[], dueAtMs: number): Execution | undefined {
  const before = rows.filter(
    (row) => !isManual(row.execId) && row.dueAtMs <= dueAtMs && (!row.insideRange || row.dueAtMs === dueAtMs),
  );
  const newest = before.reduce<Execution | undefined>(
    (last, row) => (last && last.dueAtMs > row.dueAtMs ? last : row),
    undefined,
  );
  return newest && Math.max(newest.dueAtMs, newest.skipped?.toMs ?? 0) >= dueAtMs ? newest : undefined;
}

/** Every planned occurrence is covered by one record, and every record ends. */
export function checkOccurrences(story: Story): Violation[] {
  const violations: Violation[] = [];
  const { patience = PATIENCE } = story.conditions;
  const waiting = new Map(
    [...waitingAtEnd(story).values()].map((one) => [`${one.jobKey} ${one.dueAtMs}`, one]),
  );
  for (const [jobKey, versions] of story.versions) {
    const rows = rowsOf(story, jobKey);
    const owed = new Set<number>();
    const periods = periodsOf(versions);
    for (const [index, period] of periods.entries()) {
      // The skipped range of a paused job is derived during the pause, and written at its end. If the job
      // expires before, then so has its history.
      const isOver = period.untilMs <= story.endMs && !period.expires;
      if (period.job.status === 'paused' && !isOver) continue;
      // A replan of a paused job begins where its calendar changed: the next period covers what comes later.
      const next = periods[index + 1]?.job;
      const isReplanned = period.job.status === 'paused' && next?.lastChange?.what === 'replanned';
      const untilMs = isReplanned ? next.replannedAtMs! : Number.POSITIVE_INFINITY;
      const lastMs = Math.min(untilMs, story.endMs - patience.settledMs);
      for (const dueAtMs of owedBy(period, jobKey, lastMs, story.conditions)) {
        if (isForgotten(period, { jobKey, dueAtMs }, story)) continue;
        if (!waitsBehindPaused(period.job, { jobKey, dueAtMs }, story)) owed.add(dueAtMs);
      }
    }
    for (const dueAtMs of owed) {
      // A ticket is the record of what waits for its first claim.
      const id = idOf({ jobKey, execId: execIdOfOccurrence(dueAtMs) });
      const hasTicket =
        waiting.has(`${jobKey} ${dueAtMs}`) || waitsForSlot(id, story) || waitsForOrderingKey(id, story);
      if (!hasTicket && !recordOf(rows, dueAtMs))
        violations.push(open('lost', `${jobKey} due ${clockTime(dueAtMs)} has no record`));
    }
    for (const row of rows) violations.push(...checkRow(row, versions, story));
    violations.push(...checkRecordedSkips(jobKey, story));
  }
  return violations;
}

/** When a user first asked to retry an execution. */
const retriedMs = (execution: Execution, story: Story): number =>
  Math.min(...askedFor(story, 'retryExecution', execution).map(({ fromMs }) => fromMs));

/** Executions as they were recorded first, by job, without those of tasks. */
const firstRowsIn = indexed((records: Story['records']) => {
  const firsts = new Map<string, Execution>();
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'execution') continue;
    const id = idOf(record.execution);
    if (!isTask(record.execution.execId) && !firsts.has(id)) firsts.set(id, record.execution);
  }
  return groupBy([...firsts.values()], ({ jobKey }) => jobKey);
});

/** An occurrence that a record covers as skipped is not called, unless a user retries its execution. */
function* checkRecordedSkips(jobKey: string, story: Story): Generator<Violation> {
  const rows: Execution[] = [];
  for (const execution of firstRowsIn(story.records).get(jobKey) ?? []) {
    const covering = isManual(execution.execId) ? undefined : recordOf(rows, execution.dueAtMs);
    const untilMs = retriedMs(execution, story);
    const called = callsOf(story, idOf(execution)).find((call) => call.t < untilMs);
    if (covering && called) {
      const what = `${idOf(execution)} called at ${clockTime(called.t)}`;
      yield broken(
        'one-execution',
        `${what}: ${covering.execId} says ${covering.reason} ×${covering.skipped?.count}`,
      );
    }
    rows.push(execution);
  }
}

/**
 * Whether a client has asked for a run, or has sent its event, or its upstream execution has ended. A child
 * has the run above it, of which `checkChildren` asks more. Only a request makes the row of a backfill, and
 * `checkMonitors` asks for the ping of another.
 */
function isRequested({ jobKey, cause, parent, backfill, trigger }: Execution, story: Story): boolean {
  const { states } = story;
  if (backfill || trigger === 'ping') return true;
  if (parent) return states.has(idOf(parent));
  if (cause?.type === 'after') {
    const upstream = jobKeyOf({ userId: jobRefOf(jobKey).userId, jobId: cause.jobId });
    const ends = states.get(idOf({ jobKey: upstream, execId: cause.execId })) ?? [];
    return ends.some(
      ({ execution: { status, userRetries } }) =>
        status === cause.status && userRetries === cause.userRetries,
    );
  }
  return cause
    ? requestsFor(story, 'sendEvent').some(({ execId }) => execId === cause.eventId)
    : askedFor(story, 'runJob', { jobKey }).length > 0;
}

/** Whether an execution has not ended or changed for long, and waits for nothing that may go on. */
function isStuck(row: Execution, job: Job | null | undefined, story: Story): boolean {
  const { endsWithinMs } = story.conditions.patience ?? PATIENCE;
  if (isTerminal(row.status) || Math.max(lastChangeMs(row, story), row.dueAtMs) >= story.endMs - endsWithinMs)
    return false;
  return !hasToWait(row, job, story);
}

const lastChangeMs = (row: Execution, { states }: Story): number =>
  states.get(idOf(row))?.at(-1)?.t ?? row.dueAtMs;

/**
 * A user has paused it, or what it waits for, and has not resumed that. Or it is offered to workers, or a
 * gate admits those before it still. Or it is a run, and waits for a child that is not stuck. Or a ping has
 * started it, and its time is not over.
 */
function hasToWait(row: Execution, job: Job | null | undefined, story: Story): boolean {
  if (isHeldUp(row, job, story)) return true;
  const id = idOf(row);
  if (row.delegatedTo?.byPing) return row.delegatedTo.endsAtMs > story.endMs - PATIENCE.endsWithinMs;
  if (row.status === 'running') {
    const children = openChildren(story.end.executions).get(id) ?? [];
    return children.some((child) => !isStuck(child, story.versions.get(child.jobKey)?.at(-1)?.job, story));
  }
  return waitingAtEnd(story).has(id) || waitsForSlot(id, story) || waitsForOrderingKey(id, story);
}

/** Children that have not ended, by the ids of the runs above them. */
const openChildren = indexed((executions: Story['end']['executions']) =>
  groupBy(
    executions.filter(({ parent, status }) => parent && !isTerminal(status)),
    ({ parent }) => idOf(parent!),
  ),
);

function* checkRow(row: Execution, versions: readonly JobVersion[], story: Story): Generator<Violation> {
  const { jobKey, execId } = row;
  if (isStuck(row, versions.at(-1)?.job, story)) {
    yield open(
      'unfinished',
      `${jobKey} ${execId} is ${row.status} since ${clockTime(lastChangeMs(row, story))}`,
    );
  }
  if (isManual(execId)) {
    if (!isRequested(row, story)) yield broken('ghost', `${jobKey} ${execId}: nothing asked for it`);
  } else if (
    !versions.some(({ job }) => job && isPlanned(job, jobKey, row.dueAtMs)) &&
    row.fence > 0 &&
    !row.userRetries
  ) {
    // An execution that was never claimed may belong to a create or change that lost its race and left an
    // entry. A user may have retried it.
    yield broken('ghost', `${jobKey} ${execId} ${row.status}: never planned`);
  }
}
