import type { Execution } from '../../../client/browser';
import { headOfTask } from './groups';
import { attemptText, reasonText } from '../../parts/reason';

/** What went wrong, in a few words. */
export function headOf(execution: Execution): string {
  if (execution.failedTask !== undefined) return headOfTask(execution.failedTask);
  const last = execution.attempts.at(-1);
  if (execution.status === 'skipped' || !last)
    return execution.reason ? reasonText(execution.reason) : execution.status;
  return attemptText(last);
}
