import { DAY_MS, SECOND_MS } from '../../../core/clock/clock';
import { jobKeyOf, userPartOf } from '../../../core/contracts/tables';
import type { Execution } from '../../../core/domain/execution';
import { isTerminal, type TerminalStatus } from '../../../core/domain/transitions';
import { executionMapKey } from '../../../core/store/execution-store';
import { findExecutions } from '../../../core/store/read-whole';
import type { Filtered } from '../../http/paging';
import type { IsSpent } from '../../http/cpu-budget';
import type { ApiDeps } from '../../request';
import { isRetained } from '../execution-view';
import { type EndCounts, type EndVisitor, noEnds } from './ends-of-day';
import { type FoundEnds, readJournal } from './read-journal';

/** The follower gathers ten seconds of ends, and the stream takes some itself. */
const USUAL_LAG_MS = 20 * SECOND_MS;

export interface EndedQuery {
  project: string;
  fromMs: number;
  toMs: number;
  nowMs: number;
  /** Undefined: all that has ended. */
  status: TerminalStatus | undefined;
  jobIds: ReadonlySet<string> | undefined;
  limit: number;
  /** `nextAfter` of the page before. */
  after: string | undefined;
  counts: boolean;
}

export interface EndedPage {
  page: Filtered<Execution>;
  counts?: EndCounts & { atLeast: boolean };
  asOfMs: number;
  /** Newer ones may be missing between those of the page. */
  isCut: boolean;
  /** The journal is younger than the window. */
  beginsLate: boolean;
}

/** Between the last execution of a page and the row from which on the next one reads. */
const SEPARATOR = '|';

/** What is read of the journal. */
export type ReadQuery = Pick<EndedQuery, 'project' | 'fromMs' | 'toMs' | 'nowMs' | 'jobIds'> &
  Partial<Pick<EndedQuery, 'status' | 'limit' | 'after'>> & { visit?: EndVisitor | undefined };

interface ReadEnds
  extends Pick<FoundEnds, 'items' | 'next'>, Pick<EndedPage, 'asOfMs' | 'isCut' | 'beginsLate'> {}

/** Ends of a window, by the journal. */
export async function readEnds(query: ReadQuery, isSpent: IsSpent, deps: ApiDeps): Promise<ReadEnds> {
  const { project, nowMs, status, limit = 0 } = query;
  const [after, through] = query.after?.split(SEPARATOR) ?? [];
  const userPart = userPartOf(jobKeyOf({ userId: project, jobId: '' }));
  // Older rows have been removed.
  const fromMs = Math.max(query.fromMs, nowMs - deps.retentionDays * DAY_MS);
  const [{ lagMs, ...found }, sinceMs = nowMs] = await Promise.all([
    readJournal(
      { ...query, status, limit, fromMs, userPart, after, through },
      { journal: deps.journal, isSpent },
    ),
    deps.journal.sinceMs(),
  ]);
  return { ...found, asOfMs: nowMs - Math.max(USUAL_LAG_MS, lagMs), beginsLate: query.fromMs < sinceMs };
}

/**
 * A page of what has ended, by the journal. The rows of the page are read: they say more, and an execution
 * that a user has retried since has not ended.
 */
export async function listEnded(query: EndedQuery, isSpent: IsSpent, deps: ApiDeps): Promise<EndedPage> {
  const { project, nowMs, status } = query;
  const counts = query.counts ? noEnds() : undefined;
  const visit: EndVisitor | undefined = counts && ((end) => (counts[end.status] += end.skipped?.count ?? 1));
  const { items: found, next, ...read } = await readEnds({ ...query, visit }, isSpent, deps);
  const refs = found.map(({ jobId, execId }) => ({ jobKey: jobKeyOf({ userId: project, jobId }), execId }));
  const { executions } = await findExecutions(refs, deps, { consistent: false });
  const items = refs.flatMap((ref) => {
    const row = executions.get(executionMapKey(ref));
    const isIt = row && (status === undefined ? isTerminal(row.status) : row.status === status);
    return isIt && isRetained(row, nowMs) ? [row] : [];
  });
  return {
    page: { items, nextAfter: next && [next.after, next.through ?? ''].join(SEPARATOR) },
    ...(counts && { counts: { ...counts, atLeast: read.isCut || read.beginsLate } }),
    ...read,
  };
}
