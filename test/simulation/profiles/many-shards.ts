import { MINUTE_MS, profileOf, withActions } from './draws';

/** More shards than one row of cursors holds, and more of them later; ticks and requests get lost. */
export const manyShards = profileOf(({ random, plan, window, kills, actions }) => ({
  shards: random.between(7, 12),
  faults: [
    { id: 0, kind: 'shards-raised', fromMs: random.between(1, 5) * MINUTE_MS, untilMs: plan.healMs },
    window('request-lost', 0.2),
    window('request-duplicated', 0.3),
    window('request-delayed', 0.2),
    window('tick-missed', 0.2),
    window('store-conflict', 0.2, { table: 'schedule' }),
    ...kills(15, 'scanner', 20),
    ...kills(15, 'sweeper', 20),
  ],
  actions: withActions(plan, actions(['patch', 'pause', 'resume', 'run'], 40)),
}));
