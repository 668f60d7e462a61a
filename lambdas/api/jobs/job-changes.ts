import { isDeepStrictEqual } from 'node:util';

import { SECOND_MS } from '../../core/clock/clock';
import type { Random } from '../../core/clock/random';
import { DEFINITION_FIELDS } from '../../core/domain/definition-fields';
import type { JobRef } from '../../core/contracts/tables';
import { withExpiry } from '../../core/job-writes/expiry';
import type { IdempotencyStamp, Job, JobDefinition } from '../../core/domain/job';
import type { WorkflowRef } from '../../core/domain/workflow/definition';
import {
  changedBy,
  FIRST_CHANGE,
  newGeneration,
  jobPausedBy,
  jobResumedBy,
} from '../../core/domain/job-revision';
import { expectingSince } from '../../core/domain/expectation';
import { isSameSchedule } from '../../core/schedule/same-schedule';
import type { Schedule } from '../../core/schedule/schedule';
import { ScheduleError } from '../../core/schedule/schedule-error';
import { validateSchedule } from '../../core/schedule/validate';
import {
  decidedAfterMs,
  monitorTargetOf,
  scheduleContextOf,
  scheduleOf,
} from '../../core/domain/entry-planning';
import type { Author } from '../../core/domain/actor';
import type { TraceContext } from '../../core/domain/trace';
import { invalidField } from '../http/problem';
import type { ApiDeps } from '../request';

/** A job as it is to be stored, and its schedule, parsed once for all who need it. */
export interface JobWithSchedule {
  job: Job;
  schedule: Schedule;
}

export const withSchedule = (job: Job): JobWithSchedule => ({ job, schedule: scheduleOf(job) });

/** Who makes a change, whether a delivery led to it, and the trace of its request. */
export interface ChangeOrigin extends Author {
  deliveryDepth?: number | undefined;
  trace?: TraceContext | undefined;
  /** The number of the change that is restored. */
  restoredFrom?: number;
}

/**
 * A definition that was checked, with the calendars that its schedule names as they are now, and with what
 * its schema leaves unchecked.
 */
export type CheckedDefinition = JobDefinition & Pick<Job, 'calendars' | 'payloadSchemaUnchecked'>;

type ChangeDeps = Pick<ApiDeps, 'random' | 'retentionDays'>;
/** Whether a field of a definition stays as it is. */
type IsSame = (before: unknown, after: unknown, field: keyof JobDefinition) => boolean;
export const sameValue: IsSame = (before, after, field) =>
  field === 'workflow' ? versionIn(before) === versionIn(after) : isDeepStrictEqual(before, after);

const versionIn = (value: unknown): string | undefined => (value as WorkflowRef | undefined)?.version;

/** A job that did not exist. Throws `ProblemError` 400 if its schedule has no occurrence after `nowMs`. */
export function newJob(
  ref: JobRef,
  definition: CheckedDefinition,
  origin: ChangeOrigin & { idempotency?: IdempotencyStamp },
  nowMs: number,
  deps: ChangeDeps,
): JobWithSchedule {
  const job: Job = {
    ...ref,
    ...definition,
    ...workflowAfter(undefined, definition, deps.random),
    status: 'active',
    ...newGeneration(0, deps.random),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    scheduleChangedAtMs: nowMs,
    activeSinceMs: nowMs,
    by: origin.by,
    changeNumber: FIRST_CHANGE,
    ...(origin.note !== undefined && { note: origin.note }),
    ...(origin.idempotency ? { idempotency: origin.idempotency } : {}),
    ...(origin.deliveryDepth ? { deliveryDepth: origin.deliveryDepth } : {}),
    ...(origin.trace && { trace: origin.trace }),
  };
  return withExpiry(expectingSince(job, nowMs), futureScheduleOf(job, nowMs), deps);
}

/**
 * A job with another definition; the very same object if nothing differs. Only another meaning of
 * `schedule` begins a new generation, which then has the `deliveryDepth` of this change. Throws
 * `ProblemError` 400 if a changed schedule has no occurrence after `nowMs`.
 */
export function withDefinition(
  current: Job,
  { calendars, payloadSchemaUnchecked, ...definition }: CheckedDefinition,
  origin: ChangeOrigin,
  nowMs: number,
  { isSame = sameValue, ...deps }: ChangeDeps & { isSame?: IsSame },
): JobWithSchedule {
  const changed = DEFINITION_FIELDS.filter((field) => !isSame(current[field], definition[field], field));
  if (changed.length === 0) return withSchedule(current);
  const rest: Partial<Job> = { ...current };
  delete rest.payloadSchemaUnchecked;
  for (const field of DEFINITION_FIELDS) delete rest[field];
  const merged: Job = {
    ...(rest as Omit<Job, keyof JobDefinition>),
    ...definition,
    ...(payloadSchemaUnchecked && { payloadSchemaUnchecked }),
    ...workflowAfter(current, definition, deps.random),
  };
  const redefined = changed.includes('expectEvery') ? expectingSince(merged, nowMs) : merged;
  const { restoredFrom: from } = origin;
  const next = {
    ...inTrace(changedBy(redefined, origin, nowMs, deps.random), origin),
    ...(from !== undefined && { lastChange: { what: 'restored', from } as const }),
  };
  if (isPlannedAlike(current, next)) return withExpiry(next, scheduleOf(next), deps);
  const { calendars: _, replannedAtMs: __, runsBase: ___, ...unplanned } = next;
  const rescheduled: Job = {
    ...atDepth(unplanned, origin.deliveryDepth),
    ...(calendars && { calendars }),
    ...newGeneration(current.generation, deps.random),
    scheduleChangedAtMs: nowMs,
  };
  return withExpiry(rescheduled, futureScheduleOf(rescheduled, nowMs), deps);
}

/** The entries of a monitor lie as long after the due times as it waits for pings. */
const isPlannedAlike = (before: Job, after: Job): boolean =>
  isSameSchedule(before.schedule, after.schedule) && decidedAfterMs(before) === decidedAfterMs(after);

/** The workflow of a changed job: the next number, unless its version stays. */
function workflowAfter(
  current: Job | undefined,
  { workflow }: JobDefinition,
  random: Random,
): Pick<JobDefinition, 'workflow'> {
  if (!workflow) return {};
  const before = current?.workflow;
  if (before?.version === workflow.version) return { workflow: { ...before, content: workflow.content } };
  return { workflow: { ...workflow, number: (before?.number ?? 0) + 1, savedBy: random.id() } };
}

/** The job, paused; the very same object if a user has paused it already, with the same end. */
export const paused = (
  current: Job,
  origin: Author,
  pause: { nowMs: number; resumeAtMs: number | undefined },
  { random }: ChangeDeps,
): JobWithSchedule => withSchedule(pausedByUser(current, origin, pause, random));

/** A pause by `pauseAfter` goes on, and is the user's from then on. */
function pausedByUser(
  current: Job,
  origin: Author,
  pause: { nowMs: number; resumeAtMs: number | undefined },
  random: Random,
): Job {
  if (current.status !== 'paused' || current.resumeAtMs !== pause.resumeAtMs)
    return jobPausedBy(current, origin, pause, random);
  if (current.pausedVia !== 'system') return current;
  const { pausedVia: _, ...rest } = current;
  return { ...changedBy(rest, origin, pause.nowMs, random), lastChange: { what: 'paused' } };
}

/**
 * The job, active from now on, with the `deliveryDepth` of this change; the very same object if it is active.
 */
export function resumed(
  current: Job,
  origin: ChangeOrigin,
  nowMs: number,
  { random }: ChangeDeps,
): JobWithSchedule {
  if (current.status === 'active') return withSchedule(current);
  const job = jobResumedBy(current, origin, { nowMs, activeSinceMs: nowMs }, random);
  return withSchedule(atDepth(inTrace(job, origin), origin.deliveryDepth));
}

/** A change by a delivery continues the count of deliveries in a row. A change by a person resets it. */
const atDepth = ({ deliveryDepth: _, ...job }: Job, deliveryDepth: number | undefined): Job =>
  deliveryDepth === undefined ? job : { ...job, deliveryDepth };

/** The trace of the change, in place of that of the change before. */
const inTrace = ({ trace: _, ...job }: Job, { trace }: ChangeOrigin): Job =>
  trace ? { ...job, trace } : job;

/** Throws `ProblemError` 400 if the schedule is invalid, or has no occurrence after `nowMs`. */
function futureScheduleOf(job: Job, nowMs: number): Schedule {
  try {
    const schedule = validateSchedule(job.schedule, scheduleContextOf(job), nowMs);
    checkWait(job, schedule, nowMs);
    return schedule;
  } catch (error) {
    if (error instanceof ScheduleError) throw invalidField(schedulePath(error), error.message);
    throw error;
  }
}

/** Due times whose distances are compared with the wait of a monitor. */
const COMPARED = 20;

/** Throws `ProblemError` 400 for a monitor whose later occurrences would take the pings of earlier ones. */
function checkWait({ target }: Job, schedule: Schedule, nowMs: number): void {
  const monitor = monitorTargetOf({ target });
  if (!monitor) return;
  const waitMs = decidedAfterMs({ target });
  let dueAtMs = schedule.next(nowMs);
  for (let count = 1; count < COMPARED && dueAtMs !== undefined; count++) {
    const nextMs = schedule.next(dueAtMs);
    if (nextMs !== undefined && nextMs - dueAtMs < waitMs)
      throw invalidField(
        'target.pingWithin',
        `${JSON.stringify(monitor.pingWithin)} is out of range: must be at most ${(nextMs - dueAtMs) / SECOND_MS}s, the time between two due times`,
      );
    dueAtMs = nextMs;
  }
}

/** The path of a problem's field for an error in a `schedule`. */
export const schedulePath = ({ path }: ScheduleError): string => (path ? `schedule.${path}` : 'schedule');
