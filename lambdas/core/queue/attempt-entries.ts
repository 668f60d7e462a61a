import { SECOND_MS } from '../clock/clock';
import { type ExecutionMessage, MESSAGE_VERSION } from '../contracts/messages';
import type { AttemptEntry } from '../domain/entry';
import { type Execution, isPlanned, type Run } from '../domain/execution';
import { concurrencyKeyOf, type Job } from '../domain/job';
import { errandOf, isLongCall } from '../domain/long-call';
import { shardOf } from '../domain/shard';
import { type MaybeJobOfWork, workFieldsOf, workFieldsIn } from '../domain/work';
import { delaySecFor, mayBeScanned, RECHECK_AFTER_MS } from '../domain/timing';
import type { StageDeps } from '../deps';
import { enqueueTickets } from './ordering-tickets';

type Rechecked = Pick<Execution, 'jobKey' | 'execId' | 'attempt' | 'userRetries'>;
type FilingDeps = Pick<StageDeps, 'shardCount' | 'clock'>;

/** The entry of an execution's next attempt: at its start, or at now if that is past. */
export async function attemptEntry(
  next: Rechecked & { startAtMs: number },
  deps: FilingDeps,
): Promise<AttemptEntry> {
  return {
    kind: 'attempt',
    jobKey: next.jobKey,
    shard: shardOf(next.jobKey, await deps.shardCount()),
    checkAtMs: Math.max(next.startAtMs, deps.clock.nowMs()),
    execId: next.execId,
    attempt: next.attempt,
    ...(next.userRetries !== undefined && { userRetries: next.userRetries }),
  };
}

/**
 * The entry by which the sweeper rechecks a delegated lease at its limit. The same limit is the same entry,
 * so several rechecks of one execution become one. The scanner ignores it.
 */
export const limitEntry = (running: Rechecked, limitMs: number, deps: FilingDeps): Promise<AttemptEntry> =>
  recheckEntryAt(running, limitMs - RECHECK_AFTER_MS, deps);

/** The entry by which the sweeper rechecks an execution soon. The scanner ignores it. */
export const recheckEntryNow = (execution: Rechecked, deps: FilingDeps): Promise<AttemptEntry> =>
  recheckEntryAt(execution, 0, deps);

/**
 * An entry at that time, or at now if it is past, for the sweeper alone. The scanner ignores it. It lies at
 * the next whole second: what several processes file for one execution at a time is one entry. Later does no
 * harm, because the recheck then sees more.
 */
export async function recheckEntryAt(
  execution: Rechecked,
  checkAtMs: number,
  deps: FilingDeps,
): Promise<AttemptEntry> {
  const entry = await attemptEntry({ ...execution, startAtMs: checkAtMs }, deps);
  return { ...entry, checkAtMs: Math.ceil(entry.checkAtMs / SECOND_MS) * SECOND_MS, rechecks: 0 };
}

/** No job has this revision, so the executor checks the schedule. */
const UNKNOWN_REVISION = '';

type Waiting = Pick<
  Execution,
  | 'jobKey'
  | 'execId'
  | 'dueAtMs'
  | 'askedAtMs'
  | 'parent'
  | 'trigger'
  | 'takeovers'
  | 'orderingKey'
  | 'occupiesJob'
  | 'concurrencyKey'
  | 'userRetries'
  | 'lane'
  | 'runEndsAtMs'
  | 'backfill'
  | 'run'
  | 'openErrand'
  | 'priority'
  | 'timesMoved'
  | 'payload'
>;

/** What its gates follow from. An occurrence without a row has its trigger alone. */
type AtGates = Pick<Waiting, 'trigger'> &
  Partial<
    Pick<
      Waiting,
      'orderingKey' | 'occupiesJob' | 'userRetries' | 'parent' | 'backfill' | 'concurrencyKey' | 'payload'
    >
  >;

type GatesOfJob = Pick<Job, 'overlap' | 'orderingKey' | 'concurrencyKey' | 'payload'>;
type MessageJob = GatesOfJob & Pick<Job, 'priority' | 'pool' | 'timeout'> & MaybeJobOfWork;

/**
 * The message of an execution's next attempt, to the queue that the job names now. A task keeps the queue of
 * its first message.
 */
export const attemptMessage = (
  execution: Waiting,
  next: { attempt: number; startAtMs: number },
  job: MessageJob,
): ExecutionMessage => ({
  v: MESSAGE_VERSION,
  jobKey: execution.jobKey,
  execId: execution.execId,
  dueAtMs: execution.dueAtMs,
  startAtMs: next.startAtMs,
  attempt: next.attempt,
  trigger: execution.trigger,
  userRetries: execution.userRetries,
  revision: UNKNOWN_REVISION,
  takeovers: execution.takeovers || undefined,
  ...(execution.timesMoved !== undefined && { timesMoved: execution.timesMoved }),
  ...gatesOf(execution, next, job),
  ...(execution.askedAtMs !== undefined && { askedAtMs: execution.askedAtMs }),
  ...(execution.runEndsAtMs !== undefined && { runEndsAtMs: execution.runEndsAtMs }),
  priority: execution.lane?.priority ?? execution.priority ?? job.priority,
  pool: execution.lane?.pool ?? job.pool,
  // A task keeps what its first message said: the job may not be the task.
  ...(!callsNothing(execution) && (execution.lane?.longCall || isLongCall(job)) && { longCall: true }),
  // An errand that may run is the executors' affair, whatever the target is by now.
  ...(execution.openErrand !== undefined
    ? { errand: true as const }
    : !callsNothing(execution) && errandOf(job)),
  ...(!callsNothing(execution) &&
    execution.openErrand === undefined &&
    workFieldsOf(job, { ...next, trigger: execution.trigger, userRetries: execution.userRetries })),
  ...workFieldsIn(execution.lane),
});

/** A run stays one, whatever its job has become: its tasks call, or its dates. */
const callsNothing = ({ backfill, run }: Waiting): boolean => backfill !== undefined || run !== undefined;

/**
 * The message of an alarm: its claim is refused, because the run has started. Then the executor goes on with
 * what is due in the run. It meets no gate.
 */
export const alarmMessage = (run: Run, startAtMs: number): ExecutionMessage => {
  const execution = { ...run, orderingKey: undefined, concurrencyKey: undefined, lane: undefined };
  return messageOfRun(execution, { attempt: run.attempt, startAtMs }, run);
};

/**
 * The message of an attempt of a task, or of an alarm, without its job. Neither has gates to pass, so the job
 * has none here. It has no target either, so nothing reads its `timeout`. A task keeps the lane of its row;
 * what has none is in the lane of its run.
 */
export const messageOfRun = (
  execution: Waiting,
  next: { attempt: number; startAtMs: number },
  { run: { priority, pool } }: Run,
): ExecutionMessage =>
  attemptMessage(execution, next, { overlap: 'allow', orderingKey: null, priority, pool, timeout: '1s' });

/**
 * The gates of an attempt. After its first claim, an execution keeps the gates that it passed, and meets no
 * others, whatever the job says now. Otherwise two executions could each wait for what the other holds. For
 * the same reason, a row that was made before the claim names its ordering key, or none, from then on. A
 * child takes none, and no slot below a run that holds one. What its own user retries passes the gates of its
 * job.
 */
export function gatesOf(
  { trigger, orderingKey, occupiesJob, userRetries, parent, backfill, ...passed }: AtGates,
  { attempt }: { attempt: number },
  job: GatesOfJob,
): Pick<ExecutionMessage, 'overlap' | 'orderingKey' | 'concurrencyKey'> {
  if (trigger === 'task') return {}; // its run holds what the job demands
  if (backfill) return {}; // it calls nothing: its children pass the gates
  const overlap = job.overlap === 'allow' || parent?.overlap === 'ignore' ? undefined : job.overlap;
  if (attempt > 1)
    return { orderingKey, overlap: occupiesJob && overlap, concurrencyKey: passed.concurrencyKey };
  const concurrencyKey = parent?.concurrencyKey === undefined ? concurrencyKeyOf(job, passed) : undefined;
  // Only an occurrence has no row by now: its message names what the job has.
  const isBare = isPlanned(trigger) && userRetries === undefined;
  const keyOfJob = isBare ? (job.orderingKey ?? undefined) : undefined;
  return { orderingKey: orderingKey ?? keyOfJob, overlap, concurrencyKey };
}

/**
 * Sends an attempt's message if the scanner may already have passed its entry's bucket. If not, the scanner
 * sends it.
 */
export const sendIfDirect = (message: ExecutionMessage, deps: SendingDeps): Promise<void> =>
  sendAllIfDirect([message], deps);

type SendingDeps = Pick<StageDeps, 'queue' | 'clock' | 'ordering' | 'retentionDays' | 'horizonMs'>;

/** Sends those messages whose entries the scanner may have passed, in as few calls as possible. */
export async function sendAllIfDirect(given: readonly ExecutionMessage[], deps: SendingDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const messages = given.filter(({ startAtMs }) => mayBeScanned(startAtMs, nowMs, deps.horizonMs));
  if (messages.length === 0) return;
  // a later attempt has its ticket still
  await enqueueTickets(
    messages.filter(({ attempt }) => attempt === 1),
    deps,
  );
  await deps.queue.send(
    messages.map((message) => ({ message, delaySec: delaySecFor(message.startAtMs, nowMs) })),
  );
}

/** Sends an attempt's message after its entry and its row: the recheck sends a message that fails here. */
export async function sendOrLeave(
  message: ExecutionMessage,
  deps: SendingDeps & Pick<StageDeps, 'log'>,
): Promise<void> {
  try {
    await sendIfDirect(message, deps);
  } catch (error) {
    const { jobKey, execId, attempt } = message;
    deps.log.error('the message of an attempt is left to its recheck', error, { jobKey, execId, attempt });
  }
}
