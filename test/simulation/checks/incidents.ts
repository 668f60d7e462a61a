import { jobRefOf } from '../../../lambdas/core/contracts/tables';
import { incidentKeyOf } from '../../../lambdas/core/delivery/call/incident';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { isTask, type Story, versionsIn } from '../story';
import { broken, type Violation } from '../violation';

const MINUTE_MS = 60_000;
/** The notification is set within this, by whatever clock. */
const KNOWN_AFTER_MS = 10_000;
/** Rechecks, the watch over incidents, and the repeats of those that died, take no longer. */
const SETTLED_WITHIN_MS = 10 * MINUTE_MS;
const NOTIFICATION = 'pages';

/** After the faults, the incident of a job is open if and only if its cause stands. */
export function checkIncidents(story: Story): Violation[] {
  const { incidentsFromMs, wildClocks } = story.conditions;
  return wildClocks || incidentsFromMs === undefined ? [] : [...unfounded(story, incidentsFromMs)];
}

function* unfounded(story: Story, incidentsFromMs: number): Generator<Violation> {
  const fromMs = story.records[0]!.t + incidentsFromMs + KNOWN_AFTER_MS;
  const open = openIn(story);
  const forgotten = forgottenIn(story);
  for (const [jobKey, versions] of story.versions) {
    const job = versions.at(-1)!.job;
    const changedMs = versions.at(-1)!.fromMs;
    const stands = causeOf(jobKey, job, fromMs, story);
    if (stands === undefined || changedMs > story.endMs - SETTLED_WITHIN_MS) continue;
    if (isUntold(jobKey, story)) continue;
    const { userId: project, jobId } = jobRefOf(jobKey);
    const key = incidentKeyOf({ notification: NOTIFICATION, job: { jobId } }, project, {
      deployment: 'test',
    });
    if (forgotten.has(key) || open.has(key) === stands) continue;
    const what = stands ? 'has failed, and no incident is open' : 'has an open incident without a cause';
    yield broken('notification', `${jobKey} ${what}`);
  }
}

/** Incidents of which a service knows what a restore has made the tables forget. */
function forgottenIn({ records, restored }: Story): Set<string> {
  if (!restored || restored.tables === 'jobs') return new Set();
  const { toMs, atMs } = restored;
  return new Set(
    records.flatMap((one) => (one.src === 'incident' && one.t > toMs && one.t <= atMs ? [one.key] : [])),
  );
}

function openIn({ records }: Story): Set<string> {
  const open = new Set<string>();
  for (const record of records)
    if (record.src === 'incident') {
      if (record.opens) open.add(record.key);
      else open.delete(record.key);
    }
  return open;
}

/** Undefined: the run says too little, because, say, two ends lie closer together than clocks differ. */
function causeOf(jobKey: string, job: Job | null, fromMs: number, story: Story): boolean | undefined {
  const { endMs, conditions } = story;
  const ends = story.end.executions.filter(
    (row) => row.jobKey === jobKey && !isTask(row.execId) && (row.finishedAtMs ?? 0) >= fromMs,
  );
  if (ends.some(isFailureTakenOut)) return undefined;
  const failedMs = newest(ends, 'failed');
  if (failedMs === undefined) return false;
  const overMs = [
    newest(ends, 'succeeded') ?? 0,
    job && job.createdAtMs,
    job && isPausedByUser(job) ? job.pausedAtMs : 0,
  ].map((atMs) => atMs ?? 0);
  const isClose = overMs.some((atMs) => Math.abs(atMs - failedMs) <= conditions.skewMs);
  if (isClose || Math.max(failedMs, ...overMs) > endMs - SETTLED_WITHIN_MS) return undefined;
  if (job === null || isPausedByUser(job)) return false;
  // What was withdrawn in a pause, or while it was deleted, does not come again.
  if (job.activeSinceMs > failedMs && job.activeSinceMs > job.createdAtMs) return undefined;
  // A resumption reads its clock first. Until it is written, the job is paused.
  if (versionsIn(story, jobKey, failedMs, endMs).some((one) => one.job && isPausedByUser(one.job)))
    return undefined;
  return overMs.every((atMs) => atMs < failedMs);
}

/** A user's retry that has called nothing: the failure before it is not in the history, and still a cause. */
const isFailureTakenOut = ({ userRetries = 0, status }: Execution): boolean =>
  userRetries > 0 && status !== 'failed' && status !== 'succeeded';

const isPausedByUser = ({ status, pausedVia }: Job): boolean => status === 'paused' && pausedVia !== 'system';

const newest = (ends: readonly Execution[], status: Execution['status']): number | undefined =>
  ends
    .flatMap((row) => (row.status === status ? [row.finishedAtMs!] : []))
    .toSorted((one, other) => one - other)
    .at(-1);

/** A message about the job waits for its next attempt, or was given up. */
const isUntold = (jobKey: string, { messages }: Story): boolean =>
  messages.some(({ row }) => {
    const value = row.payload && 'value' in row.payload ? row.payload.value : undefined;
    const { job } = value as { job?: { jobId: string } };
    const { userId, jobId } = jobRefOf(jobKey);
    return row.status !== 'succeeded' && job?.jobId === jobId && jobRefOf(row.jobKey).userId === userId;
  });
