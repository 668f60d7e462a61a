import { profileOf, withActions, withEachJob } from './draws';

/** Queues that workers claim from; no worker asks for the third. */
const SERVED = ['q1', 'q2'];
const DESERTED = 'q3';
const DESERTED_SHARE = 0.15;

/**
 * Jobs whose work workers ask for, several on a queue. Workers die, freeze, release, lose answers and get
 * them late, while the stages die and stall.
 */
export const workers = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const target = (queue: string) => ({
    type: 'worker',
    queue,
    heartbeatTimeout: random.pick(['15s', '20s', '40s']),
    ...(random.fraction() < 0.6 && { startWithin: random.pick(['20s', '90s', '4m', '6h']) }),
  });
  const jobs = withEachJob(plan, () => {
    // Its target is called, until a patch moves it to a queue.
    if (random.fraction() < 0.2) return { orderingKey: null };
    if (random.fraction() < DESERTED_SHARE)
      // What waits behind it would wait for ever.
      return { target: target(DESERTED), overlap: 'allow', orderingKey: null };
    // One at a time, they would fall behind their schedules for ever.
    return {
      orderingKey: null,
      target: target(random.pick(SERVED)),
      timeout: random.pick(['1m', '2m', '5m']),
    };
  });
  const moves = actions(['patch'], 6, () => ({ target: target(random.pick(SERVED)) }));
  return {
    workers: { queues: SERVED, each: 2, concurrency: 2 },
    faults: [
      window('worker-dies', 0.08),
      window('worker-freezes', 0.06),
      window('worker-releases', 0.25),
      window('worker-answer-lost', 0.1),
      window('worker-answer-late', 0.1),
      window('target-fails', 0.2),
      window('target-refuses', 0.05),
      window('store-slow', 0.1),
      window('store-answer-lost', 0.05),
      window('store-stale', 0.3),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.2),
      ...freezes(4, 'executor', 10),
      ...kills(10, 'executor', 10),
      ...kills(14, 'worker', 24),
      ...kills(8, 'api', 8),
      ...kills(6, 'sweeper', 20),
    ],
    actions: withActions({ ...plan, actions: jobs }, [
      ...actions(['retry', 'run', 'cancel', 'cancel', 'pause', 'resume'], 24),
      ...moves,
    ]),
  };
});
