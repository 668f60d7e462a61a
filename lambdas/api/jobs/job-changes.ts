import { isDeepStrictEqual } from 'node:util';

import type { Random } from '../../core/clock/random';
import { DEFINITION_FIELDS } from '../../core/http/job';
import type { JobRef } from '../../core/contracts/tables';
import { jobKeyOf } from '../../core/contracts/tables';
import { expiresAtSecAfter } from '../../core/domain/timing';
import type { IdempotencyStamp, Job, JobDefinition } from '../../core/domain/job';
import { parseDuration } from '../../core/schedule/duration';
import type { Schedule } from '../../core/schedule/schedule';
import { ScheduleError } from '../../core/schedule/schedule-error';
import { validateSchedule } from '../../core/schedule/validate';
import { scheduleOf } from '../../core/domain/entry-planning';
import { invalidField } from '../http/problem';

/** What a change of a job needs to know of the moment. */
export interface ChangeDeps {
  nowMs: number;
  random: Random;
  retentionDays: number;
}

/** A job that did not exist. Throws `ProblemError` 400 where its schedule has no future. */
export function newJob(
  ref: JobRef,
  definition: JobDefinition,
  deps: ChangeDeps,
  origin: { idempotency?: IdempotencyStamp; deliveryDepth?: number } = {},
): Job {
  const { nowMs } = deps;
  const job: Job = {
    ...ref,
    ...definition,
    status: 'active',
    ...newGeneration(0, deps.random),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    scheduleChangedAtMs: nowMs,
    activeSinceMs: nowMs,
    ...(origin.idempotency ? { idempotency: origin.idempotency } : {}),
    ...(origin.deliveryDepth ? { deliveryDepth: origin.deliveryDepth } : {}),
  };
  return withExpiry(job, futureOf(job, nowMs), deps);
}

/**
 * The same job with another definition; the very same object where nothing differs. Only a change of
 * `schedule` begins a new generation, with `deliveryDepth` deliveries before its own. Throws `ProblemError` 400 where a changed schedule
 * has no future.
 */
export function withDefinition(
  current: Job,
  definition: JobDefinition,
  deps: ChangeDeps,
  { deliveryDepth }: { deliveryDepth?: number },
): Job {
  const changed = DEFINITION_FIELDS.filter((field) => !isDeepStrictEqual(current[field], definition[field]));
  if (changed.length === 0) return current;
  const rest: Partial<Job> = { ...current };
  for (const field of DEFINITION_FIELDS) delete rest[field];
  const next: Job = { ...(rest as Omit<Job, keyof JobDefinition>), ...definition, ...touched(deps) };
  if (!changed.includes('schedule')) return withExpiry(next, scheduleOf(next), deps);
  const renewed = {
    ...atDepth(next, deliveryDepth),
    ...newGeneration(current.generation, deps.random),
    scheduleChangedAtMs: deps.nowMs,
  };
  return withExpiry(renewed, futureOf(renewed, deps.nowMs), deps);
}

/** The very same object where it is paused already. */
export function paused(current: Job, deps: ChangeDeps): Job {
  if (current.status === 'paused') return current;
  return {
    ...current,
    ...touched(deps),
    ...newGeneration(current.generation, deps.random),
    status: 'paused',
    pausedAtMs: deps.nowMs,
  };
}

/** The very same object where it is active already. Then `deliveryDepth` deliveries stand before its own. */
export function resumed(current: Job, deps: ChangeDeps, { deliveryDepth }: { deliveryDepth?: number }): Job {
  if (current.status === 'active') return current;
  const { pausedAtMs: _, ...rest } = current;
  return {
    ...atDepth(rest, deliveryDepth),
    ...touched(deps),
    ...newGeneration(current.generation, deps.random),
    status: 'active',
    activeSinceMs: deps.nowMs,
  };
}

/** A chain of deliveries goes on in what it sets going, and ends where a person does that. */
const atDepth = ({ deliveryDepth: _, ...job }: Job, deliveryDepth: number | undefined): Job =>
  deliveryDepth === undefined ? job : { ...job, deliveryDepth };

const touched = ({ nowMs, random }: ChangeDeps) => ({ updatedAtMs: nowMs, etag: random.id() });

const newGeneration = (last: number, random: Random) => ({
  generation: last + 1,
  revision: random.id(),
  etag: random.id(),
});

function futureOf(job: Job, nowMs: number): Schedule {
  try {
    const context = { jobKey: jobKeyOf(job), changedAtMs: job.scheduleChangedAtMs };
    return validateSchedule(job.schedule, context, nowMs);
  } catch (error) {
    if (error instanceof ScheduleError) throw invalidField(schedulePath(error), error.message);
    throw error;
  }
}

export const schedulePath = ({ path }: ScheduleError): string => (path ? `schedule.${path}` : 'schedule');

/** A one-time job's row may go once its history has gone too; a recurring one's stays. */
function withExpiry(given: Job, schedule: Schedule, { retentionDays }: ChangeDeps): Job {
  const { expiresAtSec: _, ...job } = given;
  const dueAtMs = schedule.oneTime ? schedule.next(job.scheduleChangedAtMs) : undefined;
  if (dueAtMs === undefined) return job;
  const settledByMs = dueAtMs + parseDuration(job.retry.maxAge) + parseDuration(job.timeout);
  return { ...job, expiresAtSec: expiresAtSecAfter(settledByMs, retentionDays) };
}
