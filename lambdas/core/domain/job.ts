import { createHash } from 'node:crypto';

import { DAY_MS } from '../clock/clock';
import type { Priority } from '../contracts/pools';
import type { ScheduleSpec } from '../schedule/spec';
import type { Actor } from './actor';
import type { RetryPolicy } from './retry-policy';
import type { UsedCalendar } from './calendar';
import type { Target } from './target';
import { CLOCK_SKEW_MS, type DurationBounds } from './timing';
import type { TraceContext } from './trace';
import type { WorkflowRef } from './workflow/definition';

export type Overlap = 'allow' | 'skip' | 'queue' | 'replace';
export type OnFailure = 'continue' | 'block';
export type MisfirePolicy = 'fire-now' | 'fire-once' | 'fire-all' | 'skip';

/** What a user says about a job, with every default filled in. Durations and instants as given. */
export interface JobDefinition {
  name?: string;
  schedule: ScheduleSpec;
  /** The only target, or the first of `targets`. Absent: the job has a workflow. */
  target?: Target;
  /** If there are several: each gets every occurrence. */
  targets?: readonly Target[];
  /** In place of targets: its executions are runs of this workflow. */
  workflow?: WorkflowRef;
  /** Any JSON; the body that the target gets. Absent: an empty body. */
  payload?: unknown;
  /** A JSON Schema of the payload; of a job with a workflow, of the parameters of its runs. */
  payloadSchema?: Readonly<Record<string, unknown>>;
  /** Texts of the payload, header values, and path and query of URLs are templates. Absent: they are not. */
  templates?: true;
  priority: Priority;
  pool: string;
  retry: RetryPolicy;
  misfire: { policy: MisfirePolicy; grace: string; catchUpWindow: string };
  overlap: Overlap;
  /** Executions of the project's jobs that share it run one at a time, in order of their due times. */
  orderingKey: string | null;
  /**
   * Executions of the project's jobs that share it run a limited number at a time. Absent: no limit. Derived:
   * `crm.{{ payload.tenant }}`.
   */
  concurrencyKey?: string;
  /** Whether a failed execution blocks those behind it in its ordering key. */
  onFailure: OnFailure;
  /** Bound on one attempt, e.g. `5m`; of a job with a workflow, on a whole run. */
  timeout: string;
  tags: Record<string, string>;
  /** Templates: what each execution is found by. */
  runTags?: string[];
  /** A template: the name of each execution in another system. */
  externalId?: string;
  /** The job is paused after so many failures in a row. */
  pauseAfter?: { failures: number };
  /** Notifications are told if the job has no success for so long, e.g. `25h`. */
  expectEvery?: string;
  /** A success that takes longer, or less long, is slow or quick to notifications. */
  expectDuration?: DurationBounds;
  /** What is called after each success, or after each failure. */
  onEnd?: { succeeded?: Target; failed?: Target };
}

/** A trace is to end soon: a job that is due later has one of its own. */
const JOINED_WITHIN_MS = DAY_MS;

/**
 * The trace that an occurrence joins: that of the request which planned it, if it is due within a day, and
 * the only one. A job that recurs for years would put the spans of years into one trace.
 */
export function traceJoinedBy(
  { trace, schedule, scheduleChangedAtMs }: Pick<Job, 'trace' | 'schedule' | 'scheduleChangedAtMs'>,
  dueAtMs: number,
): TraceContext | undefined {
  if (!trace || typeof schedule === 'string') return undefined;
  const isOnce = schedule.type === 'at' || schedule.type === 'delay';
  return isOnce && dueAtMs - scheduleChangedAtMs <= JOINED_WITHIN_MS ? trace : undefined;
}

/**
 * An instant after which the job plans by its schedule as it is now: creation, resumption, change of the
 * schedule, or change of a calendar.
 */
export const plannedSinceMs = ({
  activeSinceMs,
  scheduleChangedAtMs,
  replannedAtMs = 0,
}: Pick<Job, 'activeSinceMs' | 'scheduleChangedAtMs' | 'replannedAtMs'>): number =>
  Math.max(activeSinceMs, scheduleChangedAtMs, replannedAtMs);

/** Since when the job plans as it does now, or nothing. */
export const plansSinceMs = (job: Job): number =>
  job.status === 'paused' ? (job.pausedAtMs ?? job.updatedAtMs) : plannedSinceMs(job);

/**
 * Whether a pause is about what falls due at an instant. One that ends at its own time is not about what
 * falls due from then on, also before the job is resumed.
 */
export const isPausedAt = (
  { status, resumeAtMs = Number.POSITIVE_INFINITY }: Pick<Job, 'status' | 'resumeAtMs'>,
  dueAtMs: number,
): boolean => status === 'paused' && dueAtMs < resumeAtMs;

/**
 * The time of a change of a job, by a clock that may be behind that of an earlier change. It is never before
 * the job began to plan as it does now: earlier changes have decided on the occurrences until then.
 *
 * If it would be earlier by more than clocks differ, then one of the two clocks is wrong. The present one
 * counts, so that the job need not wait for the other one's time.
 */
export function changeTimeMs(job: Job, nowMs: number): number {
  const sinceMs = plannedSinceMs(job);
  return sinceMs <= nowMs + CLOCK_SKEW_MS ? Math.max(nowMs, sinceMs) : nowMs;
}

/** All targets; attempts name them by their index. A job with a workflow has none. */
export const targetsOf = ({
  target,
  targets,
}: Pick<JobDefinition, 'target' | 'targets'>): readonly Target[] => targets ?? (target ? [target] : []);

/** Those, and the targets of `onEnd`. */
export const everyTargetOf = (job: Pick<JobDefinition, 'target' | 'targets' | 'onEnd'>): Target[] => [
  ...targetsOf(job),
  ...[job.onEnd?.succeeded, job.onEnd?.failed].filter((target) => target !== undefined),
];

/** Whether something follows from the ends of a job's executions, beside its gates. */
export const isWatched = ({ pauseAfter, onEnd }: Pick<JobDefinition, 'pauseAfter' | 'onEnd'>): boolean =>
  pauseAfter !== undefined || onEnd !== undefined;

/**
 * Identifies the request that created a row, so that a repeat with the same `Idempotency-Key` is recognised.
 * Hashes in base64url.
 */
export interface IdempotencyStamp {
  /** SHA-256 of user, route and key. */
  keyHash: string;
  /** SHA-256 of the request's body, in canonical JSON. */
  bodyHash: string;
}

/**
 * What the last change was, if the job does not show it: create and change of the definition have none.
 * `from` is the number of the change that was restored.
 */
export type LastChange =
  | { what: 'paused' }
  | { what: 'resumed' }
  | { what: 'replanned' }
  | { what: 'restored'; from: number };

/** A row of the Jobs table. Key: `userId` / `jobId`. */
export interface Job extends JobDefinition {
  userId: string;
  jobId: string;
  status: 'active' | 'paused';
  /** 1, 2, 3 …: counts create, changes of schedule, pause and resume. For people, and for older/newer. */
  generation: number;
  /** Random; new with each step of `generation`. An entry is current only if its revision is equal. */
  revision: string;
  /** Random; new with each change of the definition. Condition of every write, and the HTTP ETag. */
  etag: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** When `schedule` last changed: `delay`, and an interval without anchor, count from here. */
  scheduleChangedAtMs: number;
  /** Created or last resumed: occurrences due before this instant never fire. */
  activeSinceMs: number;
  /** JSON pointers into `payloadSchema`: what it says and nothing checks. Absent: there is no such thing. */
  payloadSchemaUnchecked?: readonly string[];
  /** Present if its schedule names calendars. A row has their ids and versions alone. */
  calendars?: readonly UsedCalendar[];
  /** When the change of a calendar was made by which it was replanned last. */
  replannedAtMs?: number;
  /** Planned occurrences through an instant, by the calendars before they changed. `maxRuns` counts on. */
  runsBase?: { atMs: number; count: number };
  /** Present with `expectEvery`: created, last resumed, or `expectEvery` last changed. */
  expectSinceMs?: number;
  /** When it was paused; absent while active. */
  pausedAtMs?: number;
  /** When it is to be resumed, as was asked with its pause. Absent: when a user resumes it. */
  resumeAtMs?: number;
  /** `pauseAfter` has paused it, and no user. */
  pausedVia?: 'system';
  /** Present if it was created with an `Idempotency-Key`. */
  idempotency?: IdempotencyStamp;
  /** Present if a delivery created, rescheduled or resumed it: the number of deliveries before it. */
  deliveryDepth?: number;
  /** The trace of the last request that created it or changed its definition, if that request had one. */
  trace?: TraceContext;
  /**
   * Present if other jobs may wait for the ends of its executions: when the last such job was saved. It
   * changes without the etag.
   */
  awaitedAtMs?: number;
  /** Who made the last change. Absent on hidden jobs of ends, and on tasks as jobs. */
  by?: Actor;
  /** What the actor wrote about the last change. */
  note?: string;
  /** 1, 2, 3 …: counts create and each change since. */
  changeNumber: number;
  lastChange?: LastChange;
  /** Only of a task as a job: its output is kept. */
  keepsOutput?: true;
  /** Only of a task as a job: the round whose delivery id it has, if that is an earlier one. */
  deliveryRound?: number;
  /** Only if the schedule ends: when DynamoDB may remove the row, in seconds. */
  expiresAtSec?: number;
}

/** Who paused a job; undefined if its last change was no pause. */
export function detailOfPause(job: Job | undefined): { by: Actor; note?: string } | undefined {
  if (job?.status !== 'paused' || job.lastChange?.what !== 'paused' || !job.by) return undefined;
  return { by: job.by, ...(job.note !== undefined && { note: job.note }) };
}

/** A concurrency key that each execution completes from its payload: its beginning, and a path. */
export const DERIVED_KEY =
  /^([A-Za-z0-9][A-Za-z0-9._-]{0,41})\{\{ *(payload(?:\.[A-Za-z_][A-Za-z0-9_-]*)+) *\}\}$/;
/** What may stand in a key as it is. */
const KEY_TEXT = /^[A-Za-z0-9._-]+$/;
const MAX_KEY_LENGTH = 64;
/** Of base64url: 132 bits. */
const HASH_LENGTH = 22;

type KeyOfJob = Pick<JobDefinition, 'concurrencyKey' | 'payload'>;
/** What an execution has of its own, in place of the job's payload. */
interface WithPayload {
  payload?: { value: unknown };
}

function derivedOf({ concurrencyKey = '', payload }: KeyOfJob, execution: WithPayload) {
  const [, prefix, path] = DERIVED_KEY.exec(concurrencyKey) ?? [];
  if (prefix === undefined || path === undefined) return undefined;
  const [, ...names] = path.split('.');
  let value = execution.payload ? execution.payload.value : payload;
  for (const name of names) value = ownValue(value, name);
  return { prefix, path, text: isKeyValue(value) ? String(value) : undefined };
}

const ownValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const isKeyValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * The concurrency key of an execution: that of its job, with the value of its payload. A value that no key
 * may have, or that is too long, stands there as its hash. Without a value the key ends where it would begin:
 * such executions share a key, which limits none: `faultOfKeyValue` refuses their calls.
 */
export function concurrencyKeyOf(job: KeyOfJob, execution: WithPayload = {}): string | undefined {
  const derived = derivedOf(job, execution);
  if (!derived) return job.concurrencyKey;
  const { prefix, text = '' } = derived;
  // A text that looks like a hash is replaced too: it could be that of another value.
  const isFit =
    KEY_TEXT.test(text) && text.length !== HASH_LENGTH && prefix.length + text.length <= MAX_KEY_LENGTH;
  if (isFit || derived.text === undefined) return prefix + text;
  return prefix + createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Why an execution that has passed its gates has no key of its own; undefined if it has one. */
export function faultOfKeyValue(
  job: KeyOfJob,
  execution: WithPayload & { concurrencyKey?: string },
): string | undefined {
  const derived = derivedOf(job, execution);
  if (!derived || derived.text !== undefined || execution.concurrencyKey !== derived.prefix) return undefined;
  return `concurrencyKey: ${derived.path} must be a text, a number, true or false`;
}

/** What has the limits of a key: the key itself, or the rule of all derived keys that begin so. */
export function limitNameOf(concurrencyKey: string): string {
  const [, prefix] = DERIVED_KEY.exec(concurrencyKey) ?? [];
  return prefix === undefined ? concurrencyKey : `${prefix}*`;
}
