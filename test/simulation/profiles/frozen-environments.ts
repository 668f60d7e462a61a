import type { WindowKind } from '../faults';
import { profileOf, withActions } from './draws';

const KINDS: readonly WindowKind[] = [
  'store-request-lost',
  'store-answer-lost',
  'store-throttled',
  'store-slow',
];
const RATES = [0.3, 0.6, 0.8];

/**
 * Execution environments freeze with their answers. Requests of the API that are still being retried then go
 * on when its next invocation begins, be it minutes later.
 */
export const frozenEnvironments = profileOf(({ random, plan, window, kills, actions }) => {
  const table = () =>
    random.fraction() < 0.6 ? { table: random.pick(['executions', 'jobs', 'schedule'] as const) } : {};
  return {
    freezesEnvironments: true,
    faults: [
      ...KINDS.map((kind) => window(kind, random.pick(RATES), { fromMs: 20_000, stage: 'api', ...table() })),
      window('store-request-lost', 0.1, { stage: random.pick(['scanner', 'executor', 'sweeper']) }),
      window('target-refuses', 0.3),
      window('queue-lost', 0.1),
      ...kills(5, 'api', 12),
    ],
    actions: withActions(plan, actions(['retry', 'run', 'pause', 'resume', 'resume', 'patch', 'patch'], 80)),
  };
});
