import type { ExecutionMessage } from '../contracts/messages';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import type { GateEnd } from '../gates/gate';
import { skippedRangeOver } from '../history/coverage';
import { readOneJob } from '../store/read-whole';
import { endExecution } from './end-execution';
import { recordSkippedOccurrence } from './skip-ranges';

/**
 * Ends the executions that a gate wants to end: each waits, or has no row yet. A row of its own each, since
 * the next occurrence may run. Another message of the same execution finds the row.
 */
export async function endByGates(
  ends: readonly GateEnd[],
  message: Pick<ExecutionMessage, 'execId' | 'orderingKey' | 'revision'>,
  deps: StageDeps,
): Promise<void> {
  for (const { jobKey, execId, dueAtMs, status, reason, heldBy } of ends) {
    const detail = { heldBy };
    const row = await deps.executions.get({ jobKey, execId });
    if (row) {
      if (row.status !== 'queued' && row.status !== 'retrying') continue;
      const job = await readOneJob(jobKey, deps);
      const under = { the: 'waiting' } as const;
      await endExecution({ execution: row, end: { status, reason, detail }, under, job, by: 'other' }, deps);
    } else if (!(await skippedRangeOver({ jobKey, dueAtMs }, deps))) {
      const { orderingKey } = message;
      const revision = execId === message.execId ? message.revision : undefined;
      const occurrence = { jobKey, dueAtMs, orderingKey, revision, detail };
      await recordSkippedOccurrence(occurrence, reason, 'other', deps);
      deps.meter.count(Metric.skipped);
    }
  }
}
