import { MINUTE_MS } from '../clock/clock';
import type { ExecutionMessage } from '../contracts/messages';
import { Metric } from '../contracts/metrics';
import { parseCompactInstant } from '../contracts/tables';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import { isTerminal } from '../domain/transitions';
import type { OverlapLock } from '../store/overlap-lock-store';
import { isFinished } from '../history/coverage';
import { attemptMessage, sendIfDirect } from '../dispatch/attempt-entries';
import type { StageDeps } from '../deps';
import { recordSkippedOccurrence, skippedRangeOver } from '../history/skip-ranges';

/** `go`: the job is this execution's; claim. `stop`: it waits, or was skipped; acknowledge. */
export type Admission = 'go' | 'stop';

/** No job has it. */
const UNKNOWN_REVISION = '';
/** A holder that has no row yet is about to claim; after this long it has died in between, or was never to run. */
const CLAIM_WITHIN_MS = 2 * MINUTE_MS;
/** Holders that end while they are looked at: each try finds another one, or none. */
const TRIES = 5;

/**
 * Settles, before the claim, whether an execution may occupy its job. The hold is taken by one conditional write and
 * named by execId, so taking it again is free of harm. A holder that is terminal counts as free: one that died before
 * it freed the job does not block it.
 */
export async function acquireOverlapLock(message: ExecutionMessage, deps: StageDeps): Promise<Admission> {
  const { jobKey, execId, overlap } = message;
  if (!overlap) return 'go';
  // A stretch that stands for this occurrence has no row under its own id: the claim alone would not see it.
  if (await isFinished(message, deps)) return 'stop';
  let insteadOf: OverlapLock | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await deps.overlapLocks.acquire(jobKey, execId, { nowMs: deps.clock.nowMs(), insteadOf });
    if (answer.outcome === 'acquired') {
      if (answer.lock.waiter === execId) await deps.overlapLocks.clearWaiter(jobKey, execId);
      return 'go';
    }
    const holder = await deps.executions.get({ jobKey, execId: answer.lock.holder ?? '-' });
    if (isFree(answer.lock, holder, deps)) {
      insteadOf = answer.lock;
      continue;
    }
    await applyPolicy(message, overlap, { hold: answer.lock, holder }, deps);
    return 'stop';
  }
  return 'stop';
}

/** For an execution that cannot go yet in any case: where its job is occupied now, its overlap policy decides now. */
export async function applyOverlapPolicy(message: ExecutionMessage, deps: StageDeps): Promise<void> {
  const { jobKey, execId, overlap } = message;
  if (!overlap) return;
  const hold = await deps.overlapLocks.get(jobKey);
  if (!hold.holder || hold.holder === execId) return;
  const holder = await deps.executions.get({ jobKey, execId: hold.holder });
  if (!isFree(hold, holder, deps)) await applyPolicy(message, overlap, { hold, holder }, deps);
}

async function applyPolicy(
  message: ExecutionMessage,
  overlap: NonNullable<ExecutionMessage['overlap']>,
  { hold, holder }: { hold: OverlapLock; holder: Execution | undefined },
  deps: StageDeps,
): Promise<void> {
  if (overlap === 'skip') return skip(message, deps);
  await becomeWaiter(message, overlap, hold, deps);
  if (overlap === 'replace' && holder) await endHolder(holder, deps);
}

/**
 * Frees the job of an execution that has ended, and sends the one that waits. Repeating it is free of harm; where it never
 * happens, the waiter's second look sends it.
 */
export async function releaseOverlapLock(
  jobKey: string,
  execId: string,
  job: Job | undefined,
  deps: StageDeps,
): Promise<void> {
  const { waiter } = await deps.overlapLocks.release(jobKey, execId);
  if (waiter && job) await sendWaiter(jobKey, waiter, job, deps);
}

/** Whether an execution waits for its turn behind one that is still going. */
export async function waitsForOverlapLock(jobKey: string, execId: string, deps: StageDeps): Promise<boolean> {
  const hold = await deps.overlapLocks.get(jobKey);
  if (hold.waiter !== execId || !hold.holder) return false;
  const holder = await deps.executions.get({ jobKey, execId: hold.holder });
  return !isFree(hold, holder, deps);
}

function isFree(
  hold: OverlapLock,
  holder: Execution | undefined,
  { clock }: Pick<StageDeps, 'clock'>,
): boolean {
  if (!hold.holder) return true;
  if (holder) return isTerminal(holder.status);
  return clock.nowMs() - (hold.sinceMs ?? 0) > CLAIM_WITHIN_MS;
}

/** `queue`: the oldest waits. `replace`: the newest does. Whoever does not get the one place is skipped. */
async function becomeWaiter(
  message: ExecutionMessage,
  overlap: 'queue' | 'replace',
  { waiter }: OverlapLock,
  deps: StageDeps,
): Promise<void> {
  const { jobKey, execId } = message;
  const isBetter = !waiter || waiter === execId || (overlap === 'queue') === execId < waiter;
  if (!isBetter) {
    const other = await deps.executions.get({ jobKey, execId: waiter });
    if (!other || !isTerminal(other.status)) return skip(message, deps);
  }
  const answer = await deps.overlapLocks.putWaiter(jobKey, execId, waiter);
  if (answer.outcome === 'held') return becomeWaiter(message, overlap, answer.lock, deps);
  if (waiter && waiter !== execId)
    await skip({ ...message, execId: waiter, dueAtMs: parseCompactInstant(waiter) }, deps);
}

/**
 * Records an occurrence as skipped: a row each, since the next one may run. Its message may come twice, and the claim of
 * the one asks the row that the other has written.
 */
async function skip(
  message: Pick<ExecutionMessage, 'jobKey' | 'execId' | 'dueAtMs'>,
  deps: StageDeps,
): Promise<void> {
  const { jobKey, execId, dueAtMs } = message;
  const own = await deps.executions.get({ jobKey, execId });
  if (own) {
    const finishedAtMs = deps.clock.nowMs();
    const expiresAtSec = expiresAtSecAfter(finishedAtMs, deps.retentionDays);
    if (own.status !== 'queued' && own.status !== 'retrying') return;
    await deps.executions.endWaiting(own, {
      status: 'skipped',
      reason: 'overlap',
      finishedAtMs,
      expiresAtSec,
    });
  } else {
    if (await skippedRangeOver({ jobKey, dueAtMs }, deps)) return;
    await recordSkippedOccurrence({ jobKey, dueAtMs }, 'overlap', deps);
  }
  deps.meter.count(Metric.skipped);
}

/** Ends what occupies the job, to make room: at once where it waits, at its next heartbeat where it runs. */
async function endHolder(holder: Execution, deps: StageDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  if (holder.status === 'running') {
    await deps.executions.requestCancel(holder, { reason: 'overlap', atMs: nowMs });
    return;
  }
  const expiresAtSec = expiresAtSecAfter(nowMs, deps.retentionDays);
  const ending = { status: 'cancelled', reason: 'overlap', finishedAtMs: nowMs, expiresAtSec } as const;
  if ((await deps.executions.endWaiting(holder, ending)) !== 'done') return;
  const { jobs } = await deps.jobs.getMany([holder.jobKey], { consistent: true });
  await releaseOverlapLock(holder.jobKey, holder.execId, jobs.get(holder.jobKey), deps);
}

async function sendWaiter(jobKey: string, execId: string, job: Job, deps: StageDeps): Promise<void> {
  const row = await deps.executions.get({ jobKey, execId });
  if (row && isTerminal(row.status)) return deps.overlapLocks.clearWaiter(jobKey, execId);
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
  const message = attemptMessage(waiting, wait, job);
  // One without a row was planned by the schedule as it was then: the executor has to ask what it is now.
  await sendIfDirect(row ? message : { ...message, revision: UNKNOWN_REVISION }, deps);
}
