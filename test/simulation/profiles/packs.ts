import { LASTS_WITH_OUTAGE_MS, MINUTE_MS, profileOf, some, withActions, withEachJob } from './draws';

/** Those of full minutes: entries of many jobs fall into one slot. */
const MINUTES = [
  { type: 'cron', expression: '* * * * *' },
  { type: 'cron', expression: '*/2 * * * *' },
  { type: 'cron', expression: '*/3 * * * *' },
  { type: 'cron', expression: '*/4 * * * *' },
] as const;

/**
 * Next entries share rows, in all environments or in some: then each entry of the rest has a row of its own.
 * Scanners of one shard freeze, die and run side by side, while jobs change, go and come back. Without an
 * auditor, which would repair a series that has ended.
 */
export const packs = profileOf(
  ({ random, plan, window, freezes, kills, actions }) => ({
    withoutAuditor: true,
    packs: random.pick([['write'], ['read', 'write']] as const),
    shards: random.between(1, 2),
    faults: [
      ...some(random, 0.3, () => [
        { id: 0, kind: 'ticks-stop', fromMs: 2 * MINUTE_MS, untilMs: random.between(3, 7) * MINUTE_MS },
      ]),
      ...some(random, 0.3, () => [
        { id: 1_000, kind: 'shards-raised', fromMs: random.between(1, 5) * MINUTE_MS, untilMs: plan.healMs },
      ]),
      window('tick-doubled', 0.8),
      window('request-duplicated', 0.5),
      window('request-delayed', 0.2),
      window('store-unprocessed', 0.2, { table: 'schedule' }),
      window('store-applied-late', 0.1, { table: 'schedule' }),
      window('queue-lost', 0.1),
      ...freezes(12, 'scanner', 14),
      ...kills(12, 'scanner', 20),
      ...kills(8, 'sweeper', 20),
      ...kills(8, 'api', 16),
    ],
    actions: withActions(
      { ...plan, actions: withEachJob(plan, () => ({ schedule: random.pick(MINUTES) })) },
      actions(['patch', 'patch', 'pause', 'resume', 'resume', 'delete', 'restore'], 50, (drawn) => ({
        schedule: drawn.pick(MINUTES),
      })),
    ),
  }),
  { lastsMs: LASTS_WITH_OUTAGE_MS },
);
