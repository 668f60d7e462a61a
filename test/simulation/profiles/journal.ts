import type { ClientAction } from '../workload';
import { collectorOf, profileOf, withActions } from './draws';

/** Each job that is made gives its executions run tags. */
const withLabels = (action: ClientAction): ClientAction =>
  action.body?.schedule === undefined ? action : { ...action, body: { ...action.body, ...LABELS } };

const LABELS = { runTags: ['all', 'job:{{ run.jobId }}'], externalId: '{{ run.id }}' };

/** The follower dies, its writes are slow or fail, and answers are lost. Users cancel and retry. */
export const journal = profileOf(({ plan, window, kills, freezes, actions }) => ({
  journal: true,
  conditions: { ...plan.conditions, collector: collectorOf(plan.seed) },
  faults: [
    window('store-slow', 0.1, { stage: 'follower' }),
    window('store-throttled', 0.2, { stage: 'follower' }),
    window('store-answer-lost', 0.2, { stage: 'follower' }),
    window('store-request-lost', 0.1, { stage: 'follower' }),
    window('target-fails', 0.3),
    ...kills(20, 'follower', 6),
    ...freezes(2, 'follower', 6),
    ...kills(6, 'executor', 16),
    ...kills(4, 'sweeper', 20),
  ],
  actions: withActions(
    plan,
    actions(['retry', 'retry', 'cancel', 'run', 'pause', 'resume', 'delete'], 30),
  ).map(withLabels),
}));
