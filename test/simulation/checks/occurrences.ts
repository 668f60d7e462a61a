import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import type { Patience } from '../log';
import { idOf, isManual, isPlanned, type JobVersion, scheduleIn, type Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';

const MINUTE_MS = 60_000;
const PATIENCE: Patience = {
  settledMs: 3 * MINUTE_MS,
  /** Attempts take five minutes at most, waits two. */
  endsWithinMs: 10 * MINUTE_MS,
  /** Ten seconds for the write, five for the clocks. */
  changeMarginMs: 16_000,
};
const CAUGHT_UP_WITHIN_MS = 30 * MINUTE_MS;

/** A stretch of time for which one revision of a job stood. */
interface Reign {
  fromMs: number;
  untilMs: number;
  job: Job;
}

/** Versions of one revision are one reign: other fields may change meanwhile. */
export function reignsOf(versions: readonly JobVersion[]): Reign[] {
  const reigns: Reign[] = [];
  for (const { fromMs, untilMs, job } of versions) {
    const last = reigns.at(-1);
    if (job && last?.job.revision === job.revision && last.untilMs === fromMs) last.untilMs = untilMs;
    else if (job) reigns.push({ fromMs, untilMs, job });
  }
  return reigns;
}

/** Due times that a reign owes an account of, whatever happened. */
export function owedBy(
  reign: Reign,
  jobKey: string,
  untilMs: number,
  { changeMarginMs } = PATIENCE,
): number[] {
  const { job } = reign;
  const sinceMs = job.status === 'paused' ? job.pausedAtMs! : job.activeSinceMs;
  const fromMs = Math.max(reign.fromMs, sinceMs, job.scheduleChangedAtMs) + changeMarginMs;
  const lastMs = Math.min(reign.untilMs - changeMarginMs, untilMs);
  const schedule = scheduleIn(job, jobKey);
  const owed: number[] = [];
  for (let at = schedule.next(fromMs); at !== undefined && at <= lastMs; at = schedule.next(at)) {
    if (isPlanned(job, jobKey, at)) owed.push(at);
  }
  return owed;
}

/**
 * A change may come before the scanner, where that is behind by more than its horizon: what it had not planned by then
 * is no longer planned, for the schedule that would tell is gone.
 */
const wasPlanned = ({ job, untilMs }: Reign, dueAtMs: number, story: Story): boolean =>
  job.status === 'paused' ||
  untilMs > dueAtMs + CAUGHT_UP_WITHIN_MS ||
  (story.entries.get(job.revision) ?? []).some(
    (entry) => entry.dueAtMs <= dueAtMs && dueAtMs <= entry.throughMs,
  );

export const rowsOf = (story: Story, jobKey: string): Execution[] =>
  story.end.executions.filter((row) => row.jobKey === jobKey);

/** The row that stands for an occurrence: the newest of a planned one at or before it, where that reaches it. */
export function recordOf(rows: readonly Execution[], dueAtMs: number): Execution | undefined {
  const before = rows.filter((row) => !isManual(row.execId) && row.dueAtMs <= dueAtMs);
  const newest = before.reduce<Execution | undefined>(
    (last, row) => (last && last.dueAtMs > row.dueAtMs ? last : row),
    undefined,
  );
  return newest && Math.max(newest.dueAtMs, newest.skipped?.toMs ?? 0) >= dueAtMs ? newest : undefined;
}

/** Every planned occurrence is accounted for, by one record; every record ends. */
export function checkOccurrences(story: Story): Violation[] {
  const violations: Violation[] = [];
  const { patience = PATIENCE } = story.conditions;
  for (const [jobKey, versions] of story.versions) {
    const rows = rowsOf(story, jobKey);
    const owed = new Set<number>();
    for (const reign of reignsOf(versions)) {
      // What a paused job leaves out is derived while the pause lasts, and written when it ends.
      if (reign.job.status === 'paused' && reign.untilMs > story.endMs) continue;
      for (const dueAtMs of owedBy(reign, jobKey, story.endMs - patience.settledMs, patience)) {
        if (wasPlanned(reign, dueAtMs, story)) owed.add(dueAtMs);
      }
    }
    for (const dueAtMs of owed) {
      if (!recordOf(rows, dueAtMs))
        violations.push(open('lost', `${jobKey} due ${clockTime(dueAtMs)} has no record`));
    }
    for (const row of rows) violations.push(...checkRow(row, versions, story));
    violations.push(...checkToldSkipped(jobKey, story));
  }
  return violations;
}

/** What a record has said to be skipped is never called: a stretch of skipped ones and a run are not both true. */
function* checkToldSkipped(jobKey: string, story: Story): Generator<Violation> {
  const rows: Execution[] = [];
  for (const record of story.records) {
    if (record.src !== 'table' || record.type !== 'execution' || record.execution.jobKey !== jobKey) continue;
    const { execution } = record;
    if (rows.some(({ execId }) => execId === execution.execId)) continue;
    const said = isManual(execution.execId) ? undefined : recordOf(rows, execution.dueAtMs);
    const called = story.calls.find((call) => idOf(call) === idOf(execution));
    if (said && called) {
      const what = `${idOf(execution)} called at ${clockTime(called.t)}`;
      yield broken('one-execution', `${what}: ${said.execId} says ${said.reason} ×${said.skipped?.count}`);
    }
    rows.push(execution);
  }
}

function* checkRow(row: Execution, versions: readonly JobVersion[], story: Story): Generator<Violation> {
  const { jobKey, execId } = row;
  const { endsWithinMs } = story.conditions.patience ?? PATIENCE;
  const lastMs = story.states.get(`${jobKey}#${execId}`)?.at(-1)?.t ?? row.dueAtMs;
  if (!isTerminal(row.status) && Math.max(lastMs, row.dueAtMs) < story.endMs - endsWithinMs) {
    yield open('unfinished', `${jobKey} ${execId} is ${row.status} since ${clockTime(lastMs)}`);
  }
  if (isManual(execId)) {
    const asked = story.requests.some(
      (request) => request.operation === 'runJob' && request.jobKey === jobKey,
    );
    if (!asked) yield broken('ghost', `${jobKey} ${execId}: nobody asked for it`);
  } else if (
    !versions.some(({ job }) => job && isPlanned(job, jobKey, row.dueAtMs)) &&
    row.fence > 0 &&
    !row.userRetried
  ) {
    // One that was never claimed may be the due time of a create or change that lost its race: it has left an entry,
    // and its user may have asked for it all the same.
    yield broken('ghost', `${jobKey} ${execId} ${row.status}: never planned`);
  }
}
