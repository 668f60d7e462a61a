import { MINUTE_MS } from '../clock/clock';
import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Alert, Sighting } from '../domain/alert';
import { hiddenJobOf, keepsIncidents, kindOfEndFor, type Notification } from '../domain/notification';
import { recheckEntryAt } from '../queue/attempt-entries';
import { runIdOf } from './file-message';

/** An open incident is watched so often. */
const WATCH_EVERY_MS = MINUTE_MS;
/** The newest executions of a job that are searched for a success. */
const SEARCHED = 50;

/** The id of the rechecks that watch one incident of a job; undefined: none was opened. */
export const watchIdOf = (
  { id }: Pick<Notification, 'id'>,
  jobKey: string,
  { openedMs }: Pick<Alert, 'openedMs'>,
): string | undefined =>
  openedMs === undefined ? undefined : runIdOf(openedMs, [id, jobKey, 'incident', String(openedMs)]);

/**
 * Files the next recheck that watches an incident. It has no row, so the sweeper asks what it is for. There
 * is one at a time for each incident, and it ends with that.
 */
export async function fileWatch(
  notification: Notification,
  aboutJobKey: string,
  alert: Pick<Alert, 'openedMs'>,
  deps: StageDeps,
): Promise<void> {
  const execId = watchIdOf(notification, aboutJobKey, alert);
  if (execId === undefined) return;
  const of = { jobKey: jobKeyOf(hiddenJobOf(notification)), execId, attempt: 1 };
  const entry = await recheckEntryAt(of, deps.clock.nowMs() + WATCH_EVERY_MS, deps);
  await deps.schedule.putEntries([{ ...entry, aboutJobKey }]);
}

/**
 * A success of the job, within its bounds, that ended after its newest problem. Its own recheck may have come
 * before the alert was open, and then had no message. Only incidents need it: 1 query.
 */
export async function successMeanwhile(
  notification: Notification,
  { jobKey }: { jobKey: string },
  alert: Alert,
  deps: StageDeps,
): Promise<Sighting | undefined> {
  if (!keepsIncidents(notification) || !alert.isOpen) return undefined;
  const { executions } = await deps.executions.list(jobKey, { order: 'desc', limit: SEARCHED });
  const ends = executions.flatMap((row): Sighting[] => {
    const { execId, fence, finishedAtMs: atMs = 0 } = row;
    const isOver = kindOfEndFor(notification, row) === 'succeeded' && atMs >= alert.lastMs;
    return isOver ? [{ kind: 'succeeded', execId, fence, atMs }] : [];
  });
  return ends.toSorted((one, other) => one.atMs - other.atMs).at(-1);
}
