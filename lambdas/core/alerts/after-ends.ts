import type { StageDeps } from '../deps';
import { tellEnds } from './tell-ends';
import { type SeenEnd, watchEnds } from './watch-ends';

/**
 * Does what follows from ends beside the gates: calls the targets of `onEnd`, pauses jobs that keep failing,
 * and tells notifications. Each is idempotent.
 *
 * @returns the ends for which one of these failed, with the reason: their rechecks are repeated
 */
export async function afterEnds<Ended extends SeenEnd>(
  ended: readonly Ended[],
  deps: StageDeps,
): Promise<Map<Ended, unknown>> {
  const watched = await watchEnds(ended, deps);
  return new Map([...watched, ...(await tellEnds(ended, deps))]);
}
