import { DAY_MS, instantText, SECOND_MS } from '../../core/clock/clock';
import { MAX_BACKFILL_DATES } from '../../core/domain/workflow/backfill';
import { scheduleContextOf } from '../../core/domain/entry-planning';
import type { Job } from '../../core/domain/job';
import { scheduleOfAllTimes } from '../../core/schedule/all-times';
import { cpuBudget } from '../http/cpu-budget';
import { conflict, invalidField } from '../http/problem';
import type { ApiDeps } from '../request';

/** From the first date to the last. */
export const MAX_RANGE_MS = 36_525 * DAY_MS;
const CPU_BUDGET_MS = 2 * SECOND_MS;

/** Due times from `fromMs` on, before `toMs`. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/**
 * The due times of a job's schedule in a range, in order. It does not matter when the job was created or
 * paused, nor do `startAt`, `endAt` and `maxRuns`. Throws `ProblemError` 400 for a range that is too long, or
 * has more than 10,000 of them. 409: the schedule has none at all.
 */
export function dueTimesIn(job: Job, { fromMs, toMs }: TimeRange, deps: Pick<ApiDeps, 'cpuMs'>): number[] {
  checkHasDueTimes(job);
  if (toMs - fromMs > MAX_RANGE_MS)
    throw invalidField('to', `${instantText(toMs)} is too late: at most 100 years after from are allowed`);
  const schedule = scheduleOfAllTimes(job.schedule, scheduleContextOf(job), fromMs);
  const isSpent = cpuBudget(deps, CPU_BUDGET_MS);
  const times: number[] = [];
  let atMs = schedule.next(fromMs - 1, toMs - 1);
  while (atMs !== undefined) {
    times.push(atMs);
    if (times.length > MAX_BACKFILL_DATES) throw tooMany(toMs, times);
    if (isSpent())
      throw invalidField('to', `${instantText(toMs)} is too late: its due times take too long to list`);
    atMs = schedule.next(atMs, toMs - 1);
  }
  return times;
}

/** Names the last `to` that would do: the due time that is one too many. */
const tooMany = (toMs: number, times: readonly number[]) =>
  invalidField(
    'to',
    `${instantText(toMs)} is too late: a backfill has at most ${MAX_BACKFILL_DATES} dates, and there are more; ` +
      `with this from, to is allowed up to ${instantText(times.at(-1)!)}`,
  );

function checkHasDueTimes({ schedule, jobId }: Job): void {
  if (typeof schedule === 'string') return;
  if (schedule.type !== 'none' && schedule.type !== 'after' && schedule.type !== 'event') return;
  throw conflict(
    `job ${JSON.stringify(jobId)} has a schedule of type ${schedule.type}: without due times, there is nothing ` +
      'to backfill; run it instead',
  );
}
