import { parseCompactInstant } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { runOf } from '../../../lambdas/core/domain/workflow/task-id';
import type { CronSpec } from '../../../lambdas/core/schedule/spec';
import { type NaiveCron, naiveTimes } from '../../support/naive-cron';
import { type Call, idOf, isManual, isTask, type Story } from '../story';
import { rowsOf } from '../story-index';
import { broken, clockTime, open, type Violation } from '../violation';
import { PATIENCE, periodsOf, recordOf } from './occurrences';

const MINUTE_MS = 60_000;
/** Local times occur twice within three hours. */
const MARGIN_MS = 180 * MINUTE_MS;

/** A job whose due times this file knows by itself: each minute is read off the wall clock of its zone. */
type ZonedJob = Job & { schedule: CronSpec & { timezone: string } };

/** Five fields, of which minutes and hours alone are restricted. */
const OF_HOURS = /^\S+ \S+ \* \* \*$/;

const isZoned = (job: Job): job is ZonedJob =>
  typeof job.schedule !== 'string' &&
  job.schedule.type === 'cron' &&
  job.schedule.timezone !== undefined &&
  [job.schedule.jitter, job.schedule.maxRuns, job.schedule.startAt, job.schedule.endAt].every(
    (bound) => bound === undefined,
  ) &&
  job.calendars === undefined &&
  OF_HOURS.test(job.schedule.expression);

/** Jobs with a time zone run at the local times of their expression, whatever the clocks do there. */
export function checkWallTimes(story: Story): Violation[] {
  return [...story.versions].flatMap(([jobKey, versions]) => {
    const jobs = versions.flatMap(({ job }) => job ?? []);
    if (!jobs.some(isZoned)) return [];
    const called = jobs.every(isZoned) ? [...checkCalls(jobKey, jobs, story)] : [];
    return [...called, ...checkOwed(jobKey, story)];
  });
}

/** No call for a local time that the expression does not have, or that is excluded. */
function* checkCalls(jobKey: string, jobs: readonly ZonedJob[], story: Story): Generator<Violation> {
  const specs = new Map(jobs.map(({ schedule }) => [JSON.stringify(schedule), schedule]));
  const fromMs = minuteAt(story.records[0]!.t);
  // A call may be early by its clock, so times right after the end count.
  // A clock that is ahead may call right before the end what is due right after it.
  const due = new Set([...specs.values()].flatMap((spec) => timesOf(spec, fromMs, story.endMs + MINUTE_MS)));
  for (const call of story.calls) {
    // A task is due when it is ready: the local time is that of its run.
    const dueAtMs = isTask(call.execId) ? parseCompactInstant(runOf(call.execId)) : call.dueAtMs;
    if (call.jobKey !== jobKey || isRequested(call, story) || due.has(dueAtMs)) continue;
    yield broken('ghost', `${idOf(call)} is no local time of its schedule`);
  }
}

/**
 * A user may retry what an entry of a lost change has left. The job never planned it. It has a record that
 * refuses the message that may be out.
 */
const isRequested = (call: Call, story: Story): boolean =>
  isManual(call.execId) ||
  (story.states.get(idOf(call)) ?? []).some(
    ({ execution: { fence, userRetries } }) => fence === call.fence && userRetries !== undefined,
  );

/** Each local time of the expression has its record. */
function* checkOwed(jobKey: string, story: Story): Generator<Violation> {
  const { changeMarginMs, settledMs } = story.conditions.patience ?? PATIENCE;
  const rows = rowsOf(story, jobKey);
  for (const period of periodsOf(story.versions.get(jobKey) ?? [])) {
    const { job } = period;
    if (!isZoned(job) || job.status === 'paused') continue;
    const sinceMs = Math.max(period.fromMs, job.activeSinceMs, job.scheduleChangedAtMs) + changeMarginMs;
    const untilMs = Math.min(period.untilMs - changeMarginMs, story.endMs - settledMs);
    for (const dueAtMs of timesOf(job.schedule, minuteAt(sinceMs) + MINUTE_MS, untilMs + 1)) {
      if (recordOf(rows, dueAtMs)) continue;
      yield open('lost', `${jobKey} due ${clockTime(dueAtMs)} by its wall clock has no record`);
    }
  }
}

const minuteAt = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** The due times in `[fromMs, toMs)`, which begins with a full minute. */
export function timesOf(spec: ZonedJob['schedule'], fromMs: number, toMs: number): number[] {
  if (toMs <= fromMs) return [];
  const { gap = 'shift', overlap = 'first' } = spec.dst ?? {};
  const window = { fromMs, toMs, stepMs: MINUTE_MS, marginMs: MARGIN_MS };
  return naiveTimes(meaningOf(spec), spec.timezone, { gap, overlap }, window);
}

function meaningOf({ expression, exclude = [] }: CronSpec): NaiveCron {
  const means = (wall: Date): boolean =>
    hasTime(expression, wall) && !exclude.some((one) => typeof one === 'string' && isExcluded(one, wall));
  return { expression, means, interval: expression.split(' ', 2).some((field) => field.startsWith('*')) };
}

function isExcluded(text: string, wall: Date): boolean {
  if (!/^\d{4}-/.test(text)) return hasTime(text, wall);
  const [first, last = first] = text.split('/');
  const day = wall.toISOString().slice(0, 10);
  return first! <= day && day <= last!;
}

/** Whether an expression of five fields has the time. Its last three fields are stars. */
function hasTime(expression: string, wall: Date): boolean {
  const [minutes, hours] = expression.split(' ');
  return has(minutes!, wall.getUTCMinutes()) && has(hours!, wall.getUTCHours());
}

/** Whether a field has the value: a list of `*`, `n` and `a-b`, each with or without a step. */
const has = (field: string, value: number): boolean =>
  field.split(',').some((item) => {
    const [range, step = '1'] = item.split('/') as [string, string?];
    const [from, to = item.includes('/') ? '59' : from] = range === '*' ? ['0', '59'] : range.split('-');
    return value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0;
  });
