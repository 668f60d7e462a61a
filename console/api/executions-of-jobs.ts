import {
  type Execution,
  type ExecutionsOfJobs,
  type ExecutionsOfJobsFilter,
  isTerminal,
  ValidationError,
} from '../../client/browser';
import { call, project } from './client';
import { textQuery } from './jobs-filter';
import { type Polled, queries, usePolled } from './polling';
import { rangeOf, type TimeSpan } from './spans';

export type ListedStatus = NonNullable<ExecutionsOfJobsFilter['status']>;

/** Which executions of all jobs. */
export interface ExecutionsFilter {
  span: TimeSpan;
  /** Undefined: any. */
  status: ListedStatus | undefined;
  /** Tags that the jobs have now. */
  tags: readonly string[];
  /** A text of the job: its id, its name, a tag, a target. */
  q: string;
}

/** A part of the list, newest first. */
export interface ExecutionsSoFar {
  items: Execution[];
  /** Where the list goes on; null at its end. */
  next: { query: ExecutionsOfJobsFilter; cursor: string } | null;
  /** What has ended since may be missing. */
  asOf: string;
  incompleteBecause: ExecutionsOfJobs['incompleteBecause'];
  /** More jobs pass than the API lists together: what has not ended is left out. */
  isEndedOnly: boolean;
}

const PAGE = 100;
/** A poll reads as far as the oldest row that has not ended, but no further than this. */
const MOST_PAGES_A_POLL = 5;

/**
 * The newest `most` executions or a few more. A poll reads the first page, and those with executions that
 * had not ended; it keeps the rows below.
 */
export const useExecutions = (filter: ExecutionsFilter, most: number): Polled<ExecutionsSoFar> => {
  const key = ['executions', project.value, filter];
  return usePolled({
    key,
    keepPrevious: true,
    load: (signal) => {
      const { data, isInvalidated } = queries.of(key);
      const known = data as ExecutionsSoFar | undefined;
      if (known?.next && known.items.length < most && !isInvalidated)
        return further(known, known.next, signal);
      return newest(filter, known, signal);
    },
    every: (known) => (known?.items.some((one) => !isTerminal(one)) ? 5_000 : 15_000),
  });
};

const idOf = ({ jobId, execId }: Execution): string => `${jobId} ${execId}`;

/** The next page below what is known. */
async function further(
  known: ExecutionsSoFar,
  { query, cursor }: NonNullable<ExecutionsSoFar['next']>,
  signal: AbortSignal,
): Promise<ExecutionsSoFar> {
  const page = await call((api) => api.executions.pageOfJobs({ ...query, cursor }, { signal }));
  const ids = new Set(known.items.map(idOf));
  return {
    ...known,
    items: [...known.items, ...page.items.filter((one) => !ids.has(idOf(one)))],
    next: nextOf(query, page),
  };
}

const nextOf = (query: ExecutionsOfJobsFilter, { nextCursor }: ExecutionsOfJobs) =>
  nextCursor === null ? null : { query, cursor: nextCursor };

/** Reads from the newest on, and keeps the known rows below. */
async function newest(
  filter: ExecutionsFilter,
  known: ExecutionsSoFar | undefined,
  signal: AbortSignal,
): Promise<ExecutionsSoFar> {
  const { query, page, isEndedOnly } = await firstPage(filter, known?.isEndedOnly ?? false, signal);
  const items = [...page.items];
  const oldestOpen = known?.items.findLast((one) => !isTerminal(one))?.dueAt;
  let last = page;
  for (let pages = 1; pages < MOST_PAGES_A_POLL && last.nextCursor !== null; pages++) {
    if (oldestOpen === undefined || items.at(-1)!.dueAt <= oldestOpen) break;
    const cursor = last.nextCursor;
    last = await call((api) => api.executions.pageOfJobs({ ...query, cursor }, { signal }));
    items.push(...last.items);
  }
  const below = last.nextCursor === null ? [] : rowsBelow(known?.items ?? [], items);
  return {
    items: [...items, ...below],
    next: below.length > 0 ? known!.next : nextOf(query, last),
    asOf: page.asOf,
    incompleteBecause: page.incompleteBecause,
    isEndedOnly,
  };
}

/** The known rows that are older than all that was read. */
function rowsBelow(known: readonly Execution[], read: readonly Execution[]): Execution[] {
  const ids = new Set(read.map(idOf));
  const at = known.findLastIndex((one) => ids.has(idOf(one)));
  return at < 0 ? [] : known.slice(at + 1);
}

/**
 * The first page. With more than 500 jobs, the API lists only what has ended together, by its journal: then
 * that is what the page has.
 */
async function firstPage(
  filter: ExecutionsFilter,
  isEndedOnly: boolean,
  signal: AbortSignal,
): Promise<{ query: ExecutionsOfJobsFilter; page: ExecutionsOfJobs; isEndedOnly: boolean }> {
  const query = { ...queryOf(filter), limit: PAGE, ...(isEndedOnly && { status: 'ended' as const }) };
  try {
    const page = await call((api) => api.executions.pageOfJobs(query, { signal }));
    return { query, page, isEndedOnly };
  } catch (thrown) {
    if (isEndedOnly || filter.status !== undefined || !(thrown instanceof ValidationError)) throw thrown;
    return firstPage(filter, true, signal);
  }
}

/** What is scheduled lies ahead: then the span goes from now on. */
function queryOf({ span, status, tags, q }: ExecutionsFilter): ExecutionsOfJobsFilter {
  const isAhead = status === 'scheduled' && typeof span === 'string';
  return {
    ...(isAhead ? {} : rangeOf(span)),
    status,
    tag: tags.length > 0 ? [...tags] : undefined,
    ...textQuery(q),
  };
}

export type EndCounts = NonNullable<ExecutionsOfJobs['counts']>;

/** How executions ended, by status; null without the journal of ends. The list of a status shares it. */
export const useEndCounts = ({ span, tags, q }: Omit<ExecutionsFilter, 'status'>): Polled<EndCounts | null> =>
  usePolled({
    key: ['executions', project.value, { span, tags, q }, 'counts'],
    keepPrevious: true,
    load: (signal) => {
      // A page of failures costs the least; its counts are of all ends.
      const query = { ...queryOf({ span, tags, q, status: 'failed' }), counts: true, limit: 1 };
      return call((api) => api.executions.pageOfJobs(query, { signal })).then(
        ({ counts }) => counts ?? null,
        (thrown: unknown) => {
          if (thrown instanceof ValidationError) return null;
          throw thrown;
        },
      );
    },
    every: () => 30_000,
  });
