export const STAGES = ['api', 'tick', 'scanner', 'executor', 'sweeper', 'auditor', 'worker'] as const;
/** No draw of a usual plan has the others: there they have nothing to do. */
export type Stage = (typeof STAGES)[number] | 'watcher' | 'follower' | 'ping';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** As the stack deploys them. */
export const TIMEOUT_MS: Record<Stage, number> = {
  api: 29 * SECOND_MS,
  tick: 30 * SECOND_MS,
  scanner: MINUTE_MS,
  executor: 900 * SECOND_MS,
  sweeper: MINUTE_MS,
  auditor: 5 * MINUTE_MS,
  worker: 29 * SECOND_MS,
  watcher: 30 * SECOND_MS,
  follower: MINUTE_MS,
  ping: 10 * SECOND_MS,
};
