import type { Fault, WindowKind } from '../faults';
import { LASTS_WITH_OUTAGE_MS, MINUTE_MS, profileOf, some } from './draws';

const KINDS: readonly WindowKind[] = [
  'store-slow',
  'store-request-lost',
  'store-throttled',
  'store-answer-lost',
];
const RATES = [0.2, 0.4, 0.6];

/** After an outage of the tick, one stage has a slow table: it writes entries long after their stamp. */
export const slowMisfires = profileOf(
  ({ random, plan, window }) => {
    const stage = random.pick(['scanner', 'sweeper', 'auditor'] as const);
    const fromMs = random.between(MINUTE_MS, 3 * MINUTE_MS);
    const untilMs = fromMs + random.between(4, 6) * MINUTE_MS;
    const outage: Fault = { id: 0, kind: 'ticks-stop', fromMs, untilMs };
    const table = () =>
      random.fraction() < 0.5 ? { table: random.pick(['executions', 'schedule'] as const) } : {};
    const slow = KINDS.flatMap((kind) =>
      some(random, 0.7, () => [
        window(kind, random.pick(RATES), { fromMs, untilMs: plan.healMs, stage, ...table() }),
      ]),
    );
    return { faults: [outage, ...slow] };
  },
  { lastsMs: LASTS_WITH_OUTAGE_MS },
);
