import { chunksOf } from '../async/chunks';
import { type ExecutionMessage, MESSAGE_VERSION } from '../contracts/messages';
import { execIdOfOccurrence } from '../contracts/tables';
import { nthOccurrence } from '../schedule/nth-occurrence';
import type { Schedule } from '../schedule/schedule';
import { dueTimesOf, type OccurrenceEntry } from './entry';
import { entryAfter, monitorTargetOf, runsThroughEntry, scheduleOf } from './entry-planning';
import type { SkippedRange } from './execution';
import { concurrencyKeyOf, type Job, traceJoinedBy } from './job';
import { errandOf, longCallOf } from './long-call';
import { decideMisfire, graceMsOf } from './misfire';
import { plannedSearch } from './planned-times';
import type { Target } from './target';
import { workFieldsOf } from './work';
import { mayBeScanned } from './timing';

/** What the dispatch step does about one current entry. Nothing in it is done yet. */
export interface Plan {
  /** Missed occurrences that will not run. */
  skipped?: SkippedRange;
  /**
   * Entries to write before any message: the next entry, and a catch-up entry for each run without its own
   * entry.
   */
  entries: OccurrenceEntry[];
  /**
   * The next entry of the series, one of `entries`. Absent if none is left, or if this plan does not cover
   * it.
   */
  next?: OccurrenceEntry;
  messages: ExecutionMessage[];
}

/**
 * Decides what one current entry leads to, by the entry, the job and the clock alone. Pure. The three below
 * differ in how much of the series they decide (docs/adr/0006). A catch-up entry has been decided: each of
 * them sends its message.
 */
export type PlanEntry = (entry: OccurrenceEntry, job: Job, schedule: Schedule, at: PlanningAt) => Plan;

interface PlanningAt {
  nowMs: number;
  horizonMs: number;
  /**
   * The job's shard by the active shard count. The next entry moves there if no scanner can have passed it
   * yet.
   */
  shard: number;
  nextCatchUpMs: CatchUpPacer;
}

/**
 * Returns the instants at which missed occurrences are sent: spaced, so that an outage makes no burst. None
 * is before now, so that no entry is written behind the sweep.
 */
export type CatchUpPacer = (nowMs: number) => number;

const CATCH_UP_SPACING_MS = 50;
/** What one entry that is found late may add to the schedule. */
const MAX_CATCH_UP_ENTRIES = 1_000;

export function catchUpPacer(nowMs: number): CatchUpPacer {
  let slotMs = nowMs - CATCH_UP_SPACING_MS;
  return (atMs) => (slotMs = Math.max(slotMs + CATCH_UP_SPACING_MS, atMs));
}

/**
 * For an entry whose next entry is not written: decides the entry's occurrences, everything else that fell
 * due since, and the next entry. An entry found in time has nothing else that fell due; one found late is
 * decided by the misfire policy. The series continues with the first occurrence not yet due.
 */
export function planEntryAndNext(entry: OccurrenceEntry, job: Job, schedule: Schedule, at: PlanningAt): Plan {
  if (entry.catchUp) return planResend(entry, job);
  if (monitorTargetOf(job)) return planAfterMonitored(entry, job, schedule, at);
  const dueByMs = dueThrough(entry, schedule, at.nowMs);
  const plan = planOccurrences(entry, job, schedule, { ...at, throughMs: dueByMs, dueByMs });
  const next = nextEntry(entry, job, schedule, { ...at, dueByMs });
  return next ? { ...plan, next, entries: [next, ...plan.entries] } : plan;
}

/**
 * For an entry whose next entry is written: decides the entry's own occurrences. The next entry covers all
 * later ones.
 */
export function planEntryOnly(entry: OccurrenceEntry, job: Job, schedule: Schedule, at: PlanningAt): Plan {
  if (entry.catchUp) return planResend(entry, job);
  const dueByMs = dueThrough(entry, schedule, at.nowMs);
  return planOccurrences(entry, job, schedule, { ...at, throughMs: entry.throughMs, dueByMs });
}

/**
 * For missed occurrences without an entry, of a series that goes on elsewhere: decides those from the first
 * one of `entry` through an instant. Each that runs gets a catch-up entry.
 */
export const planMissed =
  (throughMs: number): PlanEntry =>
  (entry, job, schedule, at) => {
    const { dueAtMs } = entry;
    const dueByMs = Math.max(throughMs, dueThrough({ ...entry, throughMs: dueAtMs }, schedule, at.nowMs));
    const unwritten = { ...entry, throughMs: dueAtMs - 1, offsetsMs: undefined };
    return planOccurrences(unwritten, job, schedule, { ...at, throughMs, dueByMs });
  };

/** For an entry that is late because its queue is long: sends its messages again and decides nothing. */
export const planResend = (entry: OccurrenceEntry, job: Job): Plan => ({
  entries: [],
  messages: monitorTargetOf(job) ? [] : messagesOf([entry], job),
});

/**
 * An occurrence of a monitor has no message, and no misfire is decided on it: its own entry says whether a
 * ping has come. So none is passed over, however late it is found.
 */
function planAfterMonitored(entry: OccurrenceEntry, job: Job, schedule: Schedule, at: PlanningAt): Plan {
  const next = nextEntry(entry, job, schedule, { ...at, dueByMs: entry.throughMs });
  return next ? { next, entries: [next], messages: [] } : { entries: [], messages: [] };
}

/** Decides the occurrences from the entry's first through `throughMs`, by the misfire policy. */
function planOccurrences(
  entry: OccurrenceEntry,
  job: Job,
  schedule: Schedule,
  at: PlanningAt & { throughMs: number; dueByMs: number },
): Plan {
  const { nowMs, throughMs, dueByMs } = at;
  const isMonitored = monitorTargetOf(job) !== undefined;
  const policy = isMonitored ? 'fire-now' : job.misfire.policy;
  const { skipped, late, inTime } = decideMisfire({ misfire: { ...job.misfire, policy } }, schedule, {
    fromMs: entry.dueAtMs,
    throughMs,
    graceMs: graceMsOf(job, hasSeveral(entry)),
    nowMs,
    dueByMs: Math.min(nowMs, dueByMs),
  });
  const messageFor = messagesFor(job);
  const own = inTime.filter((dueAtMs) => dueAtMs <= entry.throughMs);
  const withoutEntry = inTime.filter((dueAtMs) => dueAtMs > entry.throughMs);
  const missed = isMonitored ? late.filter((dueAtMs) => dueAtMs > entry.throughMs) : late;
  const catchUps = catchUpEntries(entry, [...missed, ...withoutEntry], () => at.nextCatchUpMs(nowMs));
  if (isMonitored) return { skipped, entries: catchUps, messages: [] };
  const direct = catchUps.filter(({ checkAtMs }) => mayBeScanned(checkAtMs, nowMs, at.horizonMs));
  return {
    skipped,
    entries: catchUps,
    messages: [...own.map((dueAtMs) => messageFor(entry, dueAtMs, dueAtMs)), ...messagesOf(direct, job)],
  };
}

/**
 * The instant through which the series is due: the entry's own last due time if no later one is due, else
 * `nowMs`. With `maxRuns` it is the last due time that the runs left allow.
 */
function dueThrough(entry: OccurrenceEntry, schedule: Schedule, nowMs: number): number {
  if (schedule.next(entry.throughMs, nowMs) === undefined) return entry.throughMs;
  if (schedule.maxRuns === undefined) return nowMs;
  const runsLeft = schedule.maxRuns - entry.runsBefore;
  const lastMs = nthOccurrence(schedule, runsLeft, { afterMs: entry.dueAtMs - 1, untilMs: nowMs });
  return Math.max(lastMs ?? nowMs, entry.throughMs);
}

function nextEntry(
  entry: OccurrenceEntry,
  job: Job,
  schedule: Schedule,
  { nowMs, horizonMs, shard, dueByMs }: PlanningAt & { dueByMs: number },
): OccurrenceEntry | undefined {
  const runsBefore = runsThroughEntry(entry, schedule, dueByMs);
  const next = entryAfter(job, schedule, { afterMs: dueByMs, runsBefore, shard: entry.shard, nowMs });
  if (!next || mayBeScanned(next.checkAtMs, nowMs, horizonMs)) return next;
  return { ...next, shard };
}

/**
 * One entry for each, as long as they are few. A grace of a day may leave 86,400 to run: then each entry has
 * several of them. It is filed at the start of its last one, and each starts at an instant of its own.
 */
function catchUpEntries(
  entry: OccurrenceEntry,
  dueTimesMs: readonly number[],
  nextStartMs: () => number,
): OccurrenceEntry[] {
  const each = Math.ceil(dueTimesMs.length / MAX_CATCH_UP_ENTRIES);
  return dueTimesMs.length === 0
    ? []
    : chunksOf(dueTimesMs, each).map((some) => catchUpEntry(entry, some, nextStartMs));
}

function catchUpEntry(
  entry: OccurrenceEntry,
  dueTimesMs: readonly number[],
  nextStartMs: () => number,
): OccurrenceEntry {
  const [dueAtMs, ...others] = dueTimesMs as [number, ...number[]];
  const startsMs = dueTimesMs.map(nextStartMs);
  return {
    ...entry,
    rechecks: undefined,
    checkAtMs: startsMs.at(-1)!,
    dueAtMs,
    throughMs: dueTimesMs.at(-1)!,
    offsetsMs: others.length > 0 ? others.map((otherMs) => otherMs - dueAtMs) : undefined,
    catchUp: true,
  };
}

/** Each occurrence starts at its due time. Missed ones start in a row that ends at their entry's time. */
function messagesOf(entries: readonly OccurrenceEntry[], job: Job): ExecutionMessage[] {
  const messageFor = messagesFor(job);
  return entries.flatMap((entry) => {
    const dueTimesMs = dueTimesOf(entry);
    const last = dueTimesMs.length - 1;
    return dueTimesMs.map((dueAtMs, index) =>
      messageFor(
        entry,
        dueAtMs,
        entry.catchUp ? entry.checkAtMs - (last - index) * CATCH_UP_SPACING_MS : dueAtMs,
      ),
    );
  });
}

const hasSeveral = ({ dueAtMs, throughMs }: OccurrenceEntry): boolean => throughMs > dueAtMs;

function traceFor(job: Job, dueAtMs: number): Pick<ExecutionMessage, 'trace'> {
  const trace = traceJoinedBy(job, dueAtMs);
  return trace ? { trace } : {};
}

/** Makes messages of a job. A plan may have thousands: what they have in common is worked out once. */
function messagesFor(
  job: Job,
): (entry: OccurrenceEntry, dueAtMs: number, startAtMs: number) => ExecutionMessage {
  const [graceMs, graceOfSeveralMs] = [graceMsOf(job, false), graceMsOf(job, true)];
  const nextAfter = plannedSearch(job, () => scheduleOf(job));
  const origin = earlyOriginOf(job.target);
  const ofJob = {
    overlap: job.overlap === 'allow' ? undefined : job.overlap,
    orderingKey: job.orderingKey ?? undefined,
    ...(job.calendars && { calendars: job.calendars.map(({ id }) => id) }),
    concurrencyKey: concurrencyKeyOf(job),
    priority: job.priority,
    pool: job.pool,
    ...longCallOf(job),
    ...errandOf(job),
    ...(origin !== undefined && { origin }),
  };
  return (entry, dueAtMs, startAtMs) => ({
    v: MESSAGE_VERSION,
    jobKey: entry.jobKey,
    execId: execIdOfOccurrence(dueAtMs),
    dueAtMs,
    startAtMs,
    attempt: 1,
    trigger: startAtMs - dueAtMs > (hasSeveral(entry) ? graceOfSeveralMs : graceMs) ? 'catch-up' : 'schedule',
    revision: entry.revision,
    ...ofJob,
    ...traceFor(job, dueAtMs),
    ...workFieldsOf(job, { trigger: 'schedule', attempt: 1, startAtMs }, nextAfter),
  });
}

/** Longest origin: a scheme, a name of 253 characters, as DNS allows, and a port. */
const MAX_ORIGIN_LENGTH = 267;

/**
 * The origin to which a connection may be made before the call: `https://example.com:8443`. Undefined for
 * other types, without TLS, and where the URL or the handshake needs a secret.
 */
function earlyOriginOf(target: Target | undefined): string | undefined {
  if (target?.type !== 'http' || target.tls || !URL.canParse(target.url)) return undefined;
  const { protocol, origin } = new URL(target.url);
  return protocol === 'https:' && origin.length <= MAX_ORIGIN_LENGTH ? origin : undefined;
}
