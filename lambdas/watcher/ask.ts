import { withTimeout } from '../core/async/with-timeout';
import { SECOND_MS } from '../core/clock/clock';
import { jobRefOf } from '../core/contracts/tables';
import type { Probed } from '../core/delivery/errands/errand-kind';
import { type Errand, ERRAND_RULES, type ErrandStep } from '../core/domain/errand';
import type { Execution } from '../core/domain/execution';
import type { ExecutionRef } from '../core/store/execution-store';
import type { WatcherDeps } from './deps';

export const CALL_WITHIN_MS = 5 * SECOND_MS;
/** An end is written without the steps if they take longer. */
const STEPS_WITHIN_MS = 2 * SECOND_MS;

/** Asks its service how an errand is. */
export async function ask(
  errand: Errand,
  { jobKey }: Pick<ExecutionRef, 'jobKey'>,
  deps: WatcherDeps,
): Promise<Probed> {
  const [seen] = await askTogether([errand], jobRefOf(jobKey).userId, deps);
  return seen!;
}

/** Asks a service once how several errands of a project are, and tells it in their order. */
export async function askTogether(
  errands: readonly Errand[],
  project: string,
  { errandProbes, clock }: WatcherDeps,
): Promise<Probed[]> {
  try {
    return await withTimeout(CALL_WITHIN_MS, (signal) => errandProbes.probe(errands, project, signal), clock);
  } catch (error) {
    return errands.map(() => ({ state: 'unknown', error: String(error) }));
  }
}

/** A row has the records of all attempts, and at most 400 KB. Steps take some KB of it each. */
const MOST_ATTEMPTS_WITH_STEPS = 20;

/**
 * The steps of an errand that has ended. Undefined: its kind has none, its service does not tell them, or the
 * execution has had many attempts.
 */
export async function stepsOf(
  errand: Errand,
  { jobKey, execId, attempts }: Execution,
  { errandProbes, clock, log }: WatcherDeps,
): Promise<readonly ErrandStep[] | undefined> {
  if (!ERRAND_RULES[errand.type].hasSteps || attempts.length >= MOST_ATTEMPTS_WITH_STEPS) return undefined;
  const { userId: project } = jobRefOf(jobKey);
  try {
    return await withTimeout(STEPS_WITHIN_MS, (signal) => errandProbes.steps(errand, project, signal), clock);
  } catch (error) {
    log.warn('an end is recorded without its steps', { jobKey, execId, name: errand.name, error });
    return undefined;
  }
}
