import { DAY_MS } from '../clock/clock';
import { compactInstant, jobKeyOf, parseCompactInstant } from '../contracts/tables';
import { durationText, parseDuration } from '../schedule/duration';
import type { AttemptEntry, Entry } from './entry';
import type { Execution } from './execution';
import type { Job } from './job';
import { shardOf } from './shard';
import { CLOCK_SKEW_MS, durationMsOf } from './timing';

/** An active job with `expectEvery` is to have a success by `atMs`. */
export interface Expectation {
  /** When the series began: the job's `expectSinceMs`. */
  sinceMs: number;
  atMs: number;
}

/** An expectation whose entry is filed. What was filed late is rechecked later than `atMs`. */
export interface FiledExpectation extends Expectation {
  checkAtMs: number;
}

/** Why a deployment rejects an `expectEvery`: a success counts as long as its execution is kept. */
export function faultOfExpectEvery(
  expectEvery: string | undefined,
  retentionDays: number,
): string | undefined {
  if (expectEvery === undefined || parseDuration(expectEvery) <= (retentionDays - 1) * DAY_MS)
    return undefined;
  return `${JSON.stringify(expectEvery)} is out of range: must be from 5m to ${retentionDays - 1}d, because executions are kept for ${retentionDays} days`;
}

const INFIX = '-expect-';

/** What the entry of an expectation has for an execId. No execution has such an id. */
export const expectationIdOf = ({ sinceMs, atMs }: Expectation): string =>
  `${compactInstant(atMs)}${INFIX}${compactInstant(sinceMs)}`;

/** The expectation that an id names; undefined if it is the id of an execution. */
export function expectationOf(execId: string): Expectation | undefined {
  const [at = '', since] = execId.split(INFIX);
  return since === undefined
    ? undefined
    : { sinceMs: parseCompactInstant(since), atMs: parseCompactInstant(at) };
}

/** The expectation that an entry is for; undefined if it is for executions. */
export const expectationIn = (entry: Entry): Expectation | undefined =>
  entry.kind === 'attempt' ? expectationOf(entry.execId) : undefined;

/**
 * The entry by which the sweeper rechecks whether a job has had a success in time. The same expectation is
 * the same entry. The scanner ignores it.
 *
 * @param fromMs no entry is filed before this: the sweeper may have passed it
 */
export const expectationEntry = (
  job: Pick<Job, 'userId' | 'jobId'>,
  expected: Expectation,
  { shardCount, fromMs }: { shardCount: number; fromMs: number },
): AttemptEntry => ({
  kind: 'attempt',
  jobKey: jobKeyOf(job),
  shard: shardOf(jobKeyOf(job), shardCount),
  checkAtMs: Math.max(expected.atMs, fromMs),
  execId: expectationIdOf(expected),
  attempt: 1,
  rechecks: 0,
});

type Expecting = Pick<Job, 'status' | 'expectEvery' | 'expectSinceMs'>;

/** The first expectation of an active job; undefined if the job has no `expectEvery` or is paused. */
export const firstExpectation = ({
  status,
  expectEvery,
  expectSinceMs: sinceMs,
}: Expecting): Expectation | undefined =>
  status === 'active' && expectEvery !== undefined && sinceMs !== undefined
    ? { sinceMs, atMs: sinceMs + parseDuration(expectEvery) }
    : undefined;

/** Whether the job still expects so: it is active, and was neither resumed nor changed in this since. */
export const isExpected = ({ sinceMs }: Expectation, job: Expecting): boolean =>
  firstExpectation(job)?.sinceMs === sinceMs;

/**
 * The job, with a series of expectations that begins now, or with none. Its beginning tells a series from the
 * one before, so it is later, also by a clock that is behind.
 */
export function expectingSince({ expectSinceMs: before = 0, ...job }: Job, nowMs: number): Job {
  if (job.expectEvery === undefined) return job;
  return { ...job, expectSinceMs: before <= nowMs + CLOCK_SKEW_MS ? Math.max(nowMs, before + 1) : nowMs };
}

/**
 * What follows from an expectation at or after its time.
 *
 * @param successMs when the newest known success ended; undefined: there is none
 */
export function nextExpectation(
  { sinceMs, atMs }: Expectation,
  { everyMs, successMs = 0 }: { everyMs: number; successMs: number | undefined },
  nowMs: number,
): { isMissed: boolean; next: Expectation } {
  const byMs = successMs + everyMs;
  if (byMs > atMs) return { isMissed: false, next: { sinceMs, atMs: byMs } };
  const periods = Math.max(1, Math.floor((nowMs - atMs) / everyMs) + 1);
  return { isMissed: true, next: { sinceMs, atMs: atMs + periods * everyMs } };
}

/** What a message says of a success out of its bounds: what it took, and the bounds of its job now. */
export interface DurationSeen {
  tookMs: number;
  min: string | null;
  max: string | null;
}

/** Undefined: it was within them, or its user has retried it since. */
export function durationSeen(
  execution: Execution | undefined,
  job: Job | undefined,
): DurationSeen | undefined {
  const tookMs = execution?.pace && durationMsOf(execution);
  const { min = null, max = null } = job?.expectDuration ?? {};
  return tookMs === undefined ? undefined : { tookMs, min, max };
}

/** Name and value of each fact of it. */
export const factsOfDuration = ({ tookMs, min, max }: DurationSeen): (readonly [string, string])[] => {
  const bounds = [...(min === null ? [] : [`at least ${min}`]), ...(max === null ? [] : [`at most ${max}`])];
  return [
    ['Duration', durationText(tookMs)],
    ...(bounds.length > 0 ? [['Expected', bounds.join(', ')] as const] : []),
  ];
};
