import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { type Alert, type AlertRules, closed, seen, type Sighting } from '../domain/alert';
import type { EndedExecution } from '../domain/ended';
import { changeTimeMs, type Job } from '../domain/job';
import { jobPausedBy } from '../domain/job-revision';
import { keepsIncidents, passesFilter } from '../domain/notification';
import { expiresAtSecAfter } from '../domain/timing';
import { stateOf } from '../domain/kept-state';
import { fileMessage, runIdOf } from './file-message';
import { messageContextOf, pausedMessage } from './message';
import { countMessage } from './storm';

/** No notification has this id. */
const COUNTER = '~pause';
const RULES: AlertRules = {
  opens: (problem) => problem === 'failed',
  tells: () => false,
  minIntervalMs: Number.POSITIVE_INFINITY,
};
const MAX_RACES = 10;

/** Counts the failures of a job in a row, and pauses the job once there are as many as it names. */
export async function pauseAfterFailures(
  job: Job,
  ends: readonly EndedExecution[],
  deps: StageDeps,
): Promise<void> {
  const { pauseAfter, activeSinceMs } = job;
  if (!pauseAfter || job.status === 'paused') return;
  const sightings = ends.flatMap(({ status, execId, fence, finishedAtMs: atMs = 0 }): Sighting[] =>
    atMs >= activeSinceMs && (status === 'failed' || status === 'succeeded')
      ? [{ kind: status, execId, fence, atMs }]
      : [],
  );
  const alert = await counted(job, sightings, deps);
  if (!alert?.isOpen || alert.count < pauseAfter.failures || alert.lastMs < activeSinceMs) return;
  await pause(job, alert.count, deps);
}

async function counted(
  job: Job,
  sightings: readonly Sighting[],
  deps: StageDeps,
): Promise<Alert | undefined> {
  const ref = { project: job.userId, notification: COUNTER, jobId: job.jobId };
  for (let races = 0; races < MAX_RACES; races++) {
    const current = await deps.alerts.get(ref);
    const isOld = current?.isOpen && current.lastMs < job.activeSinceMs;
    let alert = isOld ? closed(current) : current;
    for (const sighting of sightings) alert = seen(alert, sighting, RULES, deps.clock.nowMs()) ?? alert;
    if (!alert || alert === current) return current;
    if ((await deps.alerts.put(ref, alert, current?.version)) === 'put') return alert;
  }
  throw new Error('other processes keep counting the failures of a job');
}

/**
 * Order of writes: the messages → the state before → the job. So a crash in between is repeated, and a job is
 * never paused without a word. A user who is faster wins.
 */
async function pause(job: Job, failures: number, deps: StageDeps): Promise<void> {
  const jobKey = jobKeyOf(job);
  const nowMs = deps.clock.nowMs();
  const note = `paused after ${failures} failures in a row`;
  for (const notification of await deps.alerting.notificationsOf(job.userId)) {
    if (!notification.on.includes('failed') || !passesFilter(notification, job)) continue;
    if (keepsIncidents(notification)) continue; // the failures have opened one, which stays open
    const execId = runIdOf(job.activeSinceMs, [notification.id, jobKey, 'paused', job.revision]);
    const message = pausedMessage(job, failures, messageContextOf(notification, deps));
    if ((await countMessage(notification, deps)) === 'send')
      await fileMessage(notification, { execId, atMs: job.activeSinceMs, message }, deps);
  }
  const state = { ...stateOf(job), expiresAtSec: expiresAtSecAfter(nowMs, deps.retentionDays) };
  await deps.changes.put(jobKey, state);
  const by = { sub: 'pauseAfter', name: null, via: 'system' } as const;
  const paused = jobPausedBy(job, { by, note }, { nowMs: changeTimeMs(job, nowMs) }, deps.random);
  await deps.jobs.replace(paused, job.etag);
  deps.log.warn('job paused after failures', { jobKey, failures });
}
