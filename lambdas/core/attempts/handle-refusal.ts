import { type ExecutionMessage, isLimited, isOrdered } from '../contracts/messages';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import { followUps } from '../domain/follow-ups';
import { isTerminal } from '../domain/transitions';
import { isAlive } from '../domain/workflow/task-eligibility';
import { endByGates } from '../ending/end-by-gates';
import { repeatEnd } from '../ending/end-execution';
import { recordSkippedOccurrence } from '../ending/skip-ranges';
import { isFinished } from '../history/coverage';
import { firstRefusal } from '../history/first-refusal';
import type { Refusal } from './claim';

/** Does what follows a refused claim: records, ends and releases. The message is done with afterwards. */
export async function handleRefusal(
  message: ExecutionMessage,
  refusal: Refusal,
  deps: StageDeps,
): Promise<void> {
  if (refusal.why !== 'gate') deps.meter.count(Metric.claimLost);
  switch (refusal.why) {
    case 'outlived': {
      const { jobKey, execId } = message;
      deps.log.warn('message older than retention refused', { jobKey, execId });
      return;
    }
    case 'late': {
      const first = await firstRefusal(message, refusal.job, deps);
      await recordSkippedOccurrence(message, first?.reason ?? refusal.reason, 'other', deps);
      return leaveGates(message, deps);
    }
    case 'covered':
      return leaveGates(message, deps);
    case 'gate':
      await endByGates(refusal.toEnd, message, deps);
      return refusal.isOver && refusal.toEnd.length === 0 ? leaveGates(message, deps) : undefined;
    case 'lost':
      // A message that comes again may be all that is left of an executor that died right after the end.
      if (isAlive(refusal.current)) return deps.workflows.beginDue(refusal.current, deps);
      if (!refusal.current || !isTerminal(refusal.current.status)) return;
      await repeatEnd(refusal.current, { by: 'executor' }, deps);
      // It took its slot after the end, perhaps, and the row of an end before any claim names none.
      if (isLimited(message) && refusal.current.concurrencyKey === undefined)
        await deps.gates.releaseSlot(message, deps);
  }
}

/**
 * Nothing is left to run. A process that died may have left the follow-ups of the end undone. An occurrence
 * that a skipped range covers has no row to derive them from, and may have a ticket.
 */
async function leaveGates(message: ExecutionMessage, deps: StageDeps): Promise<void> {
  if (!isOrdered(message) && !isLimited(message)) return;
  const row = await deps.executions.get(message);
  if (row && followUps(row).length > 0) return repeatEnd(row, { by: 'executor' }, deps);
  if (row || !(await isFinished(message, deps))) return;
  if (isLimited(message)) await deps.gates.releaseSlot(message, deps);
  if (isOrdered(message)) await deps.gates.releaseOrderingKey(message, deps);
}
