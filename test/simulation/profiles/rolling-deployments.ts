import { MINUTE_MS, profileOf, withActions } from './draws';

/**
 * A deployment replaces the code while jobs fire: both versions run side by side, and the old one cannot read
 * what the new one sends. Unread messages have to stay on their queues.
 */
export const rollingDeployments = profileOf(({ random, plan, window, kills, actions }) => {
  const fromMs = random.between(MINUTE_MS, 2 * MINUTE_MS);
  return {
    visibilitySec: 60,
    rollout: { fromMs, untilMs: fromMs + random.between(1, 5) * MINUTE_MS },
    faults: [
      window('target-refuses', 0.3),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.2),
      ...kills(10, 'executor', 14),
      ...kills(5, 'scanner', 20),
      ...kills(5, 'api', 8),
    ],
    actions: withActions(plan, actions(['retry', 'run', 'cancel', 'patch', 'pause', 'resume'], 40)),
  };
});
