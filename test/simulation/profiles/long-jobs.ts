import { profileOf, withActions, withEachJob } from './draws';

/** Targets that report later, alone or side by side, while executors and the API die or stall. */
export const longJobs = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const target = () => ({
    type: 'http',
    url: 'https://example.com/hook',
    timeout: '30s',
    ...(random.fraction() < 0.7 && { mode: 'async', heartbeatTimeout: random.pick(['20s', '40s', '2m']) }),
  });
  const jobs = withEachJob(plan, () => {
    const several = random.fraction() < 0.5;
    const targets = Array.from({ length: several ? random.between(2, 3) : 1 }, target);
    // One at a time, they would fall behind their schedules for ever.
    const apart = { overlap: 'allow', orderingKey: null };
    return {
      ...apart,
      timeout: random.pick(['2m', '5m']),
      ...(several ? { targets } : { target: targets[0] }),
    };
  });
  return {
    faults: [
      window('target-fails', 0.2),
      window('target-refuses', 0.1),
      window('target-hangs', 0.1),
      window('store-slow', 0.2, { stage: 'api' }),
      window('store-answer-lost', 0.1, { table: 'executions' }),
      window('queue-lost', 0.1),
      ...freezes(10, 'executor', 14),
      ...kills(10, 'executor', 14),
      ...kills(10, 'api', 8),
      ...kills(5, 'sweeper', 20),
    ],
    actions: withActions({ ...plan, actions: jobs }, actions(['retry', 'run', 'cancel', 'cancel'], 30)),
  };
});
