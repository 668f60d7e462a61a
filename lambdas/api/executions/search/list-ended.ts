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
import type { EndCounts } from './ends-of-day';
import { readJournal } from './read-journal';

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

/**
 * A page of what has ended, by the journal. The rows of the page are read: they say more, and an execution
 * that a user has retried since has not ended.
 */
export async function listEnded(query: EndedQuery, isSpent: IsSpent, deps: ApiDeps): Promise<EndedPage> {
  const { project, nowMs, status } = query;
  const [after, through] = query.after?.split(SEPARATOR) ?? [];
  const userPart = userPartOf(jobKeyOf({ userId: project, jobId: '' }));
  // Older rows have been removed.
  const fromMs = Math.max(query.fromMs, nowMs - deps.retentionDays * DAY_MS);
  const [{ items: found, next, counts, isCut, lagMs }, sinceMs = nowMs] = await Promise.all([
    readJournal({ ...query, fromMs, userPart, after, through }, { journal: deps.journal, isSpent }),
    deps.journal.sinceMs(),
  ]);
  const refs = found.map(({ jobId, execId }) => ({ jobKey: jobKeyOf({ userId: project, jobId }), execId }));
  const { executions } = await findExecutions(refs, deps, { consistent: false });
  const items = refs.flatMap((ref) => {
    const row = executions.get(executionMapKey(ref));
    const isIt = row && (status === undefined ? isTerminal(row.status) : row.status === status);
    return isIt && isRetained(row, nowMs) ? [row] : [];
  });
  const beginsLate = query.fromMs < sinceMs;
  return {
    page: { items, nextAfter: next && [next.after, next.through ?? ''].join(SEPARATOR) },
    ...(counts && { counts: { ...counts, atLeast: isCut || beginsLate } }),
    asOfMs: nowMs - Math.max(USUAL_LAG_MS, lagMs),
    isCut,
    beginsLate,
  };
}
