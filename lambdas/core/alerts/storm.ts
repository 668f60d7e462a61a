import {
  jobKeyOf,
  minuteOf,
  minuteStartMs,
  notificationJobIdOf,
  parseCompactInstant,
} from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Notification } from '../domain/notification';
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

/** Files the summary of a minute, if that is what an entry of the notification's hidden job asks for. */
export async function fileSummary(
  notification: Notification,
  { execId }: Pick<ExecutionRef, 'execId'>,
  deps: StageDeps,
): Promise<void> {
  const { project, id } = notification;
  const minute = minuteOf(parseCompactInstant(execId));
  if (execId !== summaryIdOf(id, minute)) return;
  const { count } = await deps.alerts.minute({ project, notification: id, minute });
  const minuteMs = minuteStartMs(minute);
  const { consoleUrl } = deps.alerting;
  const context = { notification: id, project, consoleUrl };
  const message = summaryMessage(count, MESSAGES_A_MINUTE, minuteMs, context);
  await fileMessage(notification, { execId, atMs: minuteMs, message }, deps);
}
