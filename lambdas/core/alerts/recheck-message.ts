import { jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { AttemptEntry } from '../domain/entry';
import { notificationIdOf } from '../domain/notification';
import { readOneJob } from '../store/read-whole';
import { updateAlert } from './update-alert';
import { fileSummary } from './storm';
import { resolveDeleted, watchIncident } from './watch-incidents';

/**
 * Does what an entry without a row asks for. It is the summary of a minute, the watch over an incident, or a
 * message whose process died between the two. Such a message is pending, unless the process died before it
 * was decided on.
 */
export async function recheckMessage(
  { jobKey, execId, aboutJobKey }: Pick<AttemptEntry, 'jobKey' | 'execId' | 'aboutJobKey'>,
  deps: StageDeps,
): Promise<void> {
  const { userId: project } = jobRefOf(jobKey);
  const id = notificationIdOf(jobKey);
  const notification = (await deps.alerting.notificationsOf(project)).find((one) => one.id === id);
  if (!notification) return;
  if (aboutJobKey === undefined) {
    if (!(await resolveDeleted(notification, { execId }, deps)))
      await fileSummary(notification, { execId }, deps);
    return;
  }
  if (await watchIncident(notification, { execId, aboutJobKey }, deps)) return;
  const job = await readOneJob(aboutJobKey, deps);
  await updateAlert(notification, { jobKey: aboutJobKey, job }, [], deps);
}
