import { execIdOfOccurrence } from '../contracts/tables';
import { type ExecutionMessage, MESSAGE_VERSION } from '../contracts/messages';
import { dueTimesOf, type OccurrenceEntry } from './entry';
import type { Job } from './job';
import { decideMisfire, graceMsOf } from './misfire';
import type { Schedule } from '../schedule/schedule';
import { mayBeScanned } from './timing';
import { entryAfter, runsThroughEntry } from './entry-planning';

/** What the scanner's step does about one current entry. Nothing in it is done yet. */
export interface Plan {
  /** Missed occurrences that will not run. */
  skipped?: { fromMs: number; toMs: number; count: number };
  /** Entries to write before any message: the next one of the chain, and one for each run that has none of its own. */
  entries: OccurrenceEntry[];
  /** The chain's next entry, one of `entries`; undefined where the chain has ended, or `entry` carries none. */
  next?: OccurrenceEntry;
  messages: ExecutionMessage[];
}

/**
 * Hands out the instants at which missed occurrences go out: one after another, so that an outage makes no burst, and
 * never before now, so that their entries are not written behind the sweep.
 */
export type CatchUpPacer = (nowMs: number) => number;

const CATCH_UP_SPACING_MS = 50;

export function catchUpPacer(nowMs: number): CatchUpPacer {
  let slotMs = nowMs - CATCH_UP_SPACING_MS;
  return (atMs) => (slotMs = Math.max(slotMs + CATCH_UP_SPACING_MS, atMs));
}

export interface PlanningAt {
  nowMs: number;
  horizonMs: number;
  /** Shard by the number in force; the next entry moves there where no scanner can have passed it yet. */
  shard: number;
  nextCatchUpMs: CatchUpPacer;
}

/**
 * How much of a chain an entry answers for:
 * `chain` – its own occurrences, whatever else fell due since, and the next entry: nobody else will;
 * `own` – its own occurrences, by the misfire policy: the next entry is written, and answers for what comes after;
 * `resend` – the messages of its own occurrences and no more: they are late because their queue is long.
 */
export type Scope = 'chain' | 'own' | 'resend';

/**
 * Decides, by the job and the clock alone, what one current entry leads to. Pure. An entry found in time sends its
 * occurrences and plans the next bucket; one found late decides by the misfire policy on everything that fell due
 * meanwhile, and goes on with the first occurrence not yet due.
 */
export function planEntry(
  entry: OccurrenceEntry,
  job: Job,
  schedule: Schedule,
  scope: Scope,
  at: PlanningAt,
): Plan {
  if (entry.catchUp)
    return { entries: [], messages: [messageFor(entry, job, entry.dueAtMs, entry.checkAtMs)] };

  const { nowMs } = at;
  if (scope === 'resend') {
    return {
      entries: [],
      messages: dueTimesOf(entry).map((dueAtMs) => messageFor(entry, job, dueAtMs, dueAtMs)),
    };
  }
  const lastMs = scope === 'own' ? entry.throughMs : lastToDecide(entry, schedule, nowMs);
  const graceMs = graceMsOf(job, entry.throughMs > entry.dueAtMs);
  const dueByMs = Math.min(nowMs, lastToDecide(entry, schedule, nowMs));
  const look = { fromMs: entry.dueAtMs, throughMs: lastMs, graceMs, nowMs, dueByMs };
  const decision = decideMisfire(job, schedule, look);

  const own = decision.inTime.filter((dueAtMs) => dueAtMs <= entry.throughMs);
  const withoutEntry = decision.inTime.filter((dueAtMs) => dueAtMs > entry.throughMs);
  const catchUps = [...decision.late, ...withoutEntry].map((dueAtMs) =>
    catchUpEntry(entry, dueAtMs, at.nextCatchUpMs(nowMs)),
  );

  const next = scope === 'own' ? undefined : nextEntryOf(entry, job, schedule, lastMs, at);
  return {
    skipped: decision.skipped,
    entries: next ? [next, ...catchUps] : catchUps,
    next,
    messages: [
      ...own.map((dueAtMs) => messageFor(entry, job, dueAtMs, dueAtMs)),
      ...catchUps
        .filter((catchUp) => mayBeScanned(catchUp.checkAtMs, nowMs, at.horizonMs))
        .map((catchUp) => messageFor(catchUp, job, catchUp.dueAtMs, catchUp.checkAtMs)),
    ],
  };
}

/** The last occurrence to decide on now: the entry's own, and whatever else is already due. */
function lastToDecide(entry: OccurrenceEntry, schedule: Schedule, nowMs: number): number {
  const nextMs = schedule.next(entry.throughMs);
  if (nextMs === undefined || nextMs > nowMs) return entry.throughMs;
  if (schedule.maxRuns === undefined) return nowMs;
  let lastMs = entry.dueAtMs;
  for (let left = schedule.maxRuns - entry.runsBefore - 1; left > 0; left--) {
    const followingMs = schedule.next(lastMs);
    if (followingMs === undefined || followingMs > nowMs) break;
    lastMs = followingMs;
  }
  return Math.max(lastMs, entry.throughMs);
}

function nextEntryOf(
  entry: OccurrenceEntry,
  job: Job,
  schedule: Schedule,
  lastMs: number,
  at: PlanningAt,
): OccurrenceEntry | undefined {
  const runsBefore = runsThroughEntry(entry, schedule, lastMs);
  const next = entryAfter(job, schedule, {
    afterMs: lastMs,
    runsBefore,
    shard: entry.shard,
    nowMs: at.nowMs,
  });
  if (!next || mayBeScanned(next.checkAtMs, at.nowMs, at.horizonMs)) return next;
  return { ...next, shard: at.shard };
}

const catchUpEntry = (entry: OccurrenceEntry, dueAtMs: number, startAtMs: number): OccurrenceEntry => ({
  ...entry,
  rechecks: undefined,
  checkAtMs: startAtMs,
  dueAtMs,
  throughMs: dueAtMs,
  offsetsMs: undefined,
  catchUp: true,
});

function messageFor(entry: OccurrenceEntry, job: Job, dueAtMs: number, startAtMs: number): ExecutionMessage {
  const several = entry.throughMs > entry.dueAtMs;
  return {
    v: MESSAGE_VERSION,
    jobKey: entry.jobKey,
    execId: execIdOfOccurrence(dueAtMs),
    dueAtMs,
    startAtMs,
    attempt: 1,
    trigger: startAtMs - dueAtMs > graceMsOf(job, several) ? 'catch-up' : 'schedule',
    revision: entry.revision,
    overlap: job.overlap === 'allow' ? undefined : job.overlap,
    orderingKey: job.orderingKey ?? undefined,
    priority: job.priority,
    pool: job.pool,
  };
}
