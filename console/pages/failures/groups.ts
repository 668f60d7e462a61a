import type { Execution } from '../../../client/browser';
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
  /** Newest first. */
  items: Execution[];
  jobs: number;
  /** Occurrences: a skipped range counts with all of its own. */
  count: number;
  firstMs: number;
  lastMs: number;
}

/** What the answers of one cause have in common. Long numbers and ids are left out. */
export function causeOf({ fingerprint, status, reason, attempts }: Execution): string {
  if (fingerprint !== undefined) return fingerprint;
  const last = attempts.at(-1);
  const answer = last ? (last.error ?? `status ${last.statusCode}`) : (reason ?? '');
  return `${status}|${reason ?? ''}|${answer.replace(/\d{4,}|[0-9a-f]{8,}/gi, '#').slice(0, 120)}`;
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
      items: members,
      jobs: new Set(members.map(({ jobId }) => jobId)).size,
      count: members.reduce((sum, one) => sum + occurrences(one), 0),
      firstMs: Math.min(...times),
      lastMs: Math.max(...times),
    };
  });
  const rank = ({ status }: FailureGroup): number => (status === 'failed' ? 0 : 1);
  return groups.sort((a, b) => rank(a) - rank(b) || b.count - a.count || b.lastMs - a.lastMs);
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
