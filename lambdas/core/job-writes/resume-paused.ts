import { MINUTE_MS } from '../clock/clock';
import { jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Author } from '../domain/actor';
import { scheduleOf } from '../domain/entry-planning';
import { expectationEntry, firstExpectation } from '../domain/expectation';
import { changeTimeMs, isPausedAt, type Job, plannedSinceMs } from '../domain/job';
import { jobResumedBy } from '../domain/job-revision';
import { activeSinceMsOf, isToBeResumed, type Resumption, resumptionOf } from '../domain/resumption';
import { startDeadline } from '../store/write-deadline';
import { writePlanned } from './write-planned';

const AUTHOR: Author = {
  by: { sub: 'pause', name: null, via: 'system' },
  note: 'resumed as asked when it was paused',
};
const MAX_TRIES = 5;
/** The sweeper resumes a job within this, unless maintenance mode or an outage delays it. */
const RESUMED_WITHIN_MS = 30 * MINUTE_MS;

/**
 * Resumes a job whose pause was to end at a time, at that time or after it. The job counts as active from the
 * millisecond before, so that what is due at the very instant fires. The misfire policy decides on what has
 * been due since. If the pause has ended already, or another one has begun, changes nothing.
 *
 * Throws if a store or queue fails, if the schedule cannot be read, and if other processes keep changing the
 * job.
 */
export async function resumeAsAsked(
  asked: Resumption,
  seen: Job | undefined,
  deps: StageDeps,
): Promise<'resumed' | 'outdated'> {
  let job = seen;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!job || !isToBeResumed(asked, job)) return 'outdated';
    const shardCount = await deps.shardCount();
    const moment = startDeadline(deps.clock);
    const nowMs = changeTimeMs(job, moment.nowMs);
    const activeSinceMs = activeSinceMsOf(asked);
    const active = jobResumedBy(job, AUTHOR, { nowMs, activeSinceMs }, deps.random);
    const expected = firstExpectation(active);
    const write = {
      ...moment,
      job: active,
      schedule: scheduleOf(active),
      shardCount,
      afterMs: plannedSinceMs(active),
      pausedUntilMs: activeSinceMs,
      others: expected ? [expectationEntry(active, expected, { shardCount, fromMs: moment.nowMs })] : [],
    };
    const written = await writePlanned(job, write, deps);
    if (written.outcome === 'replaced') return 'resumed';
    job = written.current;
  }
  throw new Error(`other processes keep changing ${jobKeyOf(job!)}`);
}

/**
 * The job as another change finds it at `nowMs`. If its pause should have ended by then, it is resumed first:
 * that change is no reason not to run what has been due since. Throws as `resumeAsAsked` does.
 *
 * @returns the very object `job` if nothing was to be done; undefined if the job is gone
 */
export async function resumedFirst(
  job: Job,
  nowMs: number,
  deps: StageDeps,
  beforeWrites: () => Promise<void> = async () => undefined,
): Promise<Job | undefined> {
  const asked = resumptionOf(job);
  if (!asked || isPausedAt(job, nowMs)) return job;
  await beforeWrites();
  await resumeAsAsked(asked, job, deps);
  return deps.jobs.get(job);
}

/**
 * Resumes a job whose pause should have ended half an hour ago: its entry is lost, or no sweeper has reached
 * it. Jobs that were not paused so cost nothing.
 */
export async function ensureResumed(job: Job, deps: StageDeps): Promise<'in-time' | 'repaired'> {
  const asked = resumptionOf(job);
  if (!asked || deps.clock.nowMs() - asked.atMs <= RESUMED_WITHIN_MS) return 'in-time';
  // The scan may be stale.
  const outcome = await resumeAsAsked(asked, await deps.jobs.get(job), deps);
  return outcome === 'resumed' ? 'repaired' : 'in-time';
}
