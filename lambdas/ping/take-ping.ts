import { createHash } from 'node:crypto';

import { DAY_MS, MINUTE_MS } from '../core/clock/clock';
import { execIdOfManualRun, jobKeyOf, minuteOf, minuteStartMs } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { decidedAfterMs } from '../core/domain/entry-planning';
import { type AttemptRecord, type Execution, NEVER_CLAIMED } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { failureOfPing, type PingRecord } from '../core/domain/ping';
import { asPlannedAt } from '../core/domain/resumption';
import { CLOCK_SKEW_MS } from '../core/domain/timing';
import { endExecution } from '../core/ending/end-execution';
import { endMissed } from '../core/ending/end-missed';
import type { End } from '../core/ending/end-request';
import { limitEntry, recheckEntryAt } from '../core/queue/attempt-entries';
import { parseDuration } from '../core/schedule/duration';
import { type Decision, decidePing, isEnd, isUuid, lastEnded, type Seen, type Signal } from './decide-ping';
import { readSeen } from './read-seen';

/** A ping, once it is known whose it is. */
export interface Ping {
  signal: Signal;
  /** A UUID, in lower case. */
  rid?: string | undefined;
  /** Bytes of its body. */
  bytes: number;
}

/** `row`: the execution whose log gets the body. */
export interface Taken {
  outcome: 'counted' | 'repeated' | 'ignored';
  row?: Execution;
}

/** Other processes may change what was read. */
const MAX_TRIES = 5;
/** A longer run has no duration: its start may be one that was forgotten. */
const LONGEST_MS = 3 * DAY_MS;

/**
 * Takes a ping of a monitor: it ends the occurrence that waits for it, or an execution that runs, or begins
 * one. Any other is an execution of its own. While the job is paused, only what runs ends. An end that comes
 * too late finds its occurrence missed, also before the sweep does: so it recovers. Mostly one read, and one
 * write where the state changes. Follow-ups and notifications are left to the recheck of an entry, which is
 * written only if there may be any.
 */
export async function takePing(stored: Job, ping: Ping, deps: StageDeps): Promise<Taken> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const nowMs = deps.clock.nowMs();
    const job = asPlannedAt(stored, nowMs);
    const seen = await readSeen(job, nowMs, deps, ping);
    const decision = decidePing(ping.signal, ping.rid, seen);
    if (decision.do === 'log') return { outcome: 'counted', row: decision.row };
    if (job.status === 'paused' && decision.do !== 'end') return { outcome: 'ignored' };
    if (seen.missed && isEnd(ping.signal) && decision.do !== 'end') {
      await endMissed({ jobKey: jobKeyOf(job), ...seen.missed }, job, 'other', deps);
      continue;
    }
    if (decision.do === 'nothing') return { outcome: decision.as };
    if (isKnown(decision, { job, ping, seen, nowMs })) return { outcome: 'repeated' };
    const row = await perform(decision, { job, ping, seen, nowMs }, deps);
    if (row) return { outcome: 'counted', row };
  }
  throw new Error('other pings keep changing the executions of the monitor');
}

interface Performing {
  job: Job;
  ping: Ping;
  seen: Seen;
  nowMs: number;
}

/** @returns the execution after that; undefined: another process was faster */
async function perform(
  decision: Exclude<Decision, { do: 'nothing' | 'log' }>,
  performing: Performing,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const { job, ping, nowMs } = performing;
  if (decision.do === 'end') {
    const { row } = decision;
    await fileRecovery(row, performing, deps);
    const end = endBy(ping, row, nowMs);
    const precondition = { kind: 'stale' } as const;
    return endExecution({ execution: row, end, precondition, job, by: 'other' }, deps);
  }
  const ref = refOf(decision.of, performing);
  if (decision.do === 'begin') return begin(ref, performing, deps);
  const execution: Execution = { ...ref, status: 'queued', ...NEVER_CLAIMED };
  await fileRecovery(execution, performing, deps);
  const end = endBy(ping, execution, nowMs);
  return endExecution({ execution, end, precondition: { kind: 'unclaimed' }, job, by: 'other' }, deps);
}

/** After this, messages tell of a problem, and every process knows that they do. */
const TELLS_WITHIN_MS = 2.5 * MINUTE_MS;

/** A success right after a problem is the recovery of what is not told yet: it is rechecked once that is. */
async function fileRecovery(
  { jobKey, execId, attempt }: Execution,
  { ping: { signal }, seen: { rows }, nowMs }: Performing,
  deps: StageDeps,
): Promise<void> {
  const last = lastEnded(rows);
  if (signal.kind !== 'success' || !last || !(last.status === 'failed' || last.pace)) return;
  if (nowMs - last.finishedAtMs! > TELLS_WITHIN_MS || !(await deps.needsRecheckSoon(last, deps))) return;
  const of = { jobKey, execId, attempt };
  await deps.schedule.putEntries([await recheckEntryAt(of, nowMs + TELLS_WITHIN_MS, deps)]);
}

type Ref = Pick<Execution, 'jobKey' | 'execId' | 'trigger' | 'dueAtMs'>;

/**
 * Executions of pings are one a minute for each signal, or for each run: a repeat finds its own. One that
 * changes the state of the job has the name of what it changes too, as a minute may have several.
 */
function refOf(of: 'occurrence' | 'ping', { job, ping: { signal, rid }, seen, nowMs }: Performing): Ref {
  const jobKey = jobKeyOf(job);
  if (of === 'occurrence' && seen.waiting) return { jobKey, ...seen.waiting, trigger: 'schedule' };
  const dueAtMs = minuteStartMs(minuteOf(nowMs));
  const name = createHash('sha256')
    .update(JSON.stringify([jobKey, signal.kind, rid ?? '', changedBy(signal, seen)]))
    .digest('hex');
  return { jobKey, execId: execIdOfManualRun(dueAtMs, name.slice(0, ID_LENGTH)), trigger: 'ping', dueAtMs };
}

const ID_LENGTH = 40;

/** Without occurrences, a success need not change anything to count. */
const changedBy = ({ kind }: Signal, { rows, hasOccurrences }: Seen): string =>
  kind === 'fail' || (kind === 'success' && hasOccurrences) ? (lastEnded(rows)?.execId ?? '') : '';

/** Whether there is such an execution: a minute has one for each signal. */
const isKnown = (decision: Decision, performing: Performing): boolean =>
  'of' in decision &&
  performing.seen.rows.some(({ execId }) => execId === refOf(decision.of, performing).execId);

/** An occurrence is rechecked when it is decided; a run that may end before that has an entry of its own. */
async function begin(
  ref: Ref,
  { job, ping, nowMs }: Performing,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const timeoutMs = parseDuration(job.timeout);
  const endsAtMs = nowMs + timeoutMs;
  const isRechecked = ref.trigger === 'schedule' && endsAtMs >= ref.dueAtMs + decidedAfterMs(job);
  if (!isRechecked) {
    const entry = await limitEntry({ ...ref, attempt: 1 }, endsAtMs + CLOCK_SKEW_MS, deps);
    await deps.schedule.putEntries([entry]);
  }
  const claim = await deps.executions.claim({
    ...ref,
    attempt: 1,
    claimId: ping.rid ?? deps.random.id(),
    nowMs,
    // A run of its own is due when it says so: its minute is only a name.
    ...(ref.trigger === 'ping' && { askedAtMs: nowMs }),
    delegatedTo: { heartbeatWithinMs: timeoutMs, endsAtMs, byPing: true },
  });
  return claim.outcome === 'claimed' ? claim.execution : undefined;
}

/** The time was read before the row was, which another ping may have started meanwhile. */
function endBy({ signal, rid, bytes }: Ping, row: Execution, readMs: number): End {
  const { status, claimedAtMs, claimId, fence, attempt } = row;
  const startedAtMs = status === 'running' ? claimedAtMs : undefined;
  const pairId = rid ?? (isUuid(claimId) ? claimId : undefined);
  const exitCode = 'exitCode' in signal ? signal.exitCode : undefined;
  const nowMs = Math.max(readMs, startedAtMs ?? readMs);
  const tookMs = startedAtMs === undefined ? undefined : nowMs - startedAtMs;
  const ping: PingRecord = {
    atMs: nowMs,
    ...(pairId !== undefined && { rid: pairId }),
    ...(exitCode !== undefined && { exitCode }),
    ...(tookMs !== undefined && tookMs <= LONGEST_MS && { durationMs: tookMs }),
    bytes,
    count: startedAtMs === undefined ? 1 : 2,
  };
  const hasFailed = signal.kind === 'fail';
  const error = failureOfPing(ping);
  const record: AttemptRecord = {
    ...{ attempt, fence, target: 0, startedAtMs: startedAtMs ?? nowMs, finishedAtMs: nowMs },
    outcome: hasFailed ? 'fatal' : 'succeeded',
    ...(hasFailed && { error }),
  };
  return {
    status: hasFailed ? 'failed' : 'succeeded',
    ...(hasFailed && { reason: 'target-failed', error }),
    ping,
    ...(startedAtMs !== undefined && { records: [record] }),
  };
}
