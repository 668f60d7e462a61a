import { inParallel } from '../async/in-parallel';
import { groupBy } from '../async/group-by';
import { isHiddenJob, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Sighting } from '../domain/alert';
import type { EndedExecution } from '../domain/ended';
import { kindOfEnd, kindOfEndFor, type Notification, passesFilter } from '../domain/notification';
import { findJobs } from '../store/read-whole';
import { updateAlert } from './update-alert';

/** Jobs of one project whose alerts are updated side by side. */
const CONCURRENCY = 10;

/**
 * Tells the notifications of ends, in the order given. Ends of projects without notifications cost nothing,
 * and neither do ordinary successes.
 *
 * @returns the ends that could not be told, with the reason: their rechecks are repeated
 */
export async function tellEnds<Ended extends EndedExecution>(
  ended: readonly Ended[],
  deps: StageDeps,
): Promise<Map<Ended, unknown>> {
  const failed = new Map<Ended, unknown>();
  const byProject = groupBy(
    ended.filter(({ jobKey }) => !isHiddenJob(jobKey)),
    ({ jobKey }) => jobRefOf(jobKey).userId,
  );
  for (const [project, ofProject] of byProject) {
    const fail = (ends: readonly Ended[], error: unknown) => {
      for (const one of ends) failed.set(one, error);
    };
    try {
      const notifications = await deps.alerting.notificationsOf(project);
      if (notifications.length > 0) await tellProject(notifications, ofProject, fail, deps);
    } catch (error) {
      fail(ofProject, error);
    }
  }
  return failed;
}

async function tellProject<Ended extends EndedExecution>(
  notifications: readonly Notification[],
  ended: readonly Ended[],
  fail: (ends: readonly Ended[], error: unknown) => void,
  deps: StageDeps,
): Promise<void> {
  const relevant = await endsToTell(notifications, ended, deps);
  if (relevant.length === 0) return;
  const byJob = groupBy(relevant, ({ jobKey }) => jobKey);
  const { jobs } = await findJobs([...byJob.keys()], deps, { consistent: false });
  await inParallel(byJob, CONCURRENCY, async ([jobKey, ends]) => {
    try {
      const job = jobs.get(jobKey);
      for (const notification of notifications) {
        if (!passesFilter(notification, job)) continue;
        await updateAlert(notification, { jobKey, job }, sightingsOf(ends, notification), deps);
      }
    } catch (error) {
      fail(ends, error);
    }
  });
}

/** Problems, successes of jobs with an open alert, and all successes if a notification tells of them. */
async function endsToTell<Ended extends EndedExecution>(
  notifications: readonly Notification[],
  ended: readonly Ended[],
  deps: StageDeps,
): Promise<Ended[]> {
  const known = ended.filter((end) => kindOfEnd(end) !== undefined);
  const isSuccess = (end: Ended) =>
    notifications.every((notification) => kindOfEndFor(notification, end) === 'succeeded');
  if (!known.some(isSuccess) || notifications.some(({ on }) => on.includes('succeeded'))) return known;
  const open = await deps.alerting.openJobsOf(notifications[0]!.project);
  return known.filter((end) => !isSuccess(end) || open.has(jobRefOf(end.jobKey).jobId));
}

/** A notification tells of nothing from before it was made. */
function sightingsOf(ends: readonly EndedExecution[], notification: Notification): Sighting[] {
  return ends.flatMap((end) => {
    const kind = kindOfEndFor(notification, end);
    const { execId, fence, finishedAtMs = 0 } = end;
    return kind && finishedAtMs >= notification.createdAtMs
      ? [{ kind, execId, fence, atMs: finishedAtMs }]
      : [];
  });
}

/**
 * Whether notifications may have to tell of an end. An end that no recheck would find soon then gets an
 * entry.
 */
export async function mayNotify(end: EndedExecution, deps: Pick<StageDeps, 'alerting'>): Promise<boolean> {
  const kind = isHiddenJob(end.jobKey) ? undefined : kindOfEnd(end);
  if (kind === undefined) return false;
  const { userId, jobId } = jobRefOf(end.jobKey);
  const notifications = await deps.alerting.notificationsOf(userId);
  if (notifications.some((one) => one.on.includes(kindOfEndFor(one, end) ?? kind))) return true;
  if (notifications.length === 0 || kind !== 'succeeded') return notifications.length > 0;
  return (await deps.alerting.openJobsOf(userId)).has(jobId);
}
