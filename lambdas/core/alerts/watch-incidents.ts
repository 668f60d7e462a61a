import { jobKeyOf, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Sighting } from '../domain/alert';
import type { AttemptEntry } from '../domain/entry';
import { causeStands, DELETION_SEEN_MS, hiddenJobOf, type Notification } from '../domain/notification';
import { recheckEntryAt } from '../queue/attempt-entries';
import { readOneJob } from '../store/read-whole';
import { runIdOf } from './file-message';
import { updateAlert } from './update-alert';
import { fileWatch, successMeanwhile, watchIdOf } from './watch-entries';

/**
 * Watches an open incident: a cause that is gone without a success is withdrawn, and a success that passed
 * unnoticed is seen. Whatever made the cause go, and whichever process died: the incident is resolved
 * within two minutes. Order of writes: the alert, with its message → the next recheck.
 *
 * @returns whether the entry was one that watches an incident
 */
export async function watchIncident(
  notification: Notification,
  { execId, aboutJobKey }: Pick<AttemptEntry, 'execId'> & { aboutJobKey: string },
  deps: StageDeps,
): Promise<boolean> {
  const { project, id } = notification;
  const ref = { project, notification: id, jobId: jobRefOf(aboutJobKey).jobId };
  const alert = await deps.alerts.get(ref);
  if (!alert || watchIdOf(notification, aboutJobKey, alert) !== execId) return false;
  const job = await readOneJob(aboutJobKey, deps);
  const sighted = { jobKey: aboutJobKey, job };
  const stands = causeStands(notification, job, alert.lastMs);
  const seen = stands
    ? await successMeanwhile(notification, sighted, alert, deps)
    : withdrawn(execId, deps.clock.nowMs());
  await updateAlert(notification, sighted, seen ? [seen] : [], deps);
  await fileWatch(notification, aboutJobKey, alert, deps);
  return true;
}

const withdrawn = (execId: string, atMs: number): Sighting => ({ kind: 'withdrawn', execId, fence: 0, atMs });

const deletionIdOf = ({ id }: Pick<Notification, 'id'>, deletedAtMs: number): string =>
  runIdOf(deletedAtMs, [id, 'deleted', String(deletedAtMs)]);

/** Files the recheck that resolves the incidents of a deleted notification. */
export async function fileDeletion(
  notification: Notification,
  deletedAtMs: number,
  deps: Pick<StageDeps, 'schedule' | 'shardCount' | 'clock'>,
): Promise<void> {
  const execId = deletionIdOf(notification, deletedAtMs);
  const of = { jobKey: jobKeyOf(hiddenJobOf(notification)), execId, attempt: 1 };
  const entry = await recheckEntryAt(of, deps.clock.nowMs(), deps);
  await deps.schedule.putEntries([entry]);
}

/**
 * Resolves the incidents of a deleted notification, and repeats that until no request of before can open one.
 * Its row is the job that delivers the messages. It expires by itself.
 *
 * @returns whether the entry was that of a deletion
 */
export async function resolveDeleted(
  notification: Notification,
  { execId }: Pick<AttemptEntry, 'execId'>,
  deps: StageDeps,
): Promise<boolean> {
  const { deletedAtMs, project, id } = notification;
  if (deletedAtMs === undefined || deletionIdOf(notification, deletedAtMs) !== execId) return false;
  const nowMs = deps.clock.nowMs();
  const open = await deps.alerts.openOf(project, id);
  for (const jobId of open) {
    const jobKey = jobKeyOf({ userId: project, jobId });
    const job = await readOneJob(jobKey, deps);
    await updateAlert(notification, { jobKey, job }, [withdrawn(execId, nowMs)], deps);
  }
  const isDone = open.length === 0 && nowMs - deletedAtMs > DELETION_SEEN_MS;
  if (!isDone) await fileDeletion(notification, deletedAtMs, deps);
  return true;
}
