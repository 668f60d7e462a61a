import { profileOf, withActions, withEachJob } from './draws';
import { KEYS, unblocks } from './unblocks';

/** After the faults, users unblock each key every minute: what waited long may fail, and block it again. */
const UNBLOCKED_AFTER_MIN = Array.from({ length: 40 }, (_, index) => index + 1);

/** Failures block ordering keys, and users unblock them, retry what failed, and edit the jobs meanwhile. */
export const blockedKeys = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const jobs = withEachJob(plan, () => ({
    orderingKey: random.pick(KEYS),
    onFailure: 'block',
    overlap: 'allow',
  }));
  const unblocked = unblocks(random, plan, UNBLOCKED_AFTER_MIN);
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
      ...unblocked,
    ]),
  };
});
