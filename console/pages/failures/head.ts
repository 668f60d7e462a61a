import type { Execution } from '../../../client/browser';
import { attemptText, reasonText } from '../../parts/reason';

/** What went wrong, in a few words. */
export function headOf(execution: Execution): string {
  const last = execution.attempts.at(-1);
  if (execution.status === 'skipped' || !last)
    return execution.reason ? reasonText(execution.reason) : execution.status;
  return attemptText(last);
}
