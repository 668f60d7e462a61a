import type { WindowKind } from '../faults';
import { profileOf, withActions } from './draws';

const KINDS: readonly WindowKind[] = [
  'store-request-lost',
  'store-answer-lost',
  'store-slow',
  'store-applied-late',
  'store-error-applied',
];
const RATES = [0.2, 0.4, 0.6];

/** Writes of the API get no answer: some were made, some come late, some never. */
export const lostApiWrites = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const table = () =>
    random.fraction() < 0.6 ? { table: random.pick(['executions', 'jobs', 'schedule'] as const) } : {};
  return {
    faults: [
      ...KINDS.map((kind) => window(kind, random.pick(RATES), { fromMs: 20_000, stage: 'api', ...table() })),
      window('target-refuses', 0.4),
      window('queue-lost', 0.2),
      ...freezes(10, 'api', 12),
      ...kills(10, 'api', 12),
    ],
    actions: withActions(plan, actions(['retry', 'run', 'cancel', 'pause', 'resume', 'resume', 'patch'], 80)),
  };
});
