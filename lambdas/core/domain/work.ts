import { DAY_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';
import type { ExecutionMessage, WorkMessage } from '../contracts/messages';
import { parseDuration } from '../schedule/duration';
import { scheduleOf } from './entry-planning';
import { type Execution, isPlanned } from './execution';
import type { SendLane } from './send-lane';
import { type Job, targetsOf } from './job';
import { type PlannedSearch, plannedSearch } from './planned-times';
import type { Target, WorkerTarget } from './target';
import { CLOCK_SKEW_MS } from './timing';

/** Name of a project's work queue. It needs no making: the jobs that name it, and their workers, do. */
export const WORK_QUEUE = /^[A-Za-z0-9._-]{1,64}$/;

/** Executions that one claim hands out, at most. */
export const MAX_CLAIMED = 10;
/** How long an execution waits for a worker, unless its job says so or a later occurrence comes first. */
const DEFAULT_START_WITHIN_MS = DAY_MS;
const LEAST_START_WITHIN_MS = SECOND_MS;
/** A claim that is repeated with its `Idempotency-Key` gets the same work for this long. */
export const CLAIM_REPEATABLE_MS = 5 * MINUTE_MS;
/** A ticket stays this long after the last instant at which its work may start. */
export const TICKET_KEPT_MS = DAY_MS;

/** Releases in a row after which an execution has failed. */
export const MAX_RELEASES = 20;
const FREE_RELEASES = 2;
const FIRST_RELEASE_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_RELEASE_PAUSE_MS = 10 * MINUTE_MS;

/** How long a released execution is kept back: from the third release in a row, twice as long each time. */
export const releasePauseMs = (releases: number): number =>
  releases <= FREE_RELEASES
    ? 0
    : Math.min(LONGEST_RELEASE_PAUSE_MS, FIRST_RELEASE_PAUSE_MS * 2 ** (releases - FREE_RELEASES - 1));

/** Why a deployment rejects a `startWithin`: nothing nearly as old as its retention is claimed. */
export function faultOfStartWithin(
  { startWithin }: Pick<WorkerTarget, 'startWithin'> = {},
  retentionDays: number,
): string | undefined {
  const most = Math.max(1, retentionDays - 2);
  if (startWithin === undefined || parseDuration(startWithin) <= most * DAY_MS) return undefined;
  return `${JSON.stringify(startWithin)} is out of range: must be from 1s to ${most}d, because executions are kept for ${retentionDays} days`;
}

/** What the window of an execution depends on. */
export type JobOfWork = Pick<
  Job,
  'userId' | 'jobId' | 'target' | 'targets' | 'schedule' | 'scheduleChangedAtMs' | 'calendars' | 'runsBase'
>;

/** What the window of an execution depends on, or what has no target of its own. */
export type MaybeJobOfWork = JobOfWork | { target?: undefined; targets?: undefined };

/** The target of a job whose work workers ask for; undefined: its targets are called. */
export const workerTargetOf = (job: Pick<Job, 'target' | 'targets'>): WorkerTarget | undefined =>
  !job.targets && job.target?.type === 'worker' ? job.target : undefined;

/** What a row says while it waits for a worker; nothing for all other jobs. */
export function waitingDetailOf(job: Pick<Job, 'target' | 'targets'>): Pick<Execution, 'detail'> {
  const target = workerTargetOf(job);
  return target ? { detail: { queue: target.queue } } : {};
}

/** Names of the work queues of targets, each once. */
export const queuesOf = (targets: readonly Target[]): string[] => [
  ...new Set(targets.flatMap((target) => (target.type === 'worker' ? [target.queue] : []))),
];

/** Names of the work queues of a job, or of its workflow's tasks. */
export const queuesOfJob = (job: Pick<Job, 'target' | 'targets' | 'workflow'>): readonly string[] => [
  ...new Set([...(job.workflow?.queues ?? []), ...queuesOf(targetsOf(job))]),
];

/** What of a message, or of a lane, says that workers are to claim an execution. */
export type WorkFields = Partial<Pick<SendLane, 'workQueue' | 'startWithinMs'>>;

/** What a message has of it, or the row of a task. */
export const workFieldsIn = ({ workQueue, startWithinMs }: WorkFields = {}): WorkFields =>
  workQueue === undefined || startWithinMs === undefined ? {} : { workQueue, startWithinMs };

type Offered = Pick<ExecutionMessage, 'trigger' | 'attempt' | 'startAtMs' | 'userRetries'>;

/** What a message has if workers are to claim its execution; nothing for all other jobs. */
export function workFieldsOf(job: MaybeJobOfWork, offered: Offered, nextAfter?: PlannedSearch): WorkFields {
  const target = workerTargetOf(job);
  if (!target || !job.target) return {};
  const startWithinMs = startWithinMsOf(target, job, offered, nextAfter);
  return { workQueue: target.queue, startWithinMs };
}

/** What the messages of a task for workers have. Its row keeps it. */
export function workFieldsOfTask(task: Pick<Job, 'target' | 'targets'>): WorkFields {
  const target = workerTargetOf(task);
  if (!target) return {};
  const { queue: workQueue, startWithin } = target;
  return {
    workQueue,
    startWithinMs: startWithin === undefined ? DEFAULT_START_WITHIN_MS : parseDuration(startWithin),
  };
}

/**
 * How long offered work may wait, as its job says now: its message may be from before a change. Undefined:
 * the job names another queue, or is gone. A claim then finds out what becomes of the work.
 */
export const startWithinMsNow = (message: WorkMessage, job: MaybeJobOfWork | undefined): number | undefined =>
  job && workerTargetOf(job)?.queue === message.workQueue
    ? workFieldsOf(job, message).startWithinMs
    : undefined;

/**
 * How long an execution may wait for a worker. By default, an occurrence that was not begun waits until the
 * next one of its job is due, at most a day. Anything else waits a day.
 */
function startWithinMsOf(
  { startWithin }: WorkerTarget,
  job: JobOfWork,
  { trigger, attempt, startAtMs, userRetries }: Offered,
  nextAfter: PlannedSearch = plannedSearch(job, () => scheduleOf(job)),
): number {
  if (startWithin !== undefined) return parseDuration(startWithin);
  if (attempt > 1 || userRetries !== undefined || !isPlanned(trigger)) return DEFAULT_START_WITHIN_MS;
  const afterMs = Math.max(startAtMs, job.scheduleChangedAtMs);
  const nextMs = nextAfter(afterMs, afterMs + DEFAULT_START_WITHIN_MS);
  if (nextMs === undefined) return DEFAULT_START_WITHIN_MS;
  return Math.min(DEFAULT_START_WITHIN_MS, Math.max(LEAST_START_WITHIN_MS, nextMs - startAtMs));
}

/** Whether a message may still claim, by the execution's row: it is new, or waits for this very attempt. */
export function awaitsClaim(
  {
    attempt,
    trigger,
    userRetries,
    timesMoved,
  }: Pick<ExecutionMessage, 'attempt' | 'trigger' | 'userRetries' | 'timesMoved'>,
  row: Execution | undefined,
): boolean {
  if (!row) return attempt === 1 && userRetries === undefined && (isPlanned(trigger) || trigger === 'task');
  const isWaiting = row.status === 'queued' || row.status === 'retrying';
  const isSame = row.userRetries === userRetries && row.timesMoved === timesMoved;
  return isWaiting && row.attempt === attempt && isSame;
}

/**
 * A delayed run is asked for now, and due later. It uses its job as that is then. Until its first attempt it
 * can be moved, and a pause of its job holds it.
 */
type Waiting = Pick<
  Execution,
  'status' | 'attempts' | 'userRetries' | 'delayedOf' | 'timesMoved' | 'startAtMs'
>;

/** Whether no attempt has called for it yet, and none is about to. */
export const isUnstarted = ({
  status,
  attempts,
  userRetries,
}: Pick<Execution, 'status' | 'attempts' | 'userRetries'>): boolean =>
  (status === 'queued' || status === 'retrying') && attempts.length === 0 && userRetries === undefined;

/**
 * Whether it has left the gates at which it waited: it was moved to a later time, or is held. What its
 * tickets and places say does not count. It passes the gates anew at its time.
 */
export const isPutOff = (row: Waiting, nowMs: number): boolean =>
  (row.delayedOf ?? row.timesMoved) !== undefined &&
  isUnstarted(row) &&
  (row.startAtMs ?? 0) > nowMs + CLOCK_SKEW_MS;

/**
 * Which life of an execution it is, from its second one on. A user retry begins another one, and so does each
 * move. What it took at a gate in an earlier life does not count.
 */
export const lifeOf = ({
  userRetries = 0,
  timesMoved = 0,
}: Partial<Pick<Execution, 'userRetries' | 'timesMoved'>>): number | undefined =>
  userRetries + timesMoved || undefined;

/** Whether a pattern of a key allows a queue: `*` means any text. */
export const allowsQueue = (patterns: readonly string[] | undefined, queue: string): boolean =>
  patterns === undefined ||
  patterns.some((pattern) => {
    const [first = '', ...rest] = pattern.split('*');
    if (rest.length === 0) return pattern === queue;
    const last = rest.pop()!;
    if (!queue.startsWith(first) || !queue.endsWith(last)) return false;
    if (queue.length < first.length + last.length) return false;
    let at = first.length;
    for (const part of rest) {
      const found = queue.indexOf(part, at);
      if (found < 0 || found + part.length > queue.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  });
