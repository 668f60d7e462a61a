import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Job } from '../domain/job';
import { hiddenJobOf, type Notification, passesFilter } from '../domain/notification';
import type { Waiting } from '../store/waiting-store';
import { fileMessage, runIdOf } from './file-message';
import { approvalMessage, messageContextOf } from './message';
import { countMessage } from './storm';

/** Whether a notification tells of an approval of the job that waits since then. */
export const tellsOfApproval = async (
  job: Job,
  sinceMs: number,
  deps: Pick<StageDeps, 'alerting'>,
): Promise<boolean> => (await notificationsFor(job, sinceMs, deps)).length > 0;

/** A notification tells of nothing that waited before it was made. */
async function notificationsFor(
  job: Job,
  sinceMs: number,
  { alerting }: Pick<StageDeps, 'alerting'>,
): Promise<Notification[]> {
  const all = await alerting.notificationsOf(job.userId);
  return all.filter(
    (notification) =>
      notification.on.includes('waiting-approval') &&
      passesFilter(notification, job) &&
      sinceMs >= notification.createdAtMs,
  );
}

/**
 * Files a message about an approval to each notification that tells of it. The id of the message follows from
 * the notification and the approval's row, so a repeat files none again. A crash between the count of its
 * minute and the message counts it twice: fewer are then sent one by one.
 *
 * @returns how many notifications tell of it, as far as this process knows
 */
export async function tellApproval(
  waiting: Waiting,
  { job, deliveryDepth = 0 }: { job: Job; deliveryDepth?: number },
  deps: StageDeps,
): Promise<number> {
  const { jobKey, sinceMs } = waiting;
  const notifications = await notificationsFor(job, sinceMs, deps);
  for (const notification of notifications) {
    const execId = runIdOf(sinceMs, [notification.id, jobKey, waiting.execId, 'waiting-approval']);
    if (await deps.executions.get({ jobKey: jobKeyOf(hiddenJobOf(notification)), execId })) continue;
    if ((await countMessage(notification, deps)) === 'in-summary') continue;
    const message = approvalMessage(waiting, job, messageContextOf(notification, deps));
    await fileMessage(notification, { execId, atMs: sinceMs, message, deliveryDepth }, deps);
  }
  return notifications.length;
}
