import type { ExecutionMessage } from '../contracts/messages';
import { jobRefOf, parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { isTerminal } from '../domain/transitions';
import { isBackfilled } from '../domain/workflow/children';
import { isFinished } from '../history/coverage';
import { attemptMessage, recheckEntryNow, sendIfDirect } from '../queue/attempt-entries';
import type { ExecutionRef } from '../store/execution-store';
import type { OverlapLock } from '../store/overlap-lock-store';
import { type Admission, type Gate, type GateEnd, GO, type Released, SKIP, WAIT } from './gate';
import { isSameExecution, orderingKeyRefOf } from './ordering-queue';
import { isUnclaimable, SILENT_AFTER_MS } from './unclaimed';

type OverlapMessage = ExecutionMessage & { overlap: NonNullable<ExecutionMessage['overlap']> };

/** Holders may end while they are read. Each try finds another holder, or none. */
const TRIES = 5;

const hasPolicy = (message: ExecutionMessage): message is OverlapMessage => message.overlap !== undefined;

/**
 * The overlap lock of a job: one of its executions at a time, and one place for the execution that goes next.
 */
export const overlapGate: Gate = {
  followUp: 'release-overlap-lock',
  admit: async (message, deps) => (hasPolicy(message) ? acquireOverlapLock(message, deps) : GO),
  whileWaiting: async (message, deps) => (hasPolicy(message) ? applyPolicyWhileWaiting(message, deps) : []),
  resourceOf: ({ jobKey }) => jobKey,
  release: releaseOverlapLock,
};

/**
 * Acquires the lock by one conditional write under the execution's id, so acquiring it again does no harm. A
 * holder that has ended counts as none: its executor may have died before it released the lock. A holder
 * without a row blocks: its claim may be on its way, so no clock decides which execution runs.
 */
async function acquireOverlapLock(message: OverlapMessage, deps: StageDeps): Promise<Admission> {
  const { jobKey, execId } = message;
  // A skipped range that covers this occurrence has no row under its id, so the claim would not see it.
  if (await isFinished(message, deps)) return SKIP;
  if (isBackfilled(execId) && (await isWaitedFor(message, deps))) return WAIT;
  let insteadOf: OverlapLock | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const { outcome, lock } = await deps.overlapLocks.acquire(jobKey, execId, {
      nowMs: deps.clock.nowMs(),
      userRetries: message.userRetries,
      insteadOf,
    });
    if (outcome === 'acquired') {
      if (lock.waiter === execId) await deps.overlapLocks.clearWaiter(jobKey, execId);
      return GO;
    }
    // A later life of this execution holds the lock, so the claim of an earlier one would fail.
    if (lock.holder === execId) break;
    const holder = await holderOf(jobKey, lock, deps);
    if (holder !== 'none') return applyPolicy(message, lock, holder, deps);
    insteadOf = lock;
  }
  return { decision: 'wait', toEnd: [] };
}

/**
 * Whether another execution waits for the job, so that a date of a backfill leaves it the lock. Without this,
 * the next date would race with it for the lock each time.
 */
async function isWaitedFor({ jobKey, execId }: OverlapMessage, deps: StageDeps): Promise<boolean> {
  const { holder, waiter } = await deps.overlapLocks.get(jobKey);
  if (holder === execId || !waiter || isBackfilled(waiter)) return false;
  const row = await deps.executions.get({ jobKey, execId: waiter });
  if (row) return !isTerminal(row.status);
  return !(await isUnclaimable({ jobKey, dueAtMs: parseCompactInstant(waiter) }, deps));
}

/**
 * An execution that waits for its ordering key cannot go yet. Its policy applies to the job's holder at once.
 */
async function applyPolicyWhileWaiting(
  message: OverlapMessage,
  deps: StageDeps,
): Promise<readonly GateEnd[]> {
  const { jobKey, execId } = message;
  const lock = await deps.overlapLocks.get(jobKey);
  if (!lock.holder || lock.holder === execId) return [];
  const holder = await holderOf(jobKey, lock, deps);
  if (holder === 'none') return [];
  return (await applyPolicy(message, lock, holder, deps)).toEnd;
}

/**
 * The job is occupied. `skip`: this one is skipped. `queue`, `replace`: it asks for the one waiting place.
 *
 * A backfill costs no other execution its run. So every execution waits as with `queue` behind one of its
 * dates, and a date behind every execution.
 */
async function applyPolicy(
  message: OverlapMessage,
  lock: OverlapLock,
  holder: Execution | 'unclaimed',
  deps: StageDeps,
): Promise<Admission> {
  const isOfDate = isBackfilled(message.execId) || isBackfilled(lock.holder!);
  const overlap = isOfDate ? 'queue' : message.overlap;
  if (overlap === 'skip') return { decision: 'skip', toEnd: [skipped(message, lock.holder!)] };
  const admission = await becomeWaiter({ ...message, overlap }, lock, deps);
  if (overlap === 'queue' || holder === 'unclaimed') return admission;
  return { ...admission, toEnd: [...admission.toEnd, ...(await endHolder(holder, message.execId, deps))] };
}

/**
 * `queue`: the oldest execution waits. `replace`: the newest one does. The other is skipped. A date of a
 * backfill gives its place to every other execution. Without a place it waits for its recheck.
 */
async function becomeWaiter(
  message: OverlapMessage,
  { waiter }: OverlapLock,
  deps: StageDeps,
): Promise<Admission> {
  const { jobKey, execId, overlap } = message;
  if (waiter && waiter !== execId && !goesBefore({ execId, overlap }, waiter)) {
    const other = await deps.executions.get({ jobKey, execId: waiter });
    const isWaiting = !other || !isTerminal(other.status);
    if (isWaiting && isBackfilled(execId)) return WAIT;
    if (isWaiting) return { decision: 'skip', toEnd: [skipped(message, waiter)] };
  }
  const answer = await deps.overlapLocks.putWaiter(jobKey, execId, waiter);
  if (answer.outcome !== 'waiting') return becomeWaiter(message, answer.lock, deps);
  const isDisplaced = waiter !== undefined && waiter !== execId && !isBackfilled(waiter);
  const toEnd = isDisplaced
    ? [skipped({ jobKey, execId: waiter, dueAtMs: parseCompactInstant(waiter) }, execId)]
    : [];
  return { decision: 'wait', toEnd };
}

const goesBefore = (
  { execId, overlap }: Pick<OverlapMessage, 'execId' | 'overlap'>,
  waiter: string,
): boolean =>
  isBackfilled(execId) === isBackfilled(waiter)
    ? (overlap === 'queue') === execId < waiter
    : isBackfilled(waiter);

const skipped = (
  { jobKey, execId, dueAtMs }: Pick<GateEnd, 'jobKey' | 'execId' | 'dueAtMs'>,
  heldBy: string,
): GateEnd => ({
  jobKey,
  execId,
  dueAtMs,
  status: 'skipped',
  reason: 'overlap',
  heldBy,
});

/**
 * `replace` ends the holder: at once if it waits, at its next heartbeat if it runs. A run has none, so it is
 * rechecked soon.
 */
async function endHolder(holder: Execution, heldBy: string, deps: StageDeps): Promise<GateEnd[]> {
  const { executions, clock, schedule } = deps;
  const { jobKey, execId, dueAtMs } = holder;
  if (holder.status !== 'running')
    return [{ jobKey, execId, dueAtMs, status: 'cancelled', reason: 'overlap', heldBy }];
  if (holder.run && !holder.cancelRequested) await schedule.putEntries([await recheckEntryNow(holder, deps)]);
  await executions.requestCancel(holder, { reason: 'overlap', atMs: clock.nowMs() });
  return [];
}

/** Whether an execution waits for its job's lock behind one that has not ended. */
export async function waitsForOverlapLock(jobKey: string, execId: string, deps: StageDeps): Promise<boolean> {
  const lock = await deps.overlapLocks.get(jobKey);
  if (lock.waiter !== execId || !lock.holder) return false;
  return (await holderOf(jobKey, lock, deps)) !== 'none';
}

/**
 * Which execution occupies the job. `none`: the lock is free, its holder has ended, or nothing of it is left
 * to run. `unclaimed`: it has no row. If it has been silent for long, its message is sent again.
 */
async function holderOf(
  jobKey: string,
  { holder: execId, holderRetries = 0, sinceMs = 0 }: OverlapLock,
  deps: StageDeps,
): Promise<Execution | 'unclaimed' | 'none'> {
  if (!execId) return 'none';
  const row = await deps.executions.get({ jobKey, execId });
  // A late message of an earlier life may have acquired the lock. Its claim is refused.
  if (row) return isTerminal(row.status) || (row.userRetries ?? 0) > holderRetries ? 'none' : row;
  const dueAtMs = parseCompactInstant(execId);
  if (await isUnclaimable({ jobKey, dueAtMs }, deps)) return 'none';
  if (deps.clock.nowMs() - sinceMs <= SILENT_AFTER_MS) return 'unclaimed';
  const job = await deps.jobs.get(jobRefOf(jobKey));
  if (!job) return 'none'; // its claim finds no job, and calls nothing
  await wake(jobKey, execId, undefined, await withPassedKey({ jobKey, execId }, job, deps), deps);
  return 'unclaimed';
}

/**
 * A holder has passed the gate of its ordering key. If it does not hold the key of its job, the job has got
 * that key since. Then it does not ask for it: the execution that has the key may wait for this lock.
 */
async function withPassedKey(holder: ExecutionRef, job: Job, deps: StageDeps): Promise<Job> {
  const { orderingKey } = job;
  if (orderingKey === null) return job;
  const queue = await deps.ordering.peek(orderingKeyRefOf({ ...holder, orderingKey }), 1);
  const hasKey = queue.holder !== undefined && isSameExecution(queue.holder, holder);
  return hasKey ? job : { ...job, orderingKey: null };
}

/**
 * Releases the overlap lock, and wakes the execution that waits for it. A repeated call finds the lock
 * released, and wakes a waiter that was left behind.
 */
async function releaseOverlapLock(ended: readonly [Released, ...Released[]], deps: StageDeps): Promise<void> {
  const [{ jobKey, job }] = ended;
  const seen = await deps.overlapLocks.get(jobKey);
  const own = ended.find(({ execId }) => execId === seen.holder);
  const { holder, waiter } = own
    ? await deps.overlapLocks.release(jobKey, own.execId, own.userRetries)
    : seen;
  if (holder || !waiter) return;
  const current = job ?? (await deps.jobs.get(jobRefOf(jobKey)));
  if (current) await wakeWaiter(jobKey, waiter, current, deps);
}

async function wakeWaiter(jobKey: string, execId: string, job: Job, deps: StageDeps): Promise<void> {
  const row = await deps.executions.get({ jobKey, execId });
  if (row && isTerminal(row.status)) return deps.overlapLocks.clearWaiter(jobKey, execId);
  await wake(jobKey, execId, row, job, deps);
}

/** Sends the message of an execution that waits, with or without a row. */
async function wake(
  jobKey: string,
  execId: string,
  row: Execution | undefined,
  job: Job,
  deps: StageDeps,
): Promise<void> {
  const waiting = row ?? {
    jobKey,
    execId,
    dueAtMs: parseCompactInstant(execId),
    trigger: 'schedule' as const,
    takeovers: 0,
    attempt: 1,
  };
  const notBeforeMs = row?.startAtMs ?? waiting.dueAtMs;
  const wait = { attempt: waiting.attempt, startAtMs: Math.max(notBeforeMs, deps.clock.nowMs()) };
  await sendIfDirect(attemptMessage(waiting, wait, job), deps);
}
