import type { Execution } from '../../client/browser';
import { groupBy } from '../parts/group-by';

/** Something that takes time, as the timeline draws it. */
export interface Span {
  lane: string;
  kind: 'queue' | 'lease' | 'wait' | 'failed' | 'succeeded' | 'running';
  fromMs: number;
  /** At least `fromMs`, whatever the clocks of the machines say. */
  toMs: number;
  label: string;
  /** Instants within it, such as heartbeats. */
  ticks: readonly number[];
}

export interface Timeline {
  /** Since when it waited: its due time, or when it was asked for, if that was later. */
  sinceMs: number;
  isAsked: boolean;
  /** In the order of their lanes. Empty: nothing began yet. */
  spans: readonly Span[];
}

/** A pause is drawn as long as this, if it is longer. */
export const LONGEST_PAUSE_MS = 12_000;

type Start = Pick<Execution, 'dueAt' | 'startedAt' | 'latenessMs'>;
type Facts = Pick<Execution, 'attempts' | 'status' | 'heartbeatAt' | 'targets'> & Start;
type Attempt = Facts['attempts'][number];

/**
 * When it was asked for, if that was after its due time: a date of a backfill, and what a task starts. Its
 * lateness counts from then. Undefined: it waited since its due time, or has not begun.
 */
export function askedMs({ dueAt, startedAt, latenessMs }: Start): number | undefined {
  if (startedAt === null || latenessMs === null) return undefined;
  const ms = Date.parse(startedAt) - latenessMs;
  return ms > Date.parse(dueAt) ? ms : undefined;
}

/** What an execution did, in lanes: waiting in the queue, its leases, its calls, the pauses between them. */
export function timelineOf(execution: Facts, nowMs: number, textOf: (attempt: Attempt) => string): Timeline {
  const asked = askedMs(execution);
  const sinceMs = asked ?? Date.parse(execution.dueAt);
  const leases = leasesOf(execution, nowMs);
  const first = leases[0];
  const several = execution.targets.length > 1;
  const queue = first && first.fromMs > sinceMs ? [span('queue', 'queue', sinceMs, first.fromMs)] : [];
  const calls = execution.attempts.map((attempt) =>
    span(
      several ? `target ${attempt.target}` : 'call',
      attempt.outcome === 'succeeded' ? 'succeeded' : 'failed',
      Date.parse(attempt.startedAt),
      Date.parse(attempt.finishedAt),
      `${attempt.attempt} · ${textOf(attempt)}`,
    ),
  );
  const running = leases
    .filter(({ isOpen }) => isOpen)
    .map(({ fromMs, toMs }) => span(several ? 'targets' : 'call', 'running', fromMs, toMs, 'running'));
  const waits = leases.slice(1).flatMap(({ fromMs }, index) => {
    const endedMs = leases[index]!.toMs;
    return fromMs > endedMs ? [span('wait', 'wait', endedMs, fromMs)] : [];
  });
  const lanes = [...calls, ...running].sort((a, b) => a.lane.localeCompare(b.lane, 'en', { numeric: true }));
  const leaseSpans = leases.map(({ fromMs, toMs, ticks }) => span('lease', 'lease', fromMs, toMs, '', ticks));
  return { sinceMs, isAsked: asked !== undefined, spans: [...queue, ...leaseSpans, ...lanes, ...waits] };
}

interface Lease {
  fromMs: number;
  toMs: number;
  isOpen: boolean;
  ticks: number[];
}

/** One for each fence: from the first call until the last one ended. The one that runs lasts until now. */
function leasesOf({ attempts, status, startedAt, heartbeatAt }: Facts, nowMs: number): Lease[] {
  const ended = [...groupBy(attempts, ({ fence }) => fence).values()].map((calls): Lease => {
    const fromMs = Math.min(...calls.map((call) => Date.parse(call.startedAt)));
    const toMs = Math.max(...calls.map((call) => Date.parse(call.finishedAt)));
    return { fromMs, toMs: Math.max(fromMs, toMs), isOpen: false, ticks: [] };
  });
  ended.sort((a, b) => a.fromMs - b.fromMs);
  if (status !== 'running') return ended;
  const lastMs = heartbeatAt === null ? undefined : Date.parse(heartbeatAt);
  const fromMs = ended.at(-1)?.toMs ?? Date.parse(startedAt ?? heartbeatAt ?? new Date(nowMs).toISOString());
  const open: Lease = { fromMs, toMs: Math.max(fromMs, nowMs), isOpen: true, ticks: [] };
  if (lastMs !== undefined && lastMs > fromMs && lastMs <= open.toMs) open.ticks.push(lastMs);
  return [...ended, open];
}

const span = (
  lane: string,
  kind: Span['kind'],
  fromMs: number,
  toMs: number,
  label = '',
  ticks: readonly number[] = [],
): Span => ({ lane, kind, fromMs, toMs: Math.max(fromMs, toMs), label, ticks });

/** The width of one character of a label, at most. */
export const CHARACTER = 6.4;
/** `12:37:50.133` */
const TIME_WIDTH = 12 * CHARACTER;
const APART = 12;

/**
 * Those of the instants whose labels have room. That of the first begins at its instant, with a word. The
 * others are in the middle over theirs.
 */
export function labelled(instants: readonly number[], word: string, x: (ms: number) => number): number[] {
  const shown: number[] = [];
  let endX = -Infinity;
  for (const ms of instants) {
    const isFirst = shown.length === 0;
    if (!isFirst && x(ms) - TIME_WIDTH / 2 < endX + APART) continue;
    shown.push(ms);
    endX = x(ms) + (isFirst ? word.length * CHARACTER + TIME_WIDTH : TIME_WIDTH / 2);
  }
  return shown;
}

/**
 * Shortens the pauses to `longestMs`: a function from instants to positions, that never goes back. `pauses`
 * may be in any order and must not overlap.
 */
export function folding(
  pauses: readonly Pick<Span, 'fromMs' | 'toMs'>[],
  longestMs = LONGEST_PAUSE_MS,
): (ms: number) => number {
  const long = pauses.filter(({ fromMs, toMs }) => toMs - fromMs > longestMs);
  return (ms) =>
    ms -
    long.reduce((cut, { fromMs, toMs }) => {
      const shown = Math.max(0, ms - fromMs);
      const most = toMs - fromMs - longestMs;
      return cut + Math.min(most, Math.max(0, shown - longestMs));
    }, 0);
}
