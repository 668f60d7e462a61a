import { T0_MS } from '../../../support/factories';
import { FakeRandom } from '../../../support/fake-random';
import type { RunPlan } from '../../run-plan';
import type { ClientAction } from '../../workload';
import { MINUTE_MS } from '../draws';

/** Drawn apart, so that no other draw changes. */
const APART = 97_000;
const WITH_PAUSES = 0.4;
const PAUSES = 5;
const SECOND_MS = 1_000;
const FIRST_MS = 30 * SECOND_MS;
const MOST_MS = 3 * MINUTE_MS;

type Drawn = Pick<ClientAction, 'action' | 'atMs' | 'jobId' | 'body'>;

/** Pauses that end by themselves, in some of the seeds. */
export function drawPauses({ seed, quietFromMs }: RunPlan, jobIds: readonly string[]): readonly Drawn[] {
  const random = new FakeRandom(APART + seed);
  if (random.fraction() >= WITH_PAUSES) return [];
  return Array.from({ length: PAUSES }, (): Drawn => {
    const atMs = random.between(FIRST_MS, quietFromMs);
    const forMs = random.between(10 * SECOND_MS, MOST_MS);
    // Jobs are due at whole minutes: half of the pauses end then.
    const stepMs = random.fraction() < 0.5 ? MINUTE_MS : SECOND_MS;
    const untilMs = Math.ceil((T0_MS + atMs + forMs) / stepMs) * stepMs;
    return {
      action: 'pause',
      atMs,
      jobId: random.pick(jobIds),
      body: { until: new Date(untilMs).toISOString() },
    };
  });
}
