import { FakeRandom } from '../../../support/fake-random';
import { type Restore, RESTORED_WITHIN_MS } from '../../restores';
import type { Fault } from '../../faults';
import type { ClientAction } from '../../workload';
import { MINUTE_MS } from '../draws';

/** Few, since such a run lasts longer. */
const RESTORED = 0.04;
/** Drawn apart, so that no other draw changes. */
const APART = 55_000;

/**
 * Operators put all tables back to an earlier time in some of the seeds. One table alone is played by the
 * profile `restored-tables`: jobs without entries wait for the auditor, and Executions ask for jobs without
 * gates.
 */
export function drawRestore(seed: number): Restore | undefined {
  const random = new FakeRandom(APART + seed);
  if (random.fraction() >= RESTORED) return undefined;
  const stopMs = random.between(4 * MINUTE_MS, 6 * MINUTE_MS);
  return { tables: 'all', stopMs, toMs: stopMs - random.between(MINUTE_MS / 2, 3 * MINUTE_MS) };
}

/** Users keep away while tables are put back. */
export const keepAway = ({ stopMs }: Restore, actions: readonly ClientAction[]): ClientAction[] =>
  actions.filter(({ atMs }) => atMs < stopMs || atMs > stopMs + RESTORED_WITHIN_MS);

/** Nothing else stops or starts the deployment meanwhile. */
export const withoutStops = (faults: readonly Fault[]): Fault[] =>
  faults.filter(({ kind }) => kind !== 'maintenance' && kind !== 'ticks-stop');
