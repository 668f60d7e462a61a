import { chunksOf } from '../../core/async/chunks';
import { ProblemError } from '../http/problem';
import type { Settled } from './act-on-item';
import type { BulkItem, ItemSource } from './select-items';

/** Items acted on at the same time. */
const PARALLEL = 10;

export interface PageResult {
  done: number;
  unchanged: number;
  failed: { item: BulkItem; problem: ProblemError }[];
  /** The problem that ended the page early. */
  stoppedBy?: ProblemError;
  /** Where the next page begins; absent if all is done. */
  next?: { after: string | undefined };
}

interface PageOptions {
  /** Items of the page, at most. */
  limit: number;
  act: (item: BulkItem) => Promise<Settled>;
  /** The time of the request is used. */
  isSpent: () => boolean;
}

/**
 * Acts on the items after a position, until the page is full or the time is used. A problem of the moment
 * (429, 503) stops the page: the next one begins with the first item that is not settled. Items that were
 * settled beyond it come again, which does no harm.
 */
export async function runPage(
  source: ItemSource,
  start: string | undefined,
  { limit, act, isSpent }: PageOptions,
): Promise<PageResult> {
  const result: PageResult = { done: 0, unchanged: 0, failed: [] };
  let after = start;
  let room = limit;
  for (;;) {
    const { items, nextAfter } = await source(after);
    for (const batch of chunksOf(items.slice(0, room), PARALLEL)) {
      if (room < limit && isSpent()) return { ...result, next: { after } };
      const settled = await actOnBatch(batch, act);
      const open = addTo(result, batch, settled);
      if (open >= 0) return { ...result, next: { after: batch[open - 1]?.position ?? after } };
      after = batch.at(-1)!.position;
      room -= batch.length;
    }
    const last = items.at(-1);
    if (last && last.position !== after) return { ...result, next: { after } };
    if (nextAfter === undefined) return result;
    after = nextAfter;
    if (room === 0 || isSpent()) return { ...result, next: { after } };
  }
}

/** Adds what was settled. Returns the index of the first item that is to come again, or -1. */
function addTo(
  result: PageResult,
  batch: readonly BulkItem[],
  settled: readonly (Settled | undefined)[],
): number {
  for (const [index, item] of batch.entries()) {
    const outcome = settled[index];
    if (outcome === 'done') result.done++;
    else if (outcome === 'unchanged') result.unchanged++;
    else if (outcome instanceof ProblemError) {
      if (isOfTheMoment(outcome)) result.stoppedBy ??= outcome;
      else result.failed.push({ item, problem: outcome });
    }
  }
  return settled.findIndex((outcome) => outcome === undefined || isOfTheMoment(outcome));
}

/** Whether a problem says: later. It may be that of any further item, too. */
const isOfTheMoment = (outcome: Settled): boolean =>
  outcome instanceof ProblemError && (outcome.status === 429 || outcome.status === 503);

/** Items that share an ordering key go one after another. Undefined: not started, because of a stop. */
async function actOnBatch(
  batch: readonly BulkItem[],
  act: (item: BulkItem) => Promise<Settled>,
): Promise<(Settled | undefined)[]> {
  const settled = batch.map((): Settled | undefined => undefined);
  let isStopped = false;
  const actInTurn = async (indexes: readonly number[]) => {
    for (const index of indexes) {
      if (isStopped) return;
      const outcome = await act(batch[index]!);
      settled[index] = outcome;
      isStopped ||= isOfTheMoment(outcome);
    }
  };
  await Promise.all(queuesOf(batch).map(actInTurn));
  return settled;
}

/** The indexes of the items: one list for each ordering key, and one for each execution or job without. */
function queuesOf(batch: readonly BulkItem[]): number[][] {
  const byKey = new Map<string | symbol, number[]>();
  for (const [index, { job, execId }] of batch.entries()) {
    const key = (execId === undefined ? null : job.orderingKey) ?? Symbol(job.jobId);
    byKey.set(key, [...(byKey.get(key) ?? []), index]);
  }
  return [...byKey.values()];
}
