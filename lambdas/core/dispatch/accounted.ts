import { execIdOfOccurrence } from '../contracts/tables';
import type { Execution } from '../domain/execution';
import type { DispatchDeps } from './deps';

/** The row that stands for an occurrence, or the newest one before it. */
export async function newestThrough(
  jobKey: string,
  dueAtMs: number,
  { executions }: Pick<DispatchDeps, 'executions'>,
): Promise<Execution | undefined> {
  const page = await executions.list(jobKey, {
    order: 'desc',
    toExecId: execIdOfOccurrence(dueAtMs),
    limit: 1,
  });
  return page.executions[0];
}

/** Whether a row stands for the occurrence: its own, or a stretch of skipped ones that began earlier. */
export const standsFor = (row: Execution | undefined, dueAtMs: number): boolean =>
  row !== undefined && (row.execId === execIdOfOccurrence(dueAtMs) || (row.skipped?.toMs ?? 0) >= dueAtMs);
