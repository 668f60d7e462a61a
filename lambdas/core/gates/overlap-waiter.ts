import type { ExecutionMessage } from '../contracts/messages';
import { parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Admission, GateEnd } from '../domain/admission';
import { isPutOff } from '../domain/work';
import { isTerminal } from '../domain/transitions';
import { isBackfilled } from '../domain/workflow/child-row';
import type { ExecutionRef } from '../store/execution-store';
import type { OverlapLock } from '../store/overlap-lock-store';
import { WAIT } from './gate';
import { isUnclaimable } from './unclaimed';

/** The one place beside an overlap lock, for the execution of the job that waits. */

export type OverlapMessage = ExecutionMessage & { overlap: NonNullable<ExecutionMessage['overlap']> };

/** Whether the execution in the place still waits: it has neither begun nor ended, and may be claimed. */
export async function isWaiting(waiter: ExecutionRef, deps: StageDeps): Promise<boolean> {
  const row = await deps.executions.get(waiter);
  if (row) return !isTerminal(row.status) && row.status !== 'running' && !isPutOff(row, deps.clock.nowMs());
  return !(await isUnclaimable({ ...waiter, dueAtMs: parseCompactInstant(waiter.execId) }, deps));
}

/**
 * `skip`, `queue`: the oldest execution waits. `replace`: the newest one does. The other is skipped. A date
 * of a backfill gives its place to every other execution. Without a place it waits for its recheck.
 */
export async function becomeWaiter(
  message: OverlapMessage,
  { waiter }: OverlapLock,
  deps: StageDeps,
): Promise<Admission> {
  const { jobKey, execId, overlap } = message;
  if (waiter && waiter !== execId && !goesBefore({ execId, overlap }, waiter)) {
    const isTaken = await isWaiting({ jobKey, execId: waiter }, deps);
    if (isTaken && isBackfilled(execId)) return WAIT;
    if (isTaken) return { decision: 'skip', toEnd: [skipped(message, waiter)] };
  }
  const answer = await deps.overlapLocks.putWaiter(jobKey, execId, waiter);
  if (answer.outcome !== 'waiting') return becomeWaiter(message, answer.lock, deps);
  const isDisplaced = waiter !== undefined && waiter !== execId && !isBackfilled(waiter);
  const toEnd = isDisplaced
    ? [
        {
          ...skipped({ jobKey, execId: waiter, dueAtMs: parseCompactInstant(waiter) }, execId),
          ...evenRunning(overlap),
        },
      ]
    : [];
  return { decision: 'wait', toEnd };
}

const goesBefore = (
  { execId, overlap }: Pick<OverlapMessage, 'execId' | 'overlap'>,
  waiter: string,
): boolean =>
  isBackfilled(execId) === isBackfilled(waiter)
    ? (overlap !== 'replace') === execId < waiter
    : isBackfilled(waiter);

export const skipped = (
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

/** `replace` ends a claim that comes in between, too. */
const evenRunning = (overlap: OverlapMessage['overlap']): Pick<GateEnd, 'evenIfRunning'> =>
  overlap === 'replace' ? { evenIfRunning: true } : {};
