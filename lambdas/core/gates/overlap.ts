import type { ExecutionMessage } from '../contracts/messages';
import { jobRefOf, parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Admission, GateEnd } from '../domain/admission';
import { lifeOf } from '../domain/work';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { isTerminal } from '../domain/transitions';
import { isBackfilled } from '../domain/workflow/child-row';
import { isFinished } from '../history/coverage';
import type { OverlapLock } from '../store/overlap-lock-store';
import { type Gate, GO, type Released, SKIP, WAIT } from './gate';
import { becomeWaiter, isWaiting, type OverlapMessage, skipped } from './overlap-waiter';
import { isUnclaimable, SILENT_AFTER_MS } from './unclaimed';
import { wakeExecution, wakeHolder, wakeIfKeysAreNew } from './wake-execution';

/** Which execution occupies a job: see `holderOf`. */
type Holder = Execution | 'unclaimed' | 'none';

/** Holders may end while they are read. Each try finds another holder, or none. */
const TRIES = 5;

const hasPolicy = (message: ExecutionMessage): message is OverlapMessage => message.overlap !== undefined;

/**
 * The overlap lock of a job: one of its executions at a time, and one place for the execution that goes next.
 * It is the last gate, so its holder waits for nothing, and is claimed. What waits has the place, wherever it
 * waits: at an ordering key, for a slot, or behind the holder. The place keeps no execution from the lock.
 */
export const overlapGate: Gate = {
  followUp: 'release-overlap-lock',
  isKeptWaiting: false,
  concerns: hasPolicy,
  peek: async (message, deps) => (hasPolicy(message) ? peekAtLock(message, deps) : GO),
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
  if (hasPassedNoGate(message) && (await leavesLock(message, deps))) return WAIT;
  let insteadOf: OverlapLock | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const { outcome, lock } = await deps.overlapLocks.acquire(jobKey, execId, {
      nowMs: deps.clock.nowMs(),
      userRetries: lifeOf(message),
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

/** Whether the lock is free for an execution that would take a slot first. */
async function peekAtLock(message: OverlapMessage, deps: StageDeps): Promise<Admission> {
  const lock = await deps.overlapLocks.get(message.jobKey);
  if (!lock.holder && !lock.waiter) return GO;
  const holder = await holderUnless(message, lock, deps);
  if (holder === 'self') return GO;
  if (await isFinished(message, deps)) return SKIP;
  if (holder !== 'none') return applyPolicy(message, lock, holder, deps);
  return message.orderingKey === undefined && (await leavesLockTo(message, lock, deps)) ? WAIT : GO;
}

const holderUnless = async (
  { jobKey, execId }: OverlapMessage,
  lock: OverlapLock,
  deps: StageDeps,
): Promise<Holder | 'self'> => (lock.holder === execId ? 'self' : holderOf(jobKey, lock, deps));

/**
 * Whether an execution has no other gate to pass. One that holds an ordering key or a slot never waits for
 * the one in the place. That one may wait for the very key or slot. The key has ordered them already.
 */
const hasPassedNoGate = ({ orderingKey, concurrencyKey }: OverlapMessage): boolean =>
  orderingKey === undefined && concurrencyKey === undefined;

const leavesLock = async (message: OverlapMessage, deps: StageDeps): Promise<boolean> =>
  isBackfilled(message.execId) && leavesLockTo(message, await deps.overlapLocks.get(message.jobKey), deps);

/**
 * Whether a date of a backfill leaves the lock to another execution, which waits. Without this, the next date
 * would race with it for the lock each time.
 */
const leavesLockTo = async (
  { jobKey, execId }: OverlapMessage,
  { holder, waiter }: OverlapLock,
  deps: StageDeps,
): Promise<boolean> =>
  isBackfilled(execId) &&
  holder !== execId &&
  waiter !== undefined &&
  !isBackfilled(waiter) &&
  isWaiting({ jobKey, execId: waiter }, deps);

/**
 * An execution that waits at an earlier gate cannot go yet. Its policy applies at once: to the job's holder,
 * and to the execution in the place.
 */
async function applyPolicyWhileWaiting(
  message: OverlapMessage,
  deps: StageDeps,
): Promise<readonly GateEnd[]> {
  const lock = await deps.overlapLocks.get(message.jobKey);
  const holder = await holderUnless(message, lock, deps);
  if (holder === 'self' || (await isFinished(message, deps))) return [];
  return (await applyPolicy(message, lock, holder, deps)).toEnd;
}

/**
 * The job is occupied, or this execution waits elsewhere. With `skip`, one behind a holder is skipped. In all
 * other cases it asks for the one waiting place. `replace` ends the holder too.
 *
 * A backfill costs no other execution its run. So every execution waits as with `queue` behind one of its
 * dates, and a date behind every execution.
 */
async function applyPolicy(
  message: OverlapMessage,
  lock: OverlapLock,
  holder: Holder,
  deps: StageDeps,
): Promise<Admission> {
  const heldBy = holder === 'none' ? undefined : lock.holder;
  const isOfDate = isBackfilled(message.execId) || (heldBy !== undefined && isBackfilled(heldBy));
  const overlap = isOfDate ? 'queue' : message.overlap;
  if (overlap === 'skip' && heldBy !== undefined)
    return { decision: 'skip', toEnd: [skipped(message, heldBy)] };
  const admission = await becomeWaiter({ ...message, overlap }, lock, deps);
  if (overlap !== 'replace' || holder === 'none') return admission;
  return { ...admission, toEnd: [...admission.toEnd, ...endsOfHolder(message, lock.holder!, holder)] };
}

/** `replace` ends the holder. One that has no row yet is skipped, unless this one is the older of the two. */
function endsOfHolder(
  { jobKey, execId }: OverlapMessage,
  holder: string,
  row: Execution | 'unclaimed',
): GateEnd[] {
  if (row === 'unclaimed' && holder > execId) return [];
  const ref = { jobKey, execId: holder, dueAtMs: parseCompactInstant(holder) };
  const status = row === 'unclaimed' ? 'skipped' : 'cancelled';
  return [{ ...skipped(ref, execId), status, evenIfRunning: true }];
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
): Promise<Holder> {
  if (!execId) return 'none';
  const row = await deps.executions.get({ jobKey, execId });
  // A late message of an earlier life may have acquired the lock. Its claim is refused.
  if (row && (isTerminal(row.status) || (lifeOf(row) ?? 0) > holderRetries)) return 'none';
  const isSilent = deps.clock.nowMs() - sinceMs > SILENT_AFTER_MS;
  if (row) {
    if (isSilent) await wakeIfKeysAreNew({ jobKey, execId, row }, deps);
    return row;
  }
  const dueAtMs = parseCompactInstant(execId);
  if (await isUnclaimable({ jobKey, dueAtMs }, deps)) return 'none';
  if (!isSilent) return 'unclaimed';
  const job = await deps.jobs.get(jobRefOf(jobKey));
  if (!job) return 'none'; // its claim finds no job, and calls nothing
  await wakeHolder({ jobKey, execId, row }, job, deps);
  return 'unclaimed';
}

/**
 * Releases the overlap lock, and wakes the execution that waits for it. A repeated call finds the lock
 * released, and wakes a waiter that was left behind.
 */
async function releaseOverlapLock(ended: readonly [Released, ...Released[]], deps: StageDeps): Promise<void> {
  const [{ jobKey, job }] = ended;
  const seen = await deps.overlapLocks.get(jobKey);
  const own = ended.find(({ execId }) => execId === seen.holder);
  const { holder, waiter } = own ? await deps.overlapLocks.release(jobKey, own.execId, lifeOf(own)) : seen;
  if (holder || !waiter) return;
  const current = job ?? (await deps.jobs.get(jobRefOf(jobKey)));
  if (current) await wakeWaiter(jobKey, waiter, current, deps);
}

async function wakeWaiter(jobKey: string, execId: string, job: Job, deps: StageDeps): Promise<void> {
  const row = await deps.executions.get({ jobKey, execId });
  if (row && isTerminal(row.status)) return deps.overlapLocks.clearWaiter(jobKey, execId);
  await wakeExecution({ jobKey, execId }, row, job, deps);
}
