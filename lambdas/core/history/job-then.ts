import { type JobRef, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { PlanningJob } from '../domain/eligibility';
import type { OccurrenceEntry } from '../domain/entry';
import type { Job } from '../domain/job';
import { cameBackAs, type JobState, type KeptState, type PlannedByCalendar } from '../domain/job-state';
import { stateOf } from '../domain/kept-state';
import type { CalendarInUse } from '../schedule/calendar-rules';

type ReadsCalendars = Pick<StageDeps, 'calendars'>;

/** A state that a job has, or had: only a kept one tells how it ended. */
export type JobStateThen = JobState & Partial<Pick<KeptState, 'plannedUntilMs'>>;

/** States in a read: the one that is looked for is mostly the last that was kept. */
const FIRST_PAGE = 2;
const LATER_PAGE = 100;
/** A job may change all the time. What lies before counts as not kept. */
const MAX_STATES = 500;

/**
 * The states of all jobs that have had the id, the newest first, from the present one on. Reads a page when
 * it is needed, and 500 states at most.
 *
 * @param job the present job; undefined: there is none
 */
export async function* statesOf(
  jobKey: string,
  job: Job | undefined,
  { changes }: Pick<StageDeps, 'changes'>,
): AsyncGenerator<JobStateThen, void, undefined> {
  if (job) yield stateOf(job);
  let before: string | undefined;
  for (let left = MAX_STATES, limit = FIRST_PAGE; left > 0; limit = Math.min(left, LATER_PAGE)) {
    const page = await changes.list(jobKey, { limit, ...(before !== undefined && { before }) });
    const [newest] = page.states;
    // The present state may be kept already. If there is a newer one, then `job` was read before it.
    const isKeptTwice = before === undefined && newest?.etag === job?.etag;
    yield* isKeptTwice ? page.states.slice(1) : page.states;
    before = page.nextBefore;
    if (before === undefined) return;
    left -= limit;
  }
}

/**
 * Whether the job was deleted in a state: a deletion is kept before it is made.
 *
 * @param next the next state of the same job, if there is one
 * @param job the present job
 */
export const isDeleted = (state: JobState, next: JobState | undefined, job: Job): boolean =>
  state.removed !== undefined && (next ? cameBackAs(next, state) : state.createdAtMs !== job.createdAtMs);

/**
 * When a revision of a job had ended at the latest: the job was changed or deleted. No stage plans by it from
 * then on. Infinity: it has not ended. Minus infinity: no state since then is kept any more.
 *
 * @param job the present job; undefined: there is none
 */
export async function endedByMs(
  { jobKey, revision }: Pick<OccurrenceEntry, 'jobKey' | 'revision'>,
  job: Job | undefined,
  deps: Pick<StageDeps, 'changes'>,
): Promise<number> {
  const nextOf = new Map<number, JobStateThen>();
  let oldest: JobStateThen | undefined;
  for await (const state of statesOf(jobKey, job, deps)) {
    const next = nextOf.get(state.createdAtMs);
    if (state.revision === revision) return endOf(state, next);
    nextOf.set(state.createdAtMs, state);
    oldest = state;
  }
  return oldest?.atMs ?? Number.NEGATIVE_INFINITY;
}

/** A deletion is kept before it is made: if it was not, the next change has ended the state. */
const endOf = (state: JobStateThen, next: JobStateThen | undefined): number =>
  state.removed && (!next || cameBackAs(next, state))
    ? state.removed.atMs
    : (next?.atMs ?? Number.POSITIVE_INFINITY);

/** When a state began. Executors obey a changed calendar at once, before the job is replanned. */
export const begunMs = ({ lastChange, replannedAtMs, atMs }: JobState): number =>
  lastChange?.what === 'replanned' ? (replannedAtMs ?? atMs) : atMs;

/**
 * A job as it was in a state, with its calendars as they were then. Undefined if an owner has erased it.
 */
export async function jobThen(
  jobKey: string,
  state: JobState,
  deps: ReadsCalendars,
): Promise<PlanningJob | undefined> {
  const { status, createdAtMs, activeSinceMs, replannedAtMs, resumeAtMs, runsBase, definition } = state;
  const { generation, revision, scheduleChangedAtMs } = state;
  if (definition === undefined) return undefined;
  const ref = jobRefOf(jobKey);
  const calendars = state.calendars && (await calendarsThen(state.calendars, ref, deps));
  return {
    ...ref,
    status,
    createdAtMs,
    generation,
    revision,
    schedule: definition.schedule,
    target: definition.target,
    scheduleChangedAtMs,
    activeSinceMs,
    ...(replannedAtMs !== undefined && { replannedAtMs }),
    ...(resumeAtMs !== undefined && { resumeAtMs }),
    ...(runsBase && { runsBase }),
    ...(calendars && { calendars }),
  };
}

/** A version of a calendar never changes, and each process reads it once. */
export const calendarsThen = (
  calendars: readonly PlannedByCalendar[],
  { userId }: JobRef,
  deps: ReadsCalendars,
): Promise<CalendarInUse[]> =>
  Promise.all(
    calendars.map(async ({ id, version, earlier }): Promise<CalendarInUse> => {
      const read = (one: string) => deps.calendars.calendarOf({ userId, calendarId: id }, one);
      const before = earlier?.map(async (one) => ({
        untilMs: one.untilMs,
        calendar: await read(one.version),
      }));
      return { id, calendar: await read(version), ...(before && { earlier: await Promise.all(before) }) };
    }),
  );
