import type { Execution } from '../../../client/browser';
import { groupBy } from '../../parts/group-by';

const MOST_EXCERPTS = 3;

const endedAt = ({ finishedAt, dueAt }: Execution): string => finishedAt ?? dueAt;

/** The texts of failures, the most frequent first; of one cause they differ in numbers and ids alone. */
export const excerptsOf = (items: readonly Execution[]) =>
  [...groupBy(items, ({ excerpt }) => excerpt ?? '')]
    .filter(([excerpt]) => excerpt !== '')
    .map(([excerpt, those]) => ({ excerpt, times: those.length, lastAt: endedAt(those[0]!) }))
    .sort((a, b) => b.times - a.times)
    .slice(0, MOST_EXCERPTS);

/** A job of a cause: how often it failed so, and its newest execution of them. */
export interface CauseJob {
  jobId: string;
  times: number;
  latest: Execution;
}

/** The jobs of failures, newest first, those that failed most first. */
export const jobsOf = (items: readonly Execution[]): CauseJob[] =>
  [...groupBy(items, ({ jobId }) => jobId)]
    .map(([jobId, those]) => ({ jobId, times: those.length, latest: those[0]! }))
    .sort((a, b) => b.times - a.times || (a.jobId < b.jobId ? -1 : 1));
