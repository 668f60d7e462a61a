import { countToMove, moveWaiting } from '../../core/attempts/move-waiting';
import { expectationEntry } from '../../core/alerts/expectations';
import { jobKeyOf } from '../../core/contracts/tables';
import { firstEntry } from '../../core/domain/entry-planning';
import { dispatchAhead } from '../../core/dispatch/dispatch-ahead';
import { usageOf } from '../../core/quotas/usage-of';
import { changeTimeMs, type Job } from '../../core/domain/job';
import { usesOf, usesThing } from '../../core/domain/uses';
import type { Entry, OccurrenceEntry } from '../../core/domain/entry';
import { firstExpectation } from '../../core/domain/expectation';
import { shardOf } from '../../core/domain/shard';
import { recordPausedRange } from '../../core/job-writes/record-paused-range';
import { replanJob } from '../../core/job-writes/replan-job';
import type { Use } from '../../core/store/uses-store';
import type { Schedule } from '../../core/schedule/schedule';
import type { WriteOptions } from '../../core/store/write-options';
import { checkCauses, jobsOf, checkChildren } from './check-references';
import { startDeadline, withinDeadline, type WriteDeadline } from '../../core/store/write-deadline';
import { type JobWithSchedule, withSchedule } from './job-changes';
import { keepState } from '../../core/job-writes/keep-state';
import { conflict } from '../http/problem';
import { expireVersion, putVersion } from './workflow-versions';
import { removeExpectation } from '../../core/job-writes/remove-expectation';
import { removePendingEntry } from '../../core/job-writes/remove-pending-entry';
import { usageChange } from './charge-quotas';
import type { ApiDeps } from '../request';

export const MAX_TRIES = 5;
/** Share of `changesPerMinute` that a change of a job may take for work that moves to another queue. */
const MOVED_SHARE = 0.1;

export interface SavedJob extends JobWithSchedule {
  outcome: 'created' | 'replaced' | 'unchanged';
}

/** How a change ends: `saveJob` makes it; in a dry run, another function checks it. */
export type Save = typeof saveJob;

/** Another request changed the job first: `current` is what it wrote, undefined if it deleted the job. */
interface LostRace {
  outcome: 'lost-race';
  current?: Job;
}

/** The moment of a change. Its time is stamped on the job and on its entry. */
interface ChangeMoment extends WriteDeadline {
  shardCount: number;
}

/**
 * The moment of a change of `current`; undefined: of a create. Call after all slow work: from here on, the
 * writes of the change have until the deadline.
 */
export async function startChange(
  current: Job | undefined,
  { shardCount, clock }: ApiDeps,
): Promise<ChangeMoment> {
  const count = await shardCount();
  const deadline = startDeadline(clock);
  const nowMs = current ? changeTimeMs(current, deadline.nowMs) : deadline.nowMs;
  return { shardCount: count, ...deadline, nowMs };
}

/**
 * Makes a change. If another request changes the job first, makes the change again on what that request
 * wrote, up to `MAX_TRIES` times in all. Throws `ProblemError` 409 after the last try.
 */
export async function repeatOnLostRace(
  seen: Job | undefined,
  change: (current: Job | undefined) => Promise<SavedJob | LostRace>,
): Promise<SavedJob> {
  let current = seen;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const saved = await change(current);
    if (saved.outcome !== 'lost-race') return saved;
    ({ current } = saved);
  }
  throw conflict('other requests keep changing the job; read it again and repeat the request');
}

/**
 * Stores a new job, or a new state of `current`. A `next.job` that is the very object `current` changes
 * nothing.
 *
 * Order of writes: the state before → rows of what the job uses → the marks of its upstream jobs.
 * Then: the version of its workflow → the entries of the first due time and of `expectEvery` → the job
 * (conditional) → dispatch ahead. Work that waits in a queue that the job has left comes last.
 *
 * Dispatch ahead follows only if the scanner may already have passed the entry's bucket. A kept state without
 * its change is not shown: the job still has its etag. A change without it could not be undone. An entry
 * without its job is settled later; a job without an entry would be lost. The write of the job is given up
 * (503) at the deadline, before the sweeper can reach the entry.
 */
export async function saveJob(
  current: Job | undefined,
  { job, schedule }: JobWithSchedule,
  moment: ChangeMoment,
  deps: ApiDeps,
): Promise<SavedJob | LostRace> {
  if (job === current) return { job, schedule, outcome: 'unchanged' };
  const { nowMs } = moment;
  await checkCauses(current, job, jobsOf(job.userId, deps), deps);
  await checkChildren(current, job, jobsOf(job.userId, deps));
  const isNewRevision = current?.revision !== job.revision;
  const fires = job.status === 'active' && isNewRevision;
  const expectation = newExpectation(current, job, moment);
  const moving = current ? await movedBy(current, job, deps) : 0;
  const changes = moving + (fires || expectation.length > 0 ? 1 : 0);
  if (changes > 0) await deps.quotas.chargeRate(job.userId, 'changes', changes);
  const usage = usageChange(current && usageOf(current, nowMs), usageOf(job, nowMs, schedule));
  await deps.quotas.charge(job.userId, usage);
  if (current && isNewRevision) await recordPausedRange(current, nowMs, deps);
  if (current) await keepState(current, moment, deps);
  const shard = shardOf(jobKeyOf(job), moment.shardCount);
  const entry = fires ? firstEntry(job, schedule, shard, nowMs) : undefined;
  const uses = newUses(current, job, nowMs);
  await deps.uses.put(uses);
  await setAwaited(uses, deps);
  await putVersion(current, job, moment, deps);
  const entries = [...(entry ? [entry] : []), ...expectation];
  if (entries.length > 0) await deps.schedule.putEntries(entries, moment.leftMs());

  const written = await withinDeadline(moment, (options) => writeJob(current, job, options, deps), deps);
  if (written.outcome === 'created' || written.outcome === 'replaced') {
    if (entry) await dispatchFirst(entry, job, deps);
    if (current && isNewRevision) await removePendingEntry(current, moment, deps);
    if (current) await removeExpectation(current, job, moment, deps);
    if (current) await expireVersion(current, job, moment.nowMs, deps);
    if (current && moving > 0) await moveWaiting(current, job, moving, deps);
    return { ...(await asPlannedNow(job, schedule, deps)), outcome: written.outcome };
  }
  await deps.quotas.giveBack(job.userId, usage);
  await expireVersion(job, written.current, moment.nowMs, deps);
  return { outcome: 'lost-race', current: written.current };
}

/** How many executions move to another queue. One change may take a part of the minute's entries for that. */
async function movedBy(current: Job, job: Job, deps: ApiDeps): Promise<number> {
  const most = Math.max(1, Math.floor(deps.deployment.quotas.changesPerMinute * MOVED_SHARE));
  return Math.min(most, await countToMove(current, job, deps));
}

/** The entry of the first expectation, if the job begins to have a success every so often. */
function newExpectation(current: Job | undefined, job: Job, { nowMs, shardCount }: ChangeMoment): Entry[] {
  const expected = firstExpectation(job);
  if (!expected || (current && firstExpectation(current)?.sinceMs === expected.sinceMs)) return [];
  return [expectationEntry(job, expected, { shardCount, fromMs: nowMs })];
}

/**
 * What the job uses and its current state does not. A row of the current state exists already: the auditor
 * removes only those of jobs that do not use it.
 */
function newUses(current: Job | undefined, job: Job, atMs: number): Use[] {
  const { userId, jobId } = job;
  return usesOf(job)
    .filter((thing) => !current || !usesThing(current, thing))
    .map((thing) => ({ userId, jobId, ...thing, atMs }));
}

/**
 * A calendar may have changed after it was read for the job, and may have replanned its jobs before this one
 * was written. Such a job is replanned here. If that fails, or the minute has no room for its entry, the
 * auditor does it.
 */
async function asPlannedNow(job: Job, schedule: Schedule, deps: ApiDeps): Promise<JobWithSchedule> {
  if (!job.calendars) return { job, schedule };
  try {
    const charge = () => deps.quotas.chargeRate(job.userId, 'changes');
    const replanned = await replanJob(job, deps, charge);
    return replanned ? withSchedule(replanned.job) : { job, schedule };
  } catch (error) {
    deps.log.error('a changed calendar is left to the auditor', error, { job: jobKeyOf(job) });
    return { job, schedule };
  }
}

/** From now on, ends of the upstream jobs have a follow-up. One that does not exist yet is marked later. */
async function setAwaited(uses: readonly Use[], { jobs }: ApiDeps): Promise<void> {
  for (const { userId, kind, name, atMs } of uses)
    if (kind === 'job' || kind === 'await') await jobs.setAwaited({ userId, jobId: name }, atMs);
}

const writeJob = async (current: Job | undefined, next: Job, options: WriteOptions, { jobs }: ApiDeps) =>
  current ? await jobs.replace(next, current.etag, options) : await jobs.create(next, options);

/**
 * The job and its entry are written, so a failure here only makes the first occurrences late: the sweeper's
 * recheck dispatches them. The request succeeds.
 */
async function dispatchFirst(entry: OccurrenceEntry, job: Job, deps: ApiDeps): Promise<void> {
  try {
    await dispatchAhead(entry, job, deps);
  } catch (error) {
    deps.log.error('first occurrences are left to the recheck', error, { job: jobKeyOf(job) });
  }
}
