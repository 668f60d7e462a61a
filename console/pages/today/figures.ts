import type { JobSummary, Stats } from '../../../client/browser';
import { HOUR_MS, MINUTE_MS } from '../../time/format';

type Row = NonNullable<JobSummary['history']>[number];
/** What the numbers of a day need of an execution. */
export interface DayRow extends Pick<Row, 'execId' | 'status' | 'dueAt' | 'startedAt' | 'latenessMs'> {
  jobId: string;
  skipped?: { count: number } | null;
}

/** A skipped range counts with each of its occurrences. */
const occurrences = ({ skipped }: DayRow): number => skipped?.count ?? 1;

/** Numbers of a day. */
export interface Figures {
  succeeded: number;
  failed: number;
  skipped: number;
  /** Undefined: not known. */
  running: number | undefined;
  /** Started more than a second after they were due. */
  late: number;
  worstMs: number;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
}

const LATE_MS = 1_000;

/** The newest executions of the jobs that were due since an instant. */
export const rowsSince = (jobs: readonly JobSummary[], fromMs: number): DayRow[] =>
  jobs.flatMap(({ jobId, history = [] }) =>
    history.filter(({ dueAt }) => Date.parse(dueAt) >= fromMs).map((row) => ({ ...row, jobId })),
  );

/** Jobs whose 20 newest executions do not reach back to the instant: those before are not counted. */
export const cutJobs = (jobs: readonly JobSummary[], fromMs: number): number =>
  jobs.filter(({ history = [] }) => history.length === 20 && Date.parse(history.at(-1)!.dueAt) > fromMs)
    .length;

export function figuresOf(rows: readonly DayRow[]): Figures {
  const count = (...statuses: Row['status'][]) =>
    rows.reduce((sum, row) => sum + (statuses.includes(row.status) ? occurrences(row) : 0), 0);
  const lateness = rows.flatMap(({ latenessMs }) => latenessMs ?? []).sort((a, b) => a - b);
  const at = (fraction: number) => lateness[Math.max(0, Math.ceil(fraction * lateness.length) - 1)];
  return {
    succeeded: count('succeeded'),
    failed: count('failed'),
    skipped: count('skipped'),
    running: count('running', 'retrying'),
    late: lateness.filter((ms) => ms > LATE_MS).length,
    worstMs: lateness.at(-1) ?? 0,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

type Total = NonNullable<Stats['total']>;

/** The numbers of a day by the journal of ends, which counts all of it. */
export const figuresOfStats = ({ counts, late, lateness }: Total, running: number | undefined): Figures => ({
  succeeded: counts.succeeded,
  failed: counts.failed,
  skipped: counts.skipped,
  running,
  late,
  worstMs: lateness.max ?? 0,
  p50Ms: lateness.p50 ?? undefined,
  p99Ms: lateness.p99 ?? undefined,
});

/** A part of a day: what ended of it, and what is planned in it. */
export interface DayPart {
  atMs: number;
  succeeded: number;
  failed: number;
  skipped: number;
  planned: number;
}

interface Span {
  fromMs: number;
  toMs: number;
  nowMs: number;
}

const QUARTER_MS = 15 * MINUTE_MS;

/** The quarters of the hours of a day. Before now they hold what happened; from now on, what is planned. */
export function quartersOf(rows: readonly DayRow[], counts: readonly number[], span: Span): DayPart[] {
  const quarters = emptyParts(QUARTER_MS, counts, span);
  for (const row of rows) {
    const { dueAt, status } = row;
    const quarter = quarters[Math.floor((Date.parse(dueAt) - span.fromMs) / QUARTER_MS)];
    if (quarter && (status === 'succeeded' || status === 'failed' || status === 'skipped'))
      quarter[status] += occurrences(row);
  }
  return quarters;
}

/** The hours of a day, by what the API has counted. */
export function hoursOf(buckets: Stats['buckets'], counts: readonly number[], span: Span): DayPart[] {
  const hours = emptyParts(HOUR_MS, counts, span);
  for (const { from, counts: ended } of buckets) {
    const hour = hours[Math.floor((Date.parse(from) - span.fromMs) / HOUR_MS)];
    if (hour) for (const status of ['succeeded', 'failed', 'skipped'] as const) hour[status] += ended[status];
  }
  return hours;
}

/** Parts of a day, with what is planned after now. */
function emptyParts(lengthMs: number, counts: readonly number[], { fromMs, toMs, nowMs }: Span): DayPart[] {
  const parts = Array.from({ length: Math.ceil((toMs - fromMs) / lengthMs) }, (_, index): DayPart => {
    const atMs = fromMs + index * lengthMs;
    return { atMs, succeeded: 0, failed: 0, skipped: 0, planned: 0 };
  });
  for (const [minute, planned] of counts.entries()) {
    const atMs = fromMs + minute * MINUTE_MS;
    const part = parts[Math.floor((atMs - fromMs) / lengthMs)];
    if (part && atMs > nowMs) part.planned += planned;
  }
  return parts;
}

/** The minutes with the most, and how many. */
export function busiest(counts: readonly number[], most: number): { minute: number; count: number }[] {
  return counts
    .map((count, minute) => ({ minute, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.minute - b.minute)
    .slice(0, most);
}
