import type { Actor } from './actor';
import type { EarlierVersion } from './calendar';
import type { Job, JobDefinition, LastChange } from './job';

/** Who deleted a job, and when. */
export interface Removal {
  atMs: number;
  by: Actor;
  note?: string;
}

/** What identifies a state among all jobs that have had one jobId. */
export interface StateId {
  /** When the job was created. A later job with the same id has another time. */
  createdAtMs: number;
  /** The job's `changeNumber`. Each state of a job has its own. */
  number: number;
  etag: string;
}

/** A calendar by which a state was planned. Its content is stored by its version. */
export interface PlannedByCalendar {
  id: string;
  version: string;
  /** Only of a job that moves occurrences. */
  earlier?: readonly EarlierVersion[];
}

/** A state of a job: the change that led to it, and the definition that it has since. */
export interface JobState extends StateId {
  status: Job['status'];
  /** When the change was made that led to this state; who made it, and the actor's note. */
  atMs: number;
  by?: Actor;
  note?: string;
  lastChange?: LastChange;
  generation: number;
  revision: string;
  scheduleChangedAtMs: number;
  activeSinceMs: number;
  replannedAtMs?: number;
  resumeAtMs?: number;
  runsBase?: Job['runsBase'];
  /** Absent: an owner of the project has erased it. */
  definition?: JobDefinition;
  /** Absent without calendars. */
  calendars?: readonly PlannedByCalendar[];
  /** The job was to be deleted in this state. If it was, the deletion has the next number. */
  removed?: Removal;
}

/**
 * Whether the job was deleted in a state, and came back as the next one. A deletion has a number too. One
 * that was kept and not made leaves the next number to the next change.
 */
export const cameBackAs = (
  next: Pick<JobState, 'number' | 'lastChange'>,
  { number }: Pick<JobState, 'number'>,
): boolean => next.number === number + 2 && next.lastChange?.what === 'restored';

/** A state that was replaced or removed, as it is kept. */
export interface KeptState extends JobState {
  /** Only if the state was to be replaced for a changed calendar: until when it was to decide. */
  plannedUntilMs?: number;
  /** Seconds: end of retention, counted from the change that replaced or removed it. */
  expiresAtSec: number;
}
