import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { decideTakeover, lostRecords } from '../core/domain/takeover';
import { endExecution } from '../core/ending/end-execution';
import { attemptEntry, attemptMessage, sendIfDirect } from '../core/queue/attempt-entries';
import type { LeaseOutcome } from '../core/store/execution-store';

/**
 * Takes over a stale lease, as `decideTakeover` says. For another attempt: its entry, then the row
 * (conditional on the heartbeat seen), then its message.
 */
export async function takeOver(
  execution: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<LeaseOutcome> {
  const { jobKey, execId, userRetries } = execution;
  const nowMs = deps.clock.nowMs();
  const records = lostRecords(execution, job, nowMs);
  const takeover = decideTakeover(execution, job, { nowMs, fraction: () => deps.random.fraction() });
  if (takeover.decision === 'end') {
    const { status, reason } = takeover;
    const end = { status, reason, records, error: records[0]?.error };
    const ended = await endExecution(
      { execution, end, precondition: { kind: 'stale' }, job, by: 'sweeper' },
      deps,
    );
    return ended ? 'done' : 'lease-lost';
  }
  const wait = {
    jobKey,
    execId,
    userRetries,
    attempt: execution.attempt + 1,
    startAtMs: takeover.startAtMs,
  };
  const entry = await attemptEntry(wait, deps);
  await deps.schedule.putEntries([entry]);
  const { failures, takeovers } = takeover;
  const next = { attempt: wait.attempt, startAtMs: entry.checkAtMs, failures, takeovers };
  const outcome = await deps.executions.takeOver(execution, next, records);
  if (outcome !== 'done') return outcome;
  deps.meter.count(Metric.takenOver);
  deps.log.warn('execution taken over', { jobKey, execId, takeovers, why: records[0]?.error });
  // Without its job, the recheck of the new entry ends the execution.
  if (job) await sendIfDirect(attemptMessage({ ...execution, takeovers }, wait, job), deps);
  return outcome;
}
