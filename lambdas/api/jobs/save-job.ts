import { jobKeyOf, type JobRef } from '../../core/contracts/tables';
import { firstEntry, scheduleOf } from '../../core/domain/entry-planning';
import { dispatchAhead } from '../../core/dispatch/dispatch-ahead';
import { usageOf } from '../../core/quotas/usage-of';
import type { Job } from '../../core/domain/job';
import { shardOf } from '../../core/domain/shard';
import { withinDeadline, startDeadline } from '../http/write-deadline';
import { type IfMatch, matches } from '../http/etag';
import type { ChangeDeps } from './job-changes';
import { recordPausedRange } from './record-paused-range';
import { conflict, preconditionFailed } from '../http/problem';
import { usageChange } from './charge-quotas';
import type { ApiDeps } from '../request';

const MAX_TRIES = 5;

export interface Saved {
  job: Job;
  outcome: 'created' | 'replaced' | 'unchanged';
}

/** What a job shall be, as of the moment of its change; the very same object for no change. */
export type Change = (at: ChangeDeps) => Job;

/**
 * Makes a job, or changes one. `decide` says how, given what it is. It may take its time: the moment comes after it. Where
 * somebody else was faster, it decides again on what they wrote, a few times; with `If-Match` that is a 412.
 *
 * Order of writes: the entry of the first due time → the job (conditional) → the scanner's step where no
 * scanner may come by in time. An entry without its job is settled later, a job without an entry would be
 * lost. The job's write is given up (503) once the entry may be behind the sweep.
 */
export async function saveJob(
  ref: JobRef,
  from: { seen: Job | undefined; ifMatch?: IfMatch; ifNoneMatch?: IfMatch },
  decide: (current: Job | undefined) => Change | Promise<Change>,
  deps: ApiDeps,
): Promise<Saved> {
  let current = from.seen;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (from.ifMatch && !matches(from.ifMatch, current)) throw preconditionFailed();
    if (from.ifNoneMatch && matches(from.ifNoneMatch, current))
      throw preconditionFailed('there is a job that If-None-Match excludes');
    const change = await decide(current);
    const shardCount = await deps.shardCount();
    const stamp = startDeadline(deps.clock);
    const next = change({
      nowMs: stamp.nowMs,
      random: deps.random,
      retentionDays: deps.retentionDays,
    });
    if (next === current) return { job: current, outcome: 'unchanged' };

    const usage = usageChange(current && usageOf(current, stamp.nowMs), usageOf(next, stamp.nowMs));
    await deps.quotas.charge(ref.userId, usage);
    if (current && current.revision !== next.revision) await recordPausedRange(current, stamp.nowMs, deps);
    const fires = next.status === 'active' && current?.revision !== next.revision;
    const shard = shardOf(jobKeyOf(ref), shardCount);
    const entry = fires ? firstEntry(next, scheduleOf(next), shard, stamp.nowMs) : undefined;
    if (entry) await deps.schedule.putEntries([entry], stamp.leftMs());

    const seen = current;
    const write = await withinDeadline(stamp, () => writeJob(next, seen, deps), deps);
    if (write.outcome === 'created' || write.outcome === 'replaced') {
      if (entry) await dispatchNow(next, () => dispatchAhead(entry, next, deps), deps);
      return { job: next, outcome: write.outcome };
    }
    await deps.quotas.giveBack(ref.userId, usage);
    current = write.current;
  }
  throw conflict('the job is being changed by others at the same time; read it again and repeat');
}

const writeJob = async (next: Job, seen: Job | undefined, { jobs }: ApiDeps) =>
  seen ? await jobs.replace(next, seen.etag) : await jobs.create(next);

/**
 * The job stands by now, and its entry too: what fails here comes late (the second look does the same step),
 * but it does come, so the answer is the job.
 */
async function dispatchNow(job: Job, step: () => Promise<void>, { log }: ApiDeps): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.error('first occurrences are left to the second look', error, { job: jobKeyOf(job) });
  }
}
