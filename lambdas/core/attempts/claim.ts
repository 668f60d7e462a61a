import { type ExecutionMessage, isOrdered } from '../contracts/messages';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { followUps } from '../domain/follow-ups';
import type { Job } from '../domain/job';
import { isTerminal } from '../domain/transitions';
import { oldestClaimedMs } from '../domain/timing';
import { repeatEnd } from '../ending/end-execution';
import { endByGates } from '../ending/end-by-gates';
import { admit } from '../gates/admission';
import { releaseOrderingKey } from '../gates/ordering-key';
import { isFinished } from '../history/coverage';
import { keepLease, type KeptLease } from './keep-lease';
import { mayStillClaim } from './late-claim';

/** A claimed execution, its lease, and the revision of the job that its message named. */
export interface Claimed {
  execution: Execution;
  handle: KeptLease;
  revision: string;
}

/**
 * Claims the execution that a message asks for: first its gates, then one conditional write. Undefined where there is
 * nothing to do now: it waits at a gate, has ended, or belongs to another process.
 *
 * @param jobBefore the job as read before the claim; only for late messages (`isLate`)
 */
export async function claimExecution(
  message: ExecutionMessage,
  jobBefore: Promise<Job | undefined> | undefined,
  deps: StageDeps,
): Promise<Claimed | undefined> {
  if (isOutlived(message, deps)) return refused(message, 'message older than retention refused', deps);
  if (jobBefore && !(await mayStillClaim(message, await jobBefore, deps))) {
    await leaveGates(message, deps);
    return refused(message, undefined, deps);
  }
  const { decision, ends } = await admit(message, deps);
  await endByGates(ends, message, deps);
  if (decision === 'skip' && ends.length === 0) await leaveGates(message, deps);
  return decision === 'go' ? writeClaim(message, deps) : undefined;
}

/** The recheck of its entry records it as skipped. */
function isOutlived(
  { attempt, trigger, dueAtMs }: ExecutionMessage,
  { clock, retentionDays }: StageDeps,
): boolean {
  return attempt === 1 && trigger !== 'manual' && dueAtMs < oldestClaimedMs(clock.nowMs(), retentionDays);
}

function refused({ jobKey, execId }: ExecutionMessage, why: string | undefined, deps: StageDeps): undefined {
  deps.meter.count(Metric.claimLost);
  if (why) deps.log.warn(why, { jobKey, execId });
}

/**
 * Nothing is left to run. A process that died may have left the follow-ups of the end undone; an occurrence that a
 * skipped range covers has no row to derive them from, and may have a ticket.
 */
async function leaveGates(message: ExecutionMessage, deps: StageDeps): Promise<void> {
  if (!isOrdered(message)) return;
  const row = await deps.executions.get(message);
  if (row && followUps(row).length > 0) return repeatEnd(row, { by: 'executor' }, deps);
  if (!row && (await isFinished(message, deps))) await releaseOrderingKey(message, deps);
}

async function writeClaim(message: ExecutionMessage, deps: StageDeps): Promise<Claimed | undefined> {
  const { jobKey, execId, trigger, dueAtMs, attempt, orderingKey, overlap } = message;
  const sentAtMonotonicMs = deps.clock.monotonicMs();
  const nowMs = deps.clock.nowMs();
  const claimId = deps.random.id();
  const occupiesJob = overlap ? true : undefined;
  const result = await deps.executions.claim({
    jobKey,
    execId,
    trigger,
    dueAtMs,
    attempt,
    claimId,
    nowMs,
    orderingKey,
    occupiesJob,
  });
  if (result.outcome === 'refused') {
    // A message that comes again may be all that is left of an executor that died right after the end.
    if (result.current && isTerminal(result.current.status))
      await repeatEnd(result.current, { by: 'executor' }, deps);
    return refused(message, undefined, deps);
  }
  const { execution } = result;
  deps.meter.count(Metric.claimed, 1, message);
  if (execution.fence === 1 && trigger === 'schedule')
    deps.meter.record(Metric.latenessMs, nowMs - dueAtMs, message);
  const lease = { jobKey, execId, claimId, fence: execution.fence, attempt };
  return { execution, handle: keepLease(lease, sentAtMonotonicMs, deps), revision: message.revision };
}
