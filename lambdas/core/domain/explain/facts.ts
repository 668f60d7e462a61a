import type { CalendarInUse } from '../../schedule/calendar-rules';
import type { Actor } from '../actor';
import type { Execution } from '../execution';
import type { Job, JobDefinition } from '../job';
import type { Rate } from '../start-log';

/** A change of a job, and the state that it led to. */
export interface Change {
  number: number;
  what: 'created' | 'changed' | 'paused' | 'resumed' | 'replanned' | 'restored' | 'deleted';
  atMs: number;
  by?: Actor;
  note?: string;
  /** When the job was created: it tells a job from a later one with the same jobId. */
  createdAtMs: number;
  /** Absent: the change deleted the job. */
  status?: Job['status'];
  /** While it was paused until a time: that time. */
  pausedUntilMs?: number;
  /** Absent: the change deleted the job, or an owner of the project has erased it. */
  definition?: JobDefinition;
  /** Absent: the change deleted the job. */
  generation?: number;
  /** When the schedule had changed last. Absent: the change deleted the job. */
  scheduleChangedAtMs?: number;
  /** The calendars by which it was planned, as they were then. Absent where that was not kept. */
  calendars?: readonly CalendarInUse[];
}

/** Maintenance mode, from its beginning to its end. Without an end, it goes on. */
export interface Stop {
  sinceMs: number;
  startedAtMs?: number;
}

/** The execution that another one waits for. */
export interface Ahead {
  jobId: string;
  execId: string;
}

/** What is known of the work queue of an occurrence. */
export interface QueueFacts {
  queue: string;
  /** Since when it waits in the queue; undefined if it does not wait there. */
  offeredAtMs?: number;
  /** The worker that asked last, of those with a name in the last hour. Noted at most each five minutes. */
  lastWorker?: { worker: string; seenAtMs: number };
}

/** What is on record about an occurrence: all that an explanation is made from. */
export interface Facts {
  jobKey: string;
  /** The due time that is asked about. */
  atMs: number;
  nowMs: number;
  /** Rows that ended before this may have been removed. */
  retainedFromMs: number;
  /** In the order of the states: by the job's creation, then by number. */
  changes: readonly Change[];
  /** Whether there are older changes that were not read. */
  hasOlderChanges: boolean;
  /** Whether the job exists now. */
  exists: boolean;
  /** The row that covers the occurrence: its own, or a skipped range. */
  row?: Execution;
  /** The executions that backfills have started for this date. Absent: none. */
  backfilled?: readonly Execution[];
  /** Newest first. */
  stops: readonly Stop[];
  /** Whether there are older stops than these. */
  hasOlderStops: boolean;
  /** Present if it waits for its job's overlap lock: the execution that holds the lock. */
  lockHeldBy?: Ahead;
  /** Present if it has a ticket of its ordering key, and is not the first: the execution ahead of it. */
  keyHeldBy?: Ahead;
  /** It has a ticket of its ordering key. */
  hasTicket: boolean;
  /** Present if it waits for a slot: the concurrency key. */
  slotOf?: string;
  /** Present if the rate of that key allows no start now. */
  usedUpRate?: Rate;
  /** Present if the job's target is a worker, and no attempt has begun: its queue, and who asks there. */
  work?: QueueFacts;
  /** Present if the job is a monitor: how long its occurrences wait for a ping. */
  pingsWithinMs?: number;
  /** The calendars of the job as it is now. */
  calendars?: Job['calendars'];
}

export const VERDICTS = [
  'ran',
  'not-planned',
  'skipped',
  'late',
  'will-run',
  'waits',
  'lost',
  'unknown',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a step is about. `docs/why.md` lists them. */
export const STEP_CODES = [
  'existed',
  'planned',
  'excluded',
  'start-at',
  'end-at',
  'max-runs',
  'clock-change',
  'deployment',
  'paused',
  'superseded',
  'deleted',
  'overlap',
  'ordering-key',
  'concurrency-key',
  'misfire',
  'cancelled',
  'worker',
  'late',
  'ledger',
  'backfilled',
  'changes',
  'retention',
] as const;
export type StepCode = (typeof STEP_CODES)[number];

/** Where a step is known from. `text` continues "from …". */
export interface StepEvidence {
  text: string;
  /** Numbers of changes of the job. */
  changes?: number[];
  /** An execution, of this job unless `jobId` names another one. */
  execId?: string;
  jobId?: string;
}

export interface ExplanationStep {
  code: StepCode;
  /** Whether it speaks for a run; null: that cannot be known any more. */
  holds: boolean | null;
  text: string;
  evidence: StepEvidence | null;
}

export interface Explanation {
  verdict: Verdict;
  /** One sentence for people. */
  sentence: string;
  steps: ExplanationStep[];
}
