import type { ConcurrencyKeyRef } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { type ExecutionState, isTask, type Story, userOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { isBeginning, keysIn, limitsRead, rateThroughout, RECENT_READ_MS } from './key-limits';

/** An execution that was claimed for the first time in its life: a user retry begins another. */
interface Start {
  id: string;
  t: number;
  execution: Execution;
}

/** What lies between the count of a start and its claim, without a freeze: a few calls and their retries. */
const SLACK_MS = 15_000;

/**
 * No more executions of a concurrency key start in any period than its rate allows, if it had that rate all
 * the time. A key without a definition has that of its rule. An executor may freeze between the count of a
 * start and its claim. Then the log of starts alone keeps the rate.
 */
export function checkRates(story: Story): Violation[] {
  const { conditions, frozen } = story;
  if (conditions.wildClocks || frozen.size > 0) return [];
  return limitedKeys(story).flatMap((ref) => tooMany(ref, startsUnder(ref, story), story));
}

/** The concurrency keys of executions. One that is but the beginning of others limits nothing. */
export const limitedKeys = (story: Story): ConcurrencyKeyRef[] =>
  keysIn(story).filter((ref) => !isBeginning(story, ref));

/** The starts of a key, in order. */
export const startsUnder = ({ userId, concurrencyKey }: ConcurrencyKeyRef, { states }: Story): Start[] =>
  [...states]
    .filter(([id, [first]]) => userOf(id) === userId && !isTask(first!.execution.execId))
    .flatMap(([id, own]) => startsOf(id, own, concurrencyKey))
    .sort((a, b) => a.t - b.t);

/**
 * The states whose claim is the first after the key was not named: of a new row, or after a user retry. A
 * delayed run that is put off after its claim starts again later, and its start moves.
 */
function startsOf(id: string, states: readonly ExecutionState[], key: string): Start[] {
  const starts = states.flatMap(({ execution, t }, index) => {
    const before = states[index - 1]?.execution;
    const isFirst =
      before === undefined ||
      before.concurrencyKey !== key ||
      (before.userRetries ?? 0) < (execution.userRetries ?? 0);
    return execution.concurrencyKey === key && execution.fence > (before?.fence ?? 0) && isFirst
      ? [{ id, t, execution }]
      : [];
  });
  const isLast = ({ execution }: Start, index: number) =>
    starts[index + 1]?.execution.userRetries !== execution.userRetries || index === starts.length - 1;
  return starts.filter(isLast);
}

function tooMany(ref: ConcurrencyKeyRef, starts: readonly Start[], story: Story): Violation[] {
  return starts.flatMap(({ id, t }, index) => {
    const readMs = RECENT_READ_MS + SLACK_MS;
    const { rate } = limitsRead(story, ref, { fromMs: t - readMs, untilMs: t })[0] ?? {};
    const first = rate && starts[index - rate.limit];
    if (!first) return [];
    const perMs = parseDuration(rate.per);
    if (t - first.t >= perMs - SLACK_MS - 2 * story.conditions.skewMs) return [];
    if (!rateThroughout(story, ref, { fromMs: first.t - readMs, untilMs: t })) return [];
    const [what, since] = [`${ref.userId} ${ref.concurrencyKey}`, clockTime(first.t)];
    const detail = `${id} began ${clockTime(t)}: ${rate.limit + 1} of ${what} started since ${since}`;
    return [broken('rate', detail)];
  });
}
