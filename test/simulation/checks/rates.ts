import { parseDuration } from '../../../lambdas/core/schedule/duration';
import type { RateCondition } from '../log';
import { type ExecutionState, isTask, type Story, userOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/** An execution that was claimed for the first time in its life: a user retry begins another. */
export interface Start {
  id: string;
  t: number;
  userRetries?: number;
}

/** No more executions of a concurrency key than its rate allows start in any period. */
export function checkRates(story: Story): Violation[] {
  const { rates = {}, skewMs, wildClocks } = story.conditions;
  if (wildClocks) return [];
  return Object.entries(rates).flatMap(([key, rate]) => {
    const windowMs = parseDuration(rate.per) - rate.slackMs - 2 * skewMs;
    if (windowMs <= 0) return [];
    const byUser = new Map<string, Start[]>();
    for (const [id, states] of story.states) {
      const [
        {
          execution: { jobKey, execId },
        },
      ] = states as [ExecutionState];
      if (isTask(execId)) continue;
      const user = userOf(jobKey);
      byUser.set(user, [...(byUser.get(user) ?? []), ...startsOf(id, states, key)]);
    }
    return [...byUser].flatMap(([user, starts]) => tooMany(`${user} ${key}`, starts, rate, windowMs));
  });
}

/** The states whose claim is the first after the key was not named: of a new row, or after a user retry. */
export const startsOf = (id: string, states: readonly ExecutionState[], key: string): Start[] =>
  states.flatMap(({ execution, t }, index) => {
    const before = states[index - 1]?.execution;
    const isFirst =
      before === undefined ||
      before.concurrencyKey !== key ||
      (before.userRetries ?? 0) < (execution.userRetries ?? 0);
    return execution.concurrencyKey === key && execution.fence > (before?.fence ?? 0) && isFirst
      ? [{ id, t, userRetries: execution.userRetries }]
      : [];
  });

function tooMany(name: string, starts: Start[], { limit }: RateCondition, windowMs: number): Violation[] {
  const inOrder = starts.sort((a, b) => a.t - b.t);
  return inOrder.flatMap(({ id, t }, index) => {
    const first = inOrder[index - limit];
    if (!first || t - first.t >= windowMs) return [];
    const since = clockTime(first.t);
    return [broken('rate', `${id} began ${clockTime(t)}: ${limit + 1} of ${name} started since ${since}`)];
  });
}
