import type { AttemptRecord } from '../domain/execution';
import type { ExecutionRef } from '../store/execution-store';
import type { StageDeps } from '../deps';

/** A row is read whole, so what outsiders can add to it is bounded. */
const ROOM = 10;

/**
 * Keeps what an attempt said after it had lost its lease: it decides nothing, and its user may want to know.
 * A repeat of what is on record already is left out.
 */
export async function recordLateResult(
  ref: ExecutionRef,
  result: AttemptRecord,
  { executions }: Pick<StageDeps, 'executions'>,
): Promise<void> {
  const row = await executions.get(ref);
  if (!row) return;
  const isKnown = [...row.attempts, ...(row.lateResults ?? [])].some(
    ({ fence, target, outcome }) =>
      fence === result.fence && target === result.target && outcome === result.outcome,
  );
  if (!isKnown) await executions.appendLateResult(ref, result, ROOM);
}
