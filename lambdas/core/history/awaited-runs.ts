import { DAY_MS } from '../clock/clock';
import type { StageDeps } from '../deps';
import { execIdOfOccurrence, jobKeyOf } from '../contracts/tables';
import { scheduleOf } from '../domain/entry-planning';
import { type Execution, isOfOccurrence } from '../domain/execution';
import { isPausedAt, type Job } from '../domain/job';
import { plannedBetween } from '../domain/planned-times';
import { isTerminal } from '../domain/transitions';
import type { AwaitNeed, Window } from '../domain/workflow/await';
import { isExternal } from '../schedule/spec';
import { coveredThroughMs, newestRowThrough } from './coverage';

/** One due time in the window, and what has become of it. `open`: it has not ended, or has not begun. */
export interface AwaitedOccurrence {
  dueAtMs: number;
  state: 'succeeded' | 'open' | 'failed';
  /** The execution that says so. Absent: there is none yet. */
  execution?: Pick<Execution, 'execId' | 'status' | 'reason'>;
}

/** `nothing`: nothing of the job is planned or on record in the window. */
export interface Awaited {
  state: 'met' | 'open' | 'failed' | 'nothing' | 'too-many';
  /** Ascending. */
  occurrences: AwaitedOccurrence[];
}

interface Asked {
  job: Job;
  window: Window;
  need: AwaitNeed;
  /** The run that asks. It does not wait for itself. */
  run: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs'>;
}

/** Bounds what one question reads and plans. */
export const MOST_AWAITED = 1_000;
const PAGE_LIMIT = 100;
/** Events postpone a run by no more than this. */
const MOVED_BY_MS = DAY_MS;

/**
 * What has become of a job's executions in a window: by its rows, and by what its schedule plans after them.
 * So one that has not begun is open, and so is one that is retried. A job whose executions something else
 * starts plans nothing: what is on record counts, and until the window is over, something may yet come.
 */
export async function awaitedRuns(
  asked: Asked,
  deps: Pick<StageDeps, 'executions' | 'clock'>,
): Promise<Awaited> {
  const { job, window, need } = asked;
  const hasPlan = !isExternal(job.schedule);
  const rows = await rowsIn(asked, hasPlan, deps);
  const planned = rows && plannedIn(asked, hasPlan);
  if (!rows || !planned) return { state: 'too-many', occurrences: [] };
  const byDue = new Map<number, AwaitedOccurrence>();
  for (const row of rows) addRow(byDue, row, window);
  const ranges = rows.filter(({ skipped }) => skipped !== undefined);
  for (const dueAtMs of planned) {
    const isSkipped = ranges.some((row) => row.dueAtMs <= dueAtMs && dueAtMs <= coveredThroughMs(row));
    if (!byDue.has(dueAtMs) && !isSkipped) byDue.set(dueAtMs, { dueAtMs, state: 'open' });
  }
  const occurrences = [...byDue.values()].sort((one, other) => one.dueAtMs - other.dueAtMs);
  const mayCome = !hasPlan && deps.clock.nowMs() < window.toMs;
  return { state: stateOf(occurrences, need, mayCome), occurrences };
}

function stateOf(
  occurrences: readonly AwaitedOccurrence[],
  need: AwaitNeed,
  mayCome: boolean,
): Awaited['state'] {
  const last = occurrences.at(-1);
  if (!last) return mayCome ? 'open' : 'nothing';
  const states = need === 'last' ? [last.state] : occurrences.map(({ state }) => state);
  if (need === 'any' && states.includes('succeeded')) return 'met';
  if (need !== 'any' && states.includes('failed')) return 'failed';
  if (states.includes('open') || (need === 'any' && mayCome)) return 'open';
  return states.includes('failed') ? 'failed' : 'met';
}

/** A due time may have several executions: one that succeeded counts, then one that has not ended. */
function addRow(byDue: Map<number, AwaitedOccurrence>, row: Execution, { fromMs }: Window): void {
  const { execId, status, reason } = row;
  const dueAtMs = Math.max(row.dueAtMs, fromMs); // of a skipped range that began before
  const ended = status === 'succeeded' ? 'succeeded' : 'failed';
  const state = isTerminal(status) ? ended : 'open';
  const before = byDue.get(dueAtMs)?.state;
  if (before === 'succeeded' || (before === 'open' && state === 'failed')) return;
  byDue.set(dueAtMs, { dueAtMs, state, execution: { execId, status, ...(reason && { reason }) } });
}

/** The rows that count in the window; undefined: there are too many. */
async function rowsIn(
  { job, window, run }: Asked,
  hasPlan: boolean,
  deps: Pick<StageDeps, 'executions'>,
): Promise<Execution[] | undefined> {
  const jobKey = jobKeyOf(job);
  const { fromMs, toMs } = window;
  const within = await rowsOf(jobKey, 'asc', window, deps);
  if (!within.isWhole) return undefined;
  const counts = (row: Execution): boolean =>
    row.dueAtMs < toMs && (hasPlan ? isOfOccurrence(row) : row.dueAtMs >= fromMs) && !isSame(row, run);
  const beside = await (hasPlan ? rangeInto : movedInto)(jobKey, window, deps);
  return [...beside, ...within.rows].filter(counts);
}

/** A skipped range that began before the window, and extends into it. */
async function rangeInto(
  jobKey: string,
  { fromMs }: Window,
  deps: Pick<StageDeps, 'executions'>,
): Promise<Execution[]> {
  const before = await newestRowThrough(jobKey, fromMs - 1, deps);
  return before && coveredThroughMs(before) >= fromMs ? [before] : [];
}

/**
 * Rows around the window: an event or a user may have moved a run into it, which keeps its id. The nearest
 * come first. Beyond the bound, they are left out, since most of them do not count.
 */
async function movedInto(
  jobKey: string,
  { fromMs, toMs }: Window,
  deps: Pick<StageDeps, 'executions'>,
): Promise<Execution[]> {
  const before = await rowsOf(jobKey, 'desc', { fromMs: fromMs - MOVED_BY_MS, toMs: fromMs }, deps);
  const after = await rowsOf(jobKey, 'asc', { fromMs: toMs, toMs: toMs + MOVED_BY_MS }, deps);
  return [...before.rows, ...after.rows];
}

/** The rows whose ids lie in a window. Not whole: the first ones of them. */
async function rowsOf(
  jobKey: string,
  order: 'asc' | 'desc',
  { fromMs, toMs }: Window,
  deps: Pick<StageDeps, 'executions'>,
): Promise<{ rows: Execution[]; isWhole: boolean }> {
  const range = { order, fromExecId: execIdOfOccurrence(fromMs), toExecId: execIdOfOccurrence(toMs) };
  const rows: Execution[] = [];
  let after: string | undefined;
  do {
    const page = await deps.executions.list(jobKey, { ...range, after, limit: PAGE_LIMIT });
    rows.push(...page.executions);
    after = page.nextAfter;
  } while (after !== undefined && rows.length < MOST_AWAITED);
  return { rows, isWhole: after === undefined };
}

const isSame = (row: Execution, run: Asked['run']): boolean =>
  row.jobKey === run.jobKey && row.execId === run.execId;

/** Due times of the window that the job plans as it is now; undefined: there are too many. */
function plannedIn({ job, window, run }: Asked, hasPlan: boolean): number[] | undefined {
  if (!hasPlan || isPausedAt(job, window.toMs - 1)) return [];
  const schedule = scheduleOf(job);
  const own = jobKeyOf(job) === run.jobKey ? run.dueAtMs : undefined;
  const times: number[] = [];
  // What was due before the job was activated, or got its schedule, was never planned.
  const sinceMs = Math.max(window.fromMs - 1, job.activeSinceMs, job.scheduleChangedAtMs);
  for (const at of plannedBetween(job, schedule, sinceMs, window.toMs - 1)) {
    if (at !== own && !isPausedAt(job, at)) times.push(at);
    if (times.length > MOST_AWAITED) return undefined;
  }
  return times;
}
