import { type Clock, DAY_MS } from '../core/clock/clock';
import { type ApiRoute, type Operation, projectScopeOf } from '../core/contracts/routes';
import type { WrittenBytes } from '../core/store/written-bytes';
import { quotaExceeded } from './http/problem';

/**
 * These pass although the project has written its bytes of the day, as every DELETE does. They end or pause
 * work, or decide on work that waits. A bulk decides by its action. Claims and reports have other quotas.
 */
const PASS: readonly Operation[] = [
  'pauseJob',
  'cancelExecution',
  'cancelTask',
  'approveTask',
  'rejectTask',
  'pauseRun',
  'resumeRun',
  'unblockOrderingKey',
  'bulk',
  'claimWork',
];

/** Whether a request needs room in the bytes that its project may write today. */
export function isBoundByWrites(route: ApiRoute): boolean {
  const scope = projectScopeOf(route);
  const reads = scope === undefined || scope === 'jobs:read' || route.method === 'GET';
  return !reads && route.method !== 'DELETE' && !PASS.includes(route.operation);
}

/** Throws `ProblemError` 429 if the project has written its bytes of the day. */
export async function admitWrites(
  project: string,
  { written, clock }: { written: WrittenBytes; clock: Pick<Clock, 'nowMs'> },
): Promise<void> {
  const bytes = await written.today(project);
  if (bytes < written.quota) return;
  throw quotaExceeded(
    `the quota writtenBytesPerDay is ${written.quota}: ${bytes} bytes are written today, in UTC; ` +
      "try again on the next day, or ask this deployment's operator for a higher quota. " +
      'Deletes, pauses and cancels pass',
    DAY_MS - (clock.nowMs() % DAY_MS),
  );
}
