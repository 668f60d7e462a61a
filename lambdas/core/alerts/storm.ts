import {
  jobKeyOf,
  jobRefOf,
  minuteOf,
  minuteStartMs,
  notificationJobIdOf,
  parseCompactInstant,
} from '../contracts/tables';
import type { StageDeps } from '../deps';
import { type Notification, notificationIdOf } from '../domain/notification';
import { attemptEntry } from '../queue/attempt-entries';
import type { ExecutionRef } from '../store/execution-store';
import { fileMessage, runIdOf } from './file-message';
import { summaryMessage } from './message';

/** Messages of one notification in one minute that are sent one by one. One more is their summary. */
export const MESSAGES_A_MINUTE = 20;

/**
 * Counts one more message of this minute. Beyond 20 it files an entry at the end of the minute, whose recheck
 * makes the summary. A crash in between counts a message twice: fewer are then sent one by one, and the
 * summary has the others.
 */
export async function countMessage(
  { project, id }: Notification,
  deps: StageDeps,
): Promise<'send' | 'in-summary'> {
  const minute = minuteOf(deps.clock.nowMs());
  const ref = { project, notification: id, minute };
  const { count, hasSummary } = await deps.alerts.countMessage(ref);
  if (count <= MESSAGES_A_MINUTE) return 'send';
  if (!hasSummary) {
    const jobKey = jobKeyOf({ userId: project, jobId: notificationJobIdOf(id) });
    const endMs = minuteStartMs(minute + 1);
    const wait = { jobKey, execId: summaryIdOf(id, minute), attempt: 1, startAtMs: endMs };
    await deps.schedule.putEntries([{ ...(await attemptEntry(wait, deps)), rechecks: 0 }]);
    await deps.alerts.noteSummary(ref);
  }
  return 'in-summary';
}

const summaryIdOf = (notification: string, minute: number): string =>
  runIdOf(minuteStartMs(minute), [notification, 'summary', String(minute)]);

/**
 * Files the summary that an entry of a hidden job asks for. The entry of another message may
 * have no row: its process died between the two, and the repeated recheck files both.
 */
export async function fileSummary({ jobKey, execId }: ExecutionRef, deps: StageDeps): Promise<void> {
  const { userId: project } = jobRefOf(jobKey);
  const id = notificationIdOf(jobKey);
  const minute = minuteOf(parseCompactInstant(execId));
  if (execId !== summaryIdOf(id, minute)) return;
  const notification = (await deps.alerting.notificationsOf(project)).find((one) => one.id === id);
  if (!notification) return;
  const { count } = await deps.alerts.minute({ project, notification: id, minute });
  const minuteMs = minuteStartMs(minute);
  const { consoleUrl } = deps.alerting;
  const context = { notification: id, project, consoleUrl };
  const message = summaryMessage(count, MESSAGES_A_MINUTE, minuteMs, context);
  await fileMessage(notification, { execId, atMs: minuteMs, message }, deps);
}
