import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import { scheduleOf } from '../domain/entry-planning';
import { type Execution, isPlanned, NEVER_CLAIMED } from '../domain/execution';
import type { Job } from '../domain/job';
import { nextPlanned } from '../domain/planned-times';
import { startWithinMsNow } from '../domain/work';
import type { WorkTicket } from '../store/work-store';
import { endExecution } from './end-execution';
import type { EndedBy } from '../domain/ended';
import { keepRangeWhole, recordSkippedOccurrence } from './skip-ranges';

/** How many stops are read: the newest. */
const STOPS_READ = 20;

/**
 * The instant through which an offered execution may start: `startWithin` after its offer, as its job says
 * now. Time in maintenance mode does not count. The stops are read only if the time is up without them.
 *
 * @param job of a task, the task as a job
 */
export async function startLimitMs(
  { offeredAtMs, message }: Pick<WorkTicket, 'offeredAtMs' | 'message'>,
  job: Job | undefined,
  { clock, schedule }: Pick<StageDeps, 'clock' | 'schedule'>,
): Promise<number> {
  const withinMs = startWithinMsNow(message, job) ?? Number.POSITIVE_INFINITY;
  return limitWithoutStops({ fromMs: offeredAtMs, withinMs }, { clock, schedule });
}

/**
 * The end of a time that began at `fromMs` and does not run in maintenance mode. The stops are read only if
 * it is over without them.
 */
export async function limitWithoutStops(
  { fromMs, withinMs }: { fromMs: number; withinMs: number },
  { clock, schedule }: Pick<StageDeps, 'clock' | 'schedule'>,
): Promise<number> {
  const limitMs = fromMs + withinMs;
  const nowMs = clock.nowMs();
  if (nowMs <= limitMs) return limitMs;
  const stops = await schedule.listStops(STOPS_READ);
  return stops.reduce((sum, { sinceMs, startedAtMs = nowMs }) => {
    return sum + Math.max(0, Math.min(startedAtMs, nowMs) - Math.max(sinceMs, fromMs));
  }, limitMs);
}

/** An execution whose time to start is up. */
export interface NotStarted {
  ticket: Pick<WorkTicket, 'message' | 'offeredAtMs'>;
  /** Undefined: it was never claimed. */
  row: Execution | undefined;
  /** Undefined: it is deleted. */
  job: Job | undefined;
  by: EndedBy;
}

/**
 * Ends an execution for which no worker came in time. An occurrence after which a later one is due was
 * missed, and is skipped. Any other execution has failed.
 */
export async function endNotStarted({ ticket, row, job, by }: NotStarted, deps: StageDeps): Promise<void> {
  const { message, offeredAtMs } = ticket;
  const { jobKey, dueAtMs, orderingKey, concurrencyKey, revision } = message;
  const nowMs = deps.clock.nowMs();
  const isFirst = message.attempt === 1 && message.userRetries === undefined;
  const isMissed = isFirst && isPlanned(message.trigger) && isLaterDue(job, dueAtMs, nowMs);
  const detail = { queue: message.workQueue, offeredAtMs };
  if (isMissed && !row) {
    const policy = job?.misfire.policy;
    const known = { ...detail, foundAtMs: nowMs, ...(policy && { policy }) };
    await recordSkippedOccurrence(
      { jobKey, dueAtMs, orderingKey, concurrencyKey, revision, detail: known },
      'misfire',
      by,
      deps,
    );
    deps.meter.count(Metric.skipped);
    return;
  }
  const execution = row ?? unclaimed(message);
  const precondition = { kind: row ? 'waiting' : 'unclaimed' } as const;
  const end = isMissed
    ? ({ status: 'skipped', reason: 'misfire', detail } as const)
    : ({ status: 'failed', reason: 'not-started', detail, error: whyNot(message.workQueue) } as const);
  const ended = await endExecution({ execution, end, precondition, job, by }, deps);
  if (ended && !row && isPlanned(message.trigger)) await keepRangeWhole(ended, deps);
}

/** An execution without a row, as its message names it. */
const unclaimed = ({ jobKey, execId, ...message }: WorkTicket['message']): Execution => ({
  jobKey,
  execId,
  trigger: message.trigger,
  dueAtMs: message.dueAtMs,
  status: 'queued',
  ...NEVER_CLAIMED,
  orderingKey: message.orderingKey,
  concurrencyKey: message.concurrencyKey,
  revision: message.revision || undefined,
  ...(message.runEndsAtMs !== undefined && { runEndsAtMs: message.runEndsAtMs }),
});

const whyNot = (queue: string): string => `no worker of the queue ${queue} claimed it in time`;

function isLaterDue(job: Job | undefined, dueAtMs: number, nowMs: number): boolean {
  if (!job) return false;
  const nextMs = nextPlanned(job, scheduleOf(job), dueAtMs);
  return nextMs !== undefined && nextMs <= nowMs;
}
