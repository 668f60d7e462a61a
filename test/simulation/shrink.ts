import type { RunPlan } from './run-plan';
import { simulate } from './simulate';
import type { Invariant } from './violation';

const MAX_RUNS = 150;

/**
 * Removes faults, then clients' actions, from a plan as long as it still breaks the same invariant: first
 * large parts, then smaller ones. The result need not be minimal, but each of its parts was needed when it
 * was tried.
 */
export async function shrink(plan: RunPlan, invariant: Invariant): Promise<{ plan: RunPlan; runs: number }> {
  let runs = 0;
  const stillBreaks = async (candidate: RunPlan): Promise<boolean> => {
    runs += 1;
    const { violations } = await simulate(candidate);
    return violations.some((violation) => violation.invariant === invariant);
  };
  const without = async <Part>(
    parts: readonly Part[],
    planWith: (kept: Part[]) => RunPlan,
  ): Promise<Part[]> => {
    let kept = [...parts];
    for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < kept.length && runs < MAX_RUNS;) {
        const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
        if (await stillBreaks(planWith(fewer))) kept = fewer;
        else at += size;
      }
    }
    return kept;
  };
  let least = plan;
  least = { ...least, faults: await without(least.faults, (faults) => ({ ...least, faults })) };
  least = { ...least, actions: await without(least.actions, (actions) => ({ ...least, actions })) };
  return { plan: least, runs };
}
