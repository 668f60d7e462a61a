import { MINUTE_MS } from '../clock/clock';
import {
  jobKeyOf,
  minuteOf,
  minuteStartMs,
  notificationJobIdOf,
  parseCompactInstant,
} from '../contracts/tables';
import type { StageDeps } from '../deps';
import { MESSAGES_A_MINUTE, STORM_MINUTES } from '../domain/incident';
import { keepsIncidents, type Notification } from '../domain/notification';
import { attemptEntry } from '../queue/attempt-entries';
import type { ExecutionRef } from '../store/execution-store';
import { fileMessage, runIdOf } from './file-message';
import { calmMessage, messageContextOf, summaryMessage } from './message';

/**
 * Counts one more message of this minute. Beyond 20 it files an entry at the end of the minute, whose recheck
 * makes the summary. A crash in between counts a message twice: fewer are then sent one by one, and the
 * summary has the others.
 */
export async function countMessage(
  { project, id, target }: Notification,
  deps: StageDeps,
): Promise<'send' | 'in-summary'> {
  const minute = minuteOf(deps.clock.nowMs());
  const ref = { project, notification: id, minute };
  const { count, hasSummary } = await deps.alerts.countMessage(ref);
  if (count <= MESSAGES_A_MINUTE) return 'send';
  if (!hasSummary) {
    const jobKey = jobKeyOf({ userId: project, jobId: notificationJobIdOf(id) });
    const endMs = minuteStartMs(minute + 1);
    const entryOf = async (kind: Kind, startAtMs: number) => {
      const wait = { jobKey, execId: idOf(kind, id, minute), attempt: 1, startAtMs };
      return { ...(await attemptEntry(wait, deps)), rechecks: 0 };
    };
    const entries = [await entryOf('summary', endMs)];
    if (keepsIncidents({ target })) entries.push(await entryOf('calm', endMs + STORM_MINUTES * MINUTE_MS));
    await deps.schedule.putEntries(entries);
    await deps.alerts.noteSummary(ref);
  }
  return 'in-summary';
}

/** `calm`: the incident of a summary is over, unless another minute has had one since. */
type Kind = 'summary' | 'calm';

const idOf = (kind: Kind, notification: string, minute: number): string =>
  runIdOf(minuteStartMs(minute), [notification, kind, String(minute)]);

/** Files the summary of a minute, if that is what an entry of the notification's hidden job asks for. */
export async function fileSummary(
  notification: Notification,
  { execId }: Pick<ExecutionRef, 'execId'>,
  deps: StageDeps,
): Promise<void> {
  const { project, id } = notification;
  const minute = minuteOf(parseCompactInstant(execId));
  const context = messageContextOf(notification, deps);
  const atMs = minuteStartMs(minute);
  if (execId === idOf('summary', id, minute)) {
    const { count } = await deps.alerts.minute({ project, notification: id, minute });
    const message = summaryMessage(count, MESSAGES_A_MINUTE, atMs, context);
    await fileMessage(notification, { execId, atMs, message }, deps);
  } else if (execId === idOf('calm', id, minute))
    await fileMessage(notification, { execId, atMs, message: calmMessage(context) }, deps);
}
