import { afterEnds } from '../alerts/after-ends';
import type { SeenEnd } from '../alerts/watch-ends';
import type { StageDeps } from '../deps';
import { followUps } from '../domain/follow-ups';
import type { Job } from '../domain/job';
import type { Released } from '../gates/gate';
import { releaseGates } from '../gates/release';
import { startWaiters } from './start-waiters';

/**
 * Who ends an execution. `executor`: under its lease, whose entry is rechecked until the end. `sweeper`:
 * during the recheck of its entry, which is repeated if it fails. `other`: anyone else, who files an entry
 * first.
 */
export type EndedBy = 'executor' | 'sweeper' | 'other';

/**
 * Does what must follow ends, of several executions together. Repeating it does no harm. One that fails stops
 * no other.
 *
 * @returns the executions whose follow-ups failed, with the reason
 */
export async function followUpAll(
  ended: readonly Released[],
  deps: StageDeps,
): Promise<Map<Released, unknown>> {
  const failed = await releaseGates(ended, deps);
  for (const [one, reason] of await startWaiters(ended, deps)) failed.set(one, reason);
  return failed;
}

/**
 * Does what must follow an end. What fails is left to the next recheck. The sweeper's own recheck fails
 * instead, so that its cursor does not pass the entry. Only the sweeper tells notifications: the recheck of
 * an end comes in any case.
 */
export async function runFollowUps(
  ended: SeenEnd & Released,
  { job, by }: { job?: Job; by: EndedBy },
  deps: StageDeps,
): Promise<void> {
  const failed: ReadonlyMap<unknown, unknown> =
    followUps(ended).length > 0 ? await followUpAll([{ ...ended, job }], deps) : new Map();
  const untold = by === 'sweeper' ? await afterEnds([ended], deps) : new Map<unknown, unknown>();
  for (const error of [...failed.values(), ...untold.values()]) {
    if (by === 'sweeper') throw error;
    const { jobKey, execId } = ended;
    deps.log.error('the follow-ups of an end are left to its recheck', error, { jobKey, execId });
  }
}
