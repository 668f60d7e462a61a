import { inParallel } from '../async/in-parallel';
import type { StageDeps } from '../deps';
import { followUps } from '../domain/follow-ups';
import type { Gate, Released } from './gate';
import { GATES } from './gates';

/** Gates that are released at the same time. */
const CONCURRENCY = 10;

type Group<One> = [One, ...One[]];

/**
 * Releases the gates that ended executions held, the last gate first; those that held the same together.
 * Nothing to do for plain jobs. One that fails stops no other.
 *
 * @returns the executions whose gates could not be released, with the reason
 */
export async function releaseGates<One extends Released>(
  ended: readonly One[],
  deps: StageDeps,
): Promise<Map<One, unknown>> {
  const failed = new Map<One, unknown>();
  for (const gate of [...GATES].reverse()) {
    await inParallel(groupsOf(gate, ended), CONCURRENCY, async (group) => {
      try {
        await gate.release(group, deps);
      } catch (error) {
        for (const one of group) failed.set(one, error);
      }
    });
  }
  return failed;
}

function groupsOf<One extends Released>(gate: Gate, ended: readonly One[]): Group<One>[] {
  const groups = new Map<string, Group<One>>();
  for (const one of ended) {
    if (!followUps(one).includes(gate.followUp)) continue;
    const resource = gate.resourceOf(one);
    const group = groups.get(resource);
    if (group) group.push(one);
    else groups.set(resource, [one]);
  }
  return [...groups.values()];
}
