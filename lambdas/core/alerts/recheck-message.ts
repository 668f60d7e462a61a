import { jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { AttemptEntry } from '../domain/entry';
import { notificationIdOf } from '../domain/notification';
import { readOneJob } from '../store/read-whole';
import { updateAlert } from './update-alert';
import { fileSummary } from './storm';

/**
 * Files the message of an entry that has no row: the summary of a minute, or a message whose process died
 * between the two. The message is pending then, unless the process died before it was decided on.
 */
export async function recheckMessage(
  { jobKey, execId, aboutJobKey }: Pick<AttemptEntry, 'jobKey' | 'execId' | 'aboutJobKey'>,
  deps: StageDeps,
): Promise<void> {
  const { userId: project } = jobRefOf(jobKey);
  const id = notificationIdOf(jobKey);
  const notification = (await deps.alerting.notificationsOf(project)).find((one) => one.id === id);
  if (!notification) return;
  if (aboutJobKey === undefined) return fileSummary(notification, { execId }, deps);
  const job = await readOneJob(aboutJobKey, deps);
  await updateAlert(notification, { jobKey: aboutJobKey, job }, [], deps);
}
