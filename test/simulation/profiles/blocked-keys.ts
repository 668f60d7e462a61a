import type { ClientAction } from '../workload';
import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

const KEYS = ['key-1', 'key-2'];
/** After the faults, users unblock each key until nothing waits any more. */
const UNBLOCKED_AFTER_MIN = [1, 3, 6];

/** Failures block ordering keys, and users unblock them, retry what failed, and edit the jobs meanwhile. */
export const blockedKeys = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const jobs = withEachJob(plan, () => ({
    orderingKey: random.pick(KEYS),
    onFailure: 'block',
    overlap: 'allow',
  }));
  const unblock = (id: number, userId: string, orderingKey: string, atMs: number): ClientAction => {
    return { id, atMs, action: 'unblock', userId, jobId: '', body: { orderingKey } };
  };
  const atAnyTime = Array.from({ length: 20 }, (_, index) =>
    unblock(
      20_000 + index,
      random.pick(['alice', 'bob']),
      random.pick(KEYS),
      random.between(MINUTE_MS, plan.healMs),
    ),
  );
  const atTheEnd = UNBLOCKED_AFTER_MIN.flatMap((minutes) =>
    ['alice', 'bob'].flatMap((userId, user) =>
      KEYS.map((key, index) =>
        unblock(30_000 + minutes * 10 + user * 2 + index, userId, key, plan.healMs + minutes * MINUTE_MS),
      ),
    ),
  );
  return {
    faults: [
      window('target-fails', 0.3),
      window('target-refuses', 0.2),
      window('queue-lost', 0.2),
      window('store-answer-lost', 0.1),
      ...freezes(10, 'executor', 12),
      ...kills(10, 'executor', 14),
      ...kills(10, 'api', 8),
    ],
    actions: withActions({ ...plan, actions: jobs }, [
      ...actions(['retry', 'run', 'cancel', 'patch'], 30),
      ...atAnyTime,
      ...atTheEnd,
    ]),
  };
});
