import type { Execution } from '../../../client/browser';
import { type Day, useDay, useRunning } from '../../api/executions';
import { useJobs } from '../../api/jobs';
import { isKnown, type Polled } from '../../api/polling';
import { useStatsOfDay } from '../../api/stats';
import { INCOMPLETE } from '../../parts/incomplete';
import { plural } from '../../time/format';
import {
  cutJobs,
  type DayPart,
  type DayRow,
  type Figures,
  figuresOf,
  figuresOfStats,
  hoursOf,
  quartersOf,
  rowsSince,
} from './figures';

/** The day so far, and how it is known. */
export interface DaySoFar {
  /** What its numbers come from. */
  query: Polled<unknown>;
  figures: Figures;
  /** What they leave out, or that they leave out nothing. */
  limits: string;
  /** Undefined: not known yet. */
  ended: number | undefined;
  running: readonly DayRow[] | readonly Execution[] | null | undefined;
  partsOf(counts: readonly number[], span: { fromMs: number; toMs: number; nowMs: number }): DayPart[];
}

/** By the journal of ends, in one request; without one, by the executions of the day. */
export function useDaySoFar(fromMs: number, toMs: number): DaySoFar {
  const stats = useStatsOfDay(fromMs, toMs);
  const hasJournal = stats.data?.total !== null;
  const running = useRunning(hasJournal);
  const listed = useListedDay(fromMs, !hasJournal);
  if (!hasJournal) return listed;
  const { data } = stats;
  const total = data?.total;
  const figures = total ? figuresOfStats(total, running.data?.length) : figuresOf([]);
  return {
    query: stats,
    figures,
    limits: data?.complete === false ? data.incompleteBecause.map((why) => INCOMPLETE[why]).join(' ') : ALL,
    ended: total ? figures.succeeded + figures.failed + figures.skipped : undefined,
    running: running.data,
    partsOf: (counts, span) => hoursOf(data?.buckets ?? [], counts, span),
  };
}

/** Each of these jobs tells its 20 newest executions. */
const MOST_JOBS = 200;
const ALL = 'All executions of the day count.';

function useListedDay(fromMs: number, enabled: boolean): DaySoFar {
  const day = useDay(fromMs, enabled);
  // More jobs than the API lists together: the newest of each of the first ones count.
  const isListed = day.data !== null;
  const { data: jobs } = useJobs(MOST_JOBS, !isListed);
  const rows: readonly DayRow[] = day.data?.items ?? (isListed || !jobs ? [] : rowsSince(jobs.items, fromMs));
  const isRead = isKnown(day);
  const limits = day.isPartial
    ? `The newest ${plural(rows.length, 'execution')} count so far: the day is still being read.`
    : day.data
      ? dayLimits(day.data)
      : jobs
        ? limitsOf(jobs.items.length, jobs.hasMore, cutJobs(jobs.items, fromMs))
        : 'The jobs are still being read.';
  return {
    query: day,
    figures: figuresOf(rows),
    limits,
    ended: isRead && !day.isPartial ? rows.length : undefined,
    running: isRead ? rows.filter(({ status }) => status === 'running' || status === 'retrying') : undefined,
    partsOf: (counts, span) => quartersOf(rows, counts, span),
  };
}

/** What the list of the day leaves out. */
function dayLimits({ items, hasMore, incompleteBecause }: Day): string {
  const parts = [
    ...(hasMore ? [`The newest ${items.length} executions count.`] : []),
    ...incompleteBecause.map((why) => INCOMPLETE[why]),
  ];
  return parts.length > 0 ? parts.join(' ') : ALL;
}

/** What the numbers of single jobs leave out. */
function limitsOf(jobs: number, hasMore: boolean, cut: number): string {
  const parts = [
    hasMore && `Counted over the first ${jobs} jobs.`,
    cut > 0 && `${plural(cut, 'job')} ran more often than 20 times: of these, the newest 20 count.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : ALL;
}
