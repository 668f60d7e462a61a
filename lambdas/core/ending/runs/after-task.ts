import type { StageDeps } from '../../deps';
import type { EndedRow } from '../../domain/ended';
import type { Run } from '../../domain/execution';
import type { ExecutionRef } from '../../store/execution-store';
import { afterAdvance } from './go-on-with-run';
import { runAfterTask } from './task-ends';

/**
 * Marks the end of a task, and goes on with its run. Throws if a store does not respond.
 *
 * @param run as the caller has read it; absent: it is read
 */
export async function afterTask(ended: EndedRow, run: Run | undefined, deps: StageDeps): Promise<void> {
  const cancelled: ExecutionRef[] = [];
  const endedRun = await runAfterTask(ended, run, cancelled, deps);
  await afterAdvance(endedRun, cancelled, { by: 'other' }, deps);
}
