import type { JobSummary } from '../../../client/browser';
import { MINUTE_MS } from '../../time/format';

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
  running: number;
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

/** A quarter of an hour: what ended in it, and what is planned. */
export interface Quarter {
  atMs: number;
  succeeded: number;
  failed: number;
  skipped: number;
  planned: number;
}

const QUARTER_MS = 15 * MINUTE_MS;

/** The quarters of a day. Before now they hold what happened; from now on, what is planned. */
export function quartersOf(
  rows: readonly DayRow[],
  counts: readonly number[],
  { fromMs, toMs, nowMs }: { fromMs: number; toMs: number; nowMs: number },
): Quarter[] {
  const quarters = Array.from({ length: Math.ceil((toMs - fromMs) / QUARTER_MS) }, (_, index): Quarter => {
    const atMs = fromMs + index * QUARTER_MS;
    return { atMs, succeeded: 0, failed: 0, skipped: 0, planned: 0 };
  });
  for (const row of rows) {
    const { dueAt, status } = row;
    const quarter = quarters[Math.floor((Date.parse(dueAt) - fromMs) / QUARTER_MS)];
    if (quarter && (status === 'succeeded' || status === 'failed' || status === 'skipped'))
      quarter[status] += occurrences(row);
  }
  for (const [minute, planned] of counts.entries()) {
    const atMs = fromMs + minute * MINUTE_MS;
    const quarter = quarters[Math.floor((atMs - fromMs) / QUARTER_MS)];
    if (quarter && atMs > nowMs) quarter.planned += planned;
  }
  return quarters;
}

/** The minutes with the most, and how many. */
export function busiest(counts: readonly number[], most: number): { minute: number; count: number }[] {
  return counts
    .map((count, minute) => ({ minute, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.minute - b.minute)
    .slice(0, most);
}
