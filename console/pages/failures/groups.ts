import type { Execution, FailureGroups } from '../../../client/browser';
import { causeOf } from '../../parts/cause';
import { groupBy } from '../../parts/group-by';

/** Failures with the same cause. */
export interface FailureGroup {
  /** Names the group in the address. */
  key: string;
  status: Execution['status'];
  /** What went wrong, in a few words. */
  head: string;
  /** Whose answer it was; undefined where nothing was called. */
  host: string | undefined;
  /** What the target said of the newest one; undefined if that was nothing. */
  excerpt: string | undefined;
  /** Newest first. Empty if all are older than the first 1,000 rows: an open group loads them. */
  items: Execution[];
  jobs: number;
  /** Occurrences: a skipped range counts with all of its own. */
  count: number;
  /** The job of the newest one. */
  latest: string;
  /** There may be more than `count`. */
  isAtLeast: boolean;
  /** The one that was due first, of all that were counted. */
  first?: { jobId: string; execId: string };
  /** Who knows about it. */
  ack?: FailureGroups['groups'][number]['ack'];
  /** When the first and the last of them ended. */
  firstMs: number;
  lastMs: number;
}

const occurrences = ({ skipped }: Execution): number => skipped?.count ?? 1;

/** The groups of failures: those that failed first, then the largest. */
export function groupsOf(items: readonly Execution[], headOf: (one: Execution) => string): FailureGroup[] {
  const groups = [...groupBy(items, causeOf)].map(([key, members]): FailureGroup => {
    const times = members.map(({ dueAt, finishedAt }) => Date.parse(finishedAt ?? dueAt));
    return {
      key,
      status: members[0]!.status,
      head: headOf(members[0]!),
      host: members.find(({ host }) => host !== undefined)?.host,
      excerpt: members[0]!.excerpt,
      items: members,
      jobs: new Set(members.map(({ jobId }) => jobId)).size,
      count: members.reduce((sum, one) => sum + occurrences(one), 0),
      latest: members[0]!.jobId,
      isAtLeast: false,
      firstMs: Math.min(...times),
      lastMs: Math.max(...times),
    };
  });
  return groups.sort(byWeight);
}

const rank = ({ status }: FailureGroup): number => (status === 'failed' ? 0 : 1);
const byWeight = (a: FailureGroup, b: FailureGroup): number =>
  rank(a) - rank(b) || b.count - a.count || b.lastMs - a.lastMs;

type Counted = FailureGroups['groups'][number];

/**
 * The groups of the first rows, with the counts of the API, which reads more rows. A cause that only the API
 * has is added without rows.
 */
export function withCounts(groups: readonly FailureGroup[], counted: readonly Counted[]): FailureGroup[] {
  const byKey = new Map(groups.map((group) => [group.key, group]));
  for (const one of counted) {
    const { fingerprint, count, countIs, jobs, firstEndedAt, lastEndedAt } = one;
    const known = byKey.get(fingerprint);
    const isAtLeast = countIs === 'at-least';
    byKey.set(fingerprint, {
      key: fingerprint,
      status: one.status,
      head: known?.head ?? headOfCounted(one),
      host: known?.host ?? one.host ?? undefined,
      excerpt: known?.excerpt ?? one.excerpt ?? undefined,
      items: known?.items ?? [],
      jobs: Math.max(jobs, known?.jobs ?? 0),
      count: Math.max(count, known?.count ?? 0),
      latest: one.latest.jobId,
      isAtLeast,
      first: one.first,
      ack: one.ack,
      firstMs: Math.min(Date.parse(firstEndedAt), known?.firstMs ?? Infinity),
      lastMs: Math.max(Date.parse(lastEndedAt), known?.lastMs ?? 0),
    });
  }
  return [...byKey.values()].sort(byWeight);
}

export const headOfTask = (taskId: string): string => `task ${taskId} has failed`;

function headOfCounted({ statusCode, errorClass, reason, status, task }: Counted): string {
  if (task !== null) return headOfTask(task);
  return statusCode !== null ? `target answered ${statusCode}` : (errorClass ?? reason ?? status);
}

/** How many of a group ended in each of `bars` equal parts of a span. */
export function overTime(items: readonly Execution[], fromMs: number, toMs: number, bars: number): number[] {
  const counts = Array<number>(bars).fill(0);
  for (const one of items) {
    const at = (Date.parse(one.finishedAt ?? one.dueAt) - fromMs) / (toMs - fromMs);
    const index = Math.min(bars - 1, Math.max(0, Math.floor(at * bars)));
    counts[index]! += occurrences(one);
  }
  return counts;
}

/**
 * The order in which a group is retried: the oldest first, and the executions of one ordering key next to one
 * another.
 */
export function retryOrder(items: readonly Execution[]): Execution[] {
  const byDue = items.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
  const groups = groupBy(byDue, ({ orderingKey, jobId, execId }) => orderingKey ?? `${jobId}/${execId}`);
  return [...groups.values()].flat();
}

/** What a group is asked to do: what was skipped has not run before. */
export const retryWord = ({ status }: Pick<FailureGroup, 'status'>): string =>
  status === 'failed' ? 'Retry' : 'Run';
