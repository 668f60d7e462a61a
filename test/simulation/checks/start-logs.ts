import { slotsKeyOf } from '../../../lambdas/core/contracts/tables';
import type { LoggedStart } from '../../../lambdas/core/domain/start-log';
import { startIdOf } from '../../../lambdas/core/gates/start-id';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import type { RateCondition } from '../log';
import { isTask, type Story, userOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { startsOf } from './rates';

/** The starts of one concurrency key, after each write. */
interface Logs {
  name: string;
  perMs: number;
  limit: number;
  writes: readonly { t: number; starts: readonly LoggedStart[] }[];
}

/**
 * The log of starts keeps the rate by its own times, whichever executor is frozen at whichever call. No
 * execution starts uncounted, no count is lost, and no period has more of them than the rate allows.
 */
export function checkStartLogs(story: Story): Violation[] {
  const { rates = {}, wildClocks } = story.conditions;
  if (wildClocks) return [];
  const users = [...new Set([...story.states.keys()].map(userOf))];
  return Object.entries(rates).flatMap(([key, rate]) =>
    users.flatMap((user) => {
      const logs = logsOf(story, user, key, rate);
      return [...tooMany(logs), ...lostCounts(logs), ...uncounted(story, user, key, logs)];
    }),
  );
}

function logsOf(story: Story, userId: string, key: string, { limit, per }: RateCondition): Logs {
  const queue = slotsKeyOf({ userId, concurrencyKey: key });
  const writes = story.records.filter(
    (record) => record.src === 'table' && record.type === 'start-log' && record.queue === queue,
  ) as unknown as Logs['writes'];
  return { name: `${userId} ${key}`, perMs: parseDuration(per), limit, writes };
}

const newestOf = (starts: readonly LoggedStart[]): LoggedStart => starts.at(-1)!;

/** Starts that still count when the newest of a log is counted. */
const countingIn = (starts: readonly LoggedStart[], newest: LoggedStart, perMs: number) =>
  starts.filter(({ atMs }) => atMs > newest.atMs - perMs);

const tooMany = ({ name, perMs, limit, writes }: Logs): Violation[] =>
  writes.flatMap(({ t, starts }) => {
    const counted = countingIn(starts, newestOf(starts), perMs).reduce((sum, { count }) => sum + count, 0);
    if (counted <= limit) return [];
    return [broken('start-log', `${name} counts ${counted} starts at ${clockTime(t)}, not ${limit}`)];
  });

/** A start that is counted anew moves. No other one goes before its period has passed. */
const lostCounts = ({ name, perMs, writes }: Logs): Violation[] =>
  writes.slice(1).flatMap(({ t, starts }, index) => {
    const newest = newestOf(starts);
    const isKept = (one: LoggedStart) =>
      one.startId === newest.startId ||
      starts.some(({ startId, atMs }) => startId === one.startId && atMs === one.atMs);
    const lost = countingIn(writes[index]!.starts, newest, perMs).find((one) => !isKept(one));
    if (!lost) return [];
    const since = clockTime(lost.atMs);
    return [broken('start-log', `${name} at ${clockTime(t)} has lost the start of ${since}`)];
  });

function uncounted(story: Story, user: string, key: string, { writes }: Logs): Violation[] {
  const countedMs = new Map<string, number>();
  for (const { t, starts } of writes)
    for (const { startId } of starts)
      if (startId !== undefined && !countedMs.has(startId)) countedMs.set(startId, t);
  return [...story.states].flatMap(([id, states]) => {
    const { jobKey, execId } = states[0]!.execution;
    if (isTask(execId) || userOf(jobKey) !== user) return [];
    return startsOf(id, states, key).flatMap(({ t, userRetries }) => {
      const atMs = countedMs.get(startIdOf({ jobKey, execId, userRetries })) ?? Number.POSITIVE_INFINITY;
      if (atMs <= t) return [];
      return [broken('start-log', `${id} began ${clockTime(t)}, and ${key} counts it ${clockTime(atMs)}`)];
    });
  });
}
