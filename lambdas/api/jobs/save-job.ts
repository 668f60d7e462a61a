import { jobKeyOf } from '../../core/contracts/tables';
import { firstEntry } from '../../core/domain/entry-planning';
import type { Usage } from '../../core/quotas/usage';
import { usageOf } from '../../core/quotas/usage-of';
import { changeTimeMs, type Job } from '../../core/domain/job';
import { usesOf, usesThing } from '../../core/domain/uses';
import type { Entry, OccurrenceEntry } from '../../core/domain/entry';
import { expectationEntry, firstExpectation } from '../../core/domain/expectation';
import { isToBeResumed, resumptionEntry, resumptionOf } from '../../core/domain/resumption';
import { shardOf } from '../../core/domain/shard';
import { replanJob } from '../../core/job-writes/replan-job';
import type { Use } from '../../core/store/uses-store';
import type { Schedule } from '../../core/schedule/schedule';
import { startDeadline, type WriteDeadline } from '../../core/store/write-deadline';
import { keepPingKey } from '../pings/ping-keys';
import { type JobWithSchedule, withSchedule } from './job-changes';
import { conflict } from '../http/problem';
import type { PendingMisfits } from './pending-misfits';
import { putVersion } from './workflow-versions';
import { usageChange } from './charge-quotas';
import type { ApiDeps } from '../request';

export const MAX_TRIES = 5;

export interface SavedJob extends JobWithSchedule {
  outcome: 'created' | 'replaced' | 'unchanged';
  /** Only of a dry run that changes the schema of payloads. */
  misfits?: PendingMisfits | undefined;
}

/** Inserts a job, or changes `current`. In a dry run, another function checks it. */
export type Save = (
  current: Job | undefined,
  next: JobWithSchedule,
  moment: ChangeMoment,
  deps: ApiDeps,
) => Promise<SavedJob | LostRace>;

/** Another request changed the job first: `current` is what it wrote, undefined if it deleted the job. */
export interface LostRace {
  outcome: 'lost-race';
  current?: Job;
}

/** The moment of a change. Its time is stamped on the job and on its entry. */
export interface ChangeMoment extends WriteDeadline {
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

/** What a save plans, beside the state of the job. */
interface SavePlan {
  /** Whether the job fires by it: then it has the entry of its first due time, if there is one. */
  fires: boolean;
  /** The entries by which the job has to succeed, or is resumed, if it begins to have such a time. */
  ofJob: readonly Entry[];
  /** Entries of the minute that it is charged for. */
  entries: number;
}

export function planOf(current: Job | undefined, job: Job, moment: ChangeMoment): SavePlan {
  const fires = job.status === 'active' && current?.revision !== job.revision;
  const ofJob = [...newExpectation(current, job, moment), ...newResumption(current, job, moment)];
  return { fires, ofJob, entries: fires || ofJob.length > 0 ? 1 : 0 };
}

/**
 * Charges the quotas for a job that is to be written, before anything is. Throws `ProblemError` 429.
 *
 * @param current the state before; undefined: the job is new
 * @returns the usage to give back if the write loses its race
 */
export async function chargeSave(
  current: Job | undefined,
  { job, schedule }: JobWithSchedule,
  entries: number,
  { nowMs }: ChangeMoment,
  { quotas }: ApiDeps,
): Promise<Usage> {
  if (entries > 0) await quotas.chargeRate(job.userId, 'changes', entries);
  const usage = usageChange(current && usageOf(current, nowMs), usageOf(job, nowMs, schedule));
  await quotas.charge(job.userId, usage);
  return usage;
}

/** Writes what the job names and its state before does not: rows of uses, marks, its workflow's version. */
export async function putNamed(
  current: Job | undefined,
  job: Job,
  moment: ChangeMoment,
  deps: ApiDeps,
): Promise<void> {
  const uses = newUses(current, job, moment.nowMs);
  await deps.uses.put(uses);
  await setAwaited(uses, deps);
  await putVersion(current, job, moment, deps);
  await keepPingKey(current, job, deps);
}

/**
 * Writes the entries of a job, before the job. The write of the job is given up (503) at the deadline, before
 * the sweeper can reach them.
 *
 * @returns the entry of the first due time
 */
export async function putEntries(
  { job, schedule }: JobWithSchedule,
  { fires, ofJob }: SavePlan,
  moment: ChangeMoment,
  { schedule: entryStore }: ApiDeps,
): Promise<OccurrenceEntry | undefined> {
  const shard = shardOf(jobKeyOf(job), moment.shardCount);
  const first = fires ? firstEntry(job, schedule, shard, moment.nowMs) : undefined;
  const entries = [...(first ? [first] : []), ...ofJob];
  if (entries.length > 0) await entryStore.putEntries(entries, moment.leftMs());
  return first;
}

/** Takes back what a save has charged that lost its race to `winner`. */
export async function giveBack(
  job: Job,
  winner: Job | undefined,
  usage: Usage,
  deps: ApiDeps,
): Promise<LostRace> {
  await deps.quotas.giveBack(job.userId, usage);
  return { outcome: 'lost-race', current: winner };
}

/** The entry of the first expectation, if the job begins to have a success every so often. */
function newExpectation(current: Job | undefined, job: Job, { nowMs, shardCount }: ChangeMoment): Entry[] {
  const expected = firstExpectation(job);
  if (!expected || (current && firstExpectation(current)?.sinceMs === expected.sinceMs)) return [];
  return [expectationEntry(job, expected, { shardCount, fromMs: nowMs })];
}

/** The entry by which the job is resumed, if it begins to have such a time. */
function newResumption(current: Job | undefined, job: Job, { nowMs, shardCount }: ChangeMoment): Entry[] {
  const asked = resumptionOf(job);
  if (!asked || (current && isToBeResumed(asked, current))) return [];
  return [resumptionEntry(job, asked, { shardCount, fromMs: nowMs })];
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
export async function asPlannedNow(job: Job, schedule: Schedule, deps: ApiDeps): Promise<JobWithSchedule> {
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
