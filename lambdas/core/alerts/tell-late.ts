import { isHiddenJob, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Job } from '../domain/job';
import { lateAtMs, passesFilter } from '../domain/notification';
import type { ExecutionRef } from '../store/execution-store';
import { updateAlert } from './update-alert';

/** An execution that has not ended when it is rechecked. */
interface OpenExecution extends ExecutionRef {
  dueAtMs: number;
}

/**
 * Tells the notifications of an execution that is late.
 *
 * @returns when it becomes late for the next of them; undefined: for none
 */
export async function tellLate(
  { jobKey, execId, dueAtMs }: OpenExecution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<number | undefined> {
  if (isHiddenJob(jobKey)) return undefined;
  const nowMs = deps.clock.nowMs();
  let nextMs: number | undefined;
  for (const notification of await deps.alerting.notificationsOf(jobRefOf(jobKey).userId)) {
    const atMs = passesFilter(notification, job) ? lateAtMs(notification, dueAtMs) : undefined;
    if (atMs === undefined || atMs < notification.createdAtMs) continue;
    if (atMs > nowMs) nextMs = Math.min(nextMs ?? atMs, atMs);
    // It is late whatever claim it waits for: the fence is none of the message's identity.
    else await updateAlert(notification, { jobKey, job }, [{ kind: 'late', execId, fence: 0, atMs }], deps);
  }
  return nextMs;
}
