import { DAY_MS } from '../../core/clock/clock';
import {
  changeSortOf,
  execIdOfOccurrence,
  jobKeyOf,
  type JobRef,
  jobRefOf,
} from '../../core/contracts/tables';
import { ageSinceMs, type Execution, isDate } from '../../core/domain/execution';
import type { Change, Facts, QueueFacts, Stop } from '../../core/domain/explain/facts';
import { concurrencyKeyOf, type Job } from '../../core/domain/job';
import type { JobState } from '../../core/domain/job-state';
import { decidedAfterMs, monitorTargetOf } from '../../core/domain/entry-planning';
import { workerTargetOf } from '../../core/domain/work';
import { freeStarts } from '../../core/domain/start-log';
import { isTerminal } from '../../core/domain/transitions';
import { isSameExecution } from '../../core/gates/ordering-queue';
import { ruleOf } from '../../core/gates/slots';
import { covers, newestRowThrough } from '../../core/history/coverage';
import { calendarsThen } from '../../core/history/job-then';
import type { ExecutionRef } from '../../core/store/execution-store';
import { changesOf, type JobChange, withPresent } from '../changes/find-change';
import { isRetained } from '../executions/execution-view';
import { SEEN_FOR_MS } from '../work/claim-work';
import { endOfInstant } from '../jobs/derived-job-status';
import type { ApiDeps } from '../request';

const STATES_A_READ = 50;
/** Bounds the reads for a job that changes all the time. What lies before counts as not kept. */
const MAX_STATES = 1_000;
/** The record of stops keeps as many as it is asked for here. */
const MAX_STOPS = 50;

/** Workers of a queue that are looked through for the one that asked last. */
const MAX_WORKERS = 100;

/** Rows of one date that are read: its occurrence, and manual runs and backfills of the same instant. */
const MAX_OF_A_DATE = 50;

/** What one job has on record, whatever instant is asked about. */
export type JobFacts = Pick<Facts, 'jobKey' | 'changes' | 'hasOlderChanges' | 'exists'> & { job?: Job };

/** Reads the changes of all jobs that have had the id, back to the one that was current at `atMs`. */
export async function gatherJob(ref: JobRef, atMs: number, deps: ApiDeps): Promise<JobFacts> {
  const jobKey = jobKeyOf(ref);
  const states: JobState[] = [];
  let before: string | undefined;
  const [job, first] = await Promise.all([
    deps.jobs.get(ref),
    deps.changes.list(jobKey, { limit: STATES_A_READ }),
  ]);
  let page = first;
  for (;;) {
    states.push(...page.states);
    before = page.nextBefore;
    const oldest = states.at(-1);
    if (before === undefined || (oldest && oldest.atMs < atMs) || states.length >= MAX_STATES) break;
    page = await deps.changes.list(jobKey, { before, limit: STATES_A_READ });
  }
  const all = withPresent(states, job).toSorted((a, b) => (changeSortOf(a) < changeSortOf(b) ? 1 : -1));
  return {
    jobKey,
    changes: (await Promise.all(changesOf(all, job).map((one) => changeIn(one, ref, deps)))).reverse(),
    hasOlderChanges: before !== undefined,
    exists: job !== undefined,
    ...(job && { job }),
    ...(job?.calendars && { calendars: job.calendars }),
  };
}

async function changeIn({ what, number, state }: JobChange, ref: JobRef, deps: ApiDeps): Promise<Change> {
  const { createdAtMs, status, definition, generation, scheduleChangedAtMs } = state;
  const { atMs, by, note } = what === 'deleted' ? state.removed! : state;
  const made = { number, what, atMs, by, note, createdAtMs };
  if (what === 'deleted') return made;
  const calendars = state.calendars && (await calendarsThen(state.calendars, ref, deps));
  const then = { status, definition, generation, scheduleChangedAtMs };
  return {
    ...made,
    ...then,
    ...(state.resumeAtMs !== undefined && { pausedUntilMs: state.resumeAtMs }),
    ...(calendars && { calendars }),
  };
}

/** Reads what is on record about one occurrence. */
export async function gatherFacts({ job, ...ofJob }: JobFacts, atMs: number, deps: ApiDeps): Promise<Facts> {
  const nowMs = deps.clock.nowMs();
  const [newest, stops, backfilled] = await Promise.all([
    newestRowThrough(ofJob.jobKey, atMs, deps),
    deps.schedule.listStops(MAX_STOPS),
    readBackfilled(ofJob.jobKey, atMs, deps),
  ]);
  const row = covers(newest, atMs) && isRetained(newest!, nowMs) ? newest : undefined;
  const mayWait = atMs <= nowMs && (row === undefined || !isTerminal(row.status));
  const work = atMs <= nowMs ? await gatherQueue(ofJob.jobKey, atMs, row, job, deps) : undefined;
  const waits = mayWait ? await gatherWaits(ofJob.jobKey, atMs, row, job, deps) : { hasTicket: false };
  return {
    ...ofJob,
    ...waits,
    ...(work && { work }),
    ...(job && monitorTargetOf(job) && { pingsWithinMs: decidedAfterMs(job) }),
    atMs,
    nowMs,
    retainedFromMs: nowMs - deps.retentionDays * DAY_MS,
    ...(row && { row }),
    ...(backfilled.length > 0 && { backfilled }),
    stops: stops.map(({ sinceMs, startedAtMs }, index): Stop => {
      const endMs = startedAtMs ?? stops[index - 1]?.sinceMs; // the end of an older one was not recorded
      return { sinceMs, ...(endMs !== undefined && { startedAtMs: endMs }) };
    }),
    hasOlderStops: stops.length === MAX_STOPS,
  };
}

/** The executions that backfills have started for a date. Their ids begin with it. */
async function readBackfilled(jobKey: string, atMs: number, deps: ApiDeps): Promise<Execution[]> {
  const { executions } = await deps.executions.list(jobKey, {
    order: 'asc',
    fromExecId: execIdOfOccurrence(atMs),
    toExecId: endOfInstant(atMs),
    limit: MAX_OF_A_DATE,
  });
  const nowMs = deps.clock.nowMs();
  return executions
    .filter((row) => isDate(row) && isRetained(row, nowMs))
    .toSorted((a, b) => ageSinceMs(a) - ageSinceMs(b));
}

/** What its work queue tells of an occurrence that no worker has begun. */
async function gatherQueue(
  jobKey: string,
  dueAtMs: number,
  row: Execution | undefined,
  job: Job | undefined,
  { work, clock }: ApiDeps,
): Promise<QueueFacts | undefined> {
  const target = job && workerTargetOf(job);
  if (!target || (row && row.attempts.length > 0)) return undefined;
  const { queue } = target;
  const { attempt = 1, userRetries, execId = execIdOfOccurrence(dueAtMs) } = row ?? {};
  const priority = row?.lane?.priority ?? row?.priority ?? job.priority;
  const key = { jobKey, execId, dueAtMs, attempt: Math.max(1, attempt), userRetries, priority };
  const sinceMs = clock.nowMs() - SEEN_FOR_MS;
  const [ticket, workers] = await Promise.all([
    work.find({ ...key, workQueue: queue }),
    work.workersSince({ userId: jobRefOf(jobKey).userId, queue }, sinceMs, MAX_WORKERS),
  ]);
  const lastWorker = workers.toSorted((a, b) => b.seenAtMs - a.seenAtMs)[0];
  return {
    queue,
    ...(ticket && { offeredAtMs: ticket.offeredAtMs }),
    ...(lastWorker && { lastWorker }),
  };
}

/** Which execution holds what this one waits for. */
async function gatherWaits(
  jobKey: string,
  atMs: number,
  row: Execution | undefined,
  job: Job | undefined,
  deps: ApiDeps,
): Promise<Pick<Facts, 'lockHeldBy' | 'keyHeldBy' | 'hasTicket' | 'slotOf' | 'usedUpRate'>> {
  const own = { jobKey, execId: execIdOfOccurrence(atMs) };
  // A row has its ordering key from the start, and its concurrency key from its claim on.
  const orderingKey = row ? row.orderingKey : (job?.orderingKey ?? undefined);
  const concurrencyKey = row?.concurrencyKey ?? (job && concurrencyKeyOf(job, row));
  const [lockHeldBy, key, slot] = await Promise.all([
    job && job.overlap !== 'allow' ? lockHolder(own, deps) : undefined,
    orderingKey === undefined ? undefined : keyHolder(own, orderingKey, deps),
    concurrencyKey === undefined ? undefined : slotWait(own, concurrencyKey, row, deps),
  ]);
  return {
    hasTicket: false,
    ...key,
    ...(lockHeldBy && { lockHeldBy: aheadOf(lockHeldBy) }),
    ...slot,
  };
}

/**
 * Whether an execution waits for its concurrency key: it has a ticket. Or it holds a slot, has not started,
 * and the rate allows no start now.
 */
async function slotWait(
  own: ExecutionRef,
  concurrencyKey: string,
  row: Execution | undefined,
  deps: ApiDeps,
): Promise<Pick<Facts, 'slotOf' | 'usedUpRate'>> {
  const { concurrency, clock } = deps;
  const ref = { userId: jobRefOf(own.jobKey).userId, concurrencyKey };
  const [hasTicket, { rate }, { holders, startLog }] = await Promise.all([
    concurrency.hasTicket({ ...own, concurrencyKey }),
    ruleOf(ref, deps),
    concurrency.peek(ref, 1),
  ]);
  const usedUpRate = rate && freeStarts(startLog, rate, clock.nowMs()) <= 0 ? rate : undefined;
  const hasStarted = row?.status === 'running' || row?.concurrencyKey !== undefined;
  const waitsInSlot = usedUpRate && !hasStarted && holders.some((one) => isSameExecution(one, own));
  return hasTicket || waitsInSlot ? { slotOf: concurrencyKey, ...(usedUpRate && { usedUpRate }) } : {};
}

const aheadOf = ({ jobKey, execId }: ExecutionRef) => ({ jobId: jobRefOf(jobKey).jobId, execId });

async function lockHolder(own: ExecutionRef, deps: ApiDeps): Promise<ExecutionRef | undefined> {
  const { holder, waiter } = await deps.overlapLocks.get(own.jobKey);
  if (waiter !== own.execId || holder === undefined || holder === own.execId) return undefined;
  const ref = { jobKey: own.jobKey, execId: holder };
  return (await hasEnded(ref, deps)) ? undefined : ref;
}

async function keyHolder(
  own: ExecutionRef,
  orderingKey: string,
  deps: ApiDeps,
): Promise<Pick<Facts, 'keyHeldBy' | 'hasTicket'>> {
  const { userId } = jobRefOf(own.jobKey);
  const [{ holder, tickets }, hasTicket] = await Promise.all([
    deps.ordering.peek({ userId, orderingKey }, 1),
    deps.ordering.hasTicket({ ...own, orderingKey }),
  ]);
  const isOther = (one: ExecutionRef | undefined) =>
    one !== undefined && (one.jobKey !== own.jobKey || one.execId !== own.execId);
  if (!hasTicket) return { hasTicket };
  const isAhead = isOther(holder) && !(await hasEnded(holder!, deps));
  const ahead = isAhead ? holder : tickets[0];
  return { hasTicket, ...(ahead && isOther(ahead) && { keyHeldBy: aheadOf(ahead) }) };
}

/** A failed execution that blocks its ordering key still holds it. */
async function hasEnded(ref: ExecutionRef, { executions }: ApiDeps): Promise<boolean> {
  const row = await executions.get(ref);
  return row !== undefined && isTerminal(row.status) && !row.blocksKey;
}
