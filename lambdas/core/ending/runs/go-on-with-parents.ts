import { inParallel } from '../../async/in-parallel';
import type { StageDeps } from '../../deps';
import type { EndedRow } from '../../domain/ended';
import { followUps } from '../../domain/follow-ups';
import type { Released } from '../../gates/gate';
import { afterChild } from './task-ends';

/** Runs that are gone on with at the same time. */
const CONCURRENCY = 5;

/**
 * Goes on with the runs that wait for ended children. Those of plain jobs have none above them.
 *
 * @returns the children whose runs could not go on, with the reason
 */
export async function goOnWithParents(
  ended: readonly EndedRow[],
  deps: StageDeps,
): Promise<Map<EndedRow, unknown>> {
  const failed = new Map<EndedRow, unknown>();
  const children = ended.filter((one) => followUps(one).includes('go-on-with-parent'));
  await inParallel(children, CONCURRENCY, async (one) => {
    try {
      await goOnWithParent(one, deps);
    } catch (error) {
      failed.set(one, error);
    }
  });
  return failed;
}

/** Goes on with the run above an ended child, if there is one. Throws if a store does not respond. */
export async function goOnWithParent(ended: Released, deps: StageDeps): Promise<void> {
  if (ended.parent) await afterChild({ ...ended, parent: ended.parent }, deps);
}
