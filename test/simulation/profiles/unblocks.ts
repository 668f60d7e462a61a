import type { FakeRandom } from '../../support/fake-random';
import type { RunPlan } from '../run-plan';
import type { ClientAction } from '../workload';
import { MINUTE_MS } from './draws';

export const KEYS = ['key-1', 'key-2'];
const USERS = ['alice', 'bob'];
const AT_ANY_TIME = 20;

/**
 * Users unblock ordering keys at any time. After the faults, they unblock each key until nothing waits any
 * more: `afterMin` minutes after the end of the faults.
 */
export function unblocks(random: FakeRandom, plan: RunPlan, afterMin: readonly number[]): ClientAction[] {
  const unblock = (id: number, userId: string, orderingKey: string, atMs: number): ClientAction => {
    return { id, atMs, action: 'unblock', userId, jobId: '', body: { orderingKey } };
  };
  const atAnyTime = Array.from({ length: AT_ANY_TIME }, (_, index) =>
    unblock(20_000 + index, random.pick(USERS), random.pick(KEYS), random.between(MINUTE_MS, plan.healMs)),
  );
  const everyone = [...new Set([...USERS, ...plan.actions.map(({ userId }) => userId)])];
  const atTheEnd = afterMin.flatMap((minutes) =>
    everyone.flatMap((userId, user) =>
      KEYS.map((key, index) =>
        unblock(30_000 + minutes * 100 + user * 2 + index, userId, key, plan.healMs + minutes * MINUTE_MS),
      ),
    ),
  );
  return [...atAnyTime, ...atTheEnd];
}
