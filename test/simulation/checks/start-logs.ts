import { type ConcurrencyKeyRef, slotsKeyOf } from '../../../lambdas/core/contracts/tables';
import type { LoggedStart, Rate } from '../../../lambdas/core/domain/start-log';
import { startIdOf } from '../../../lambdas/core/gates/start-id';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import { groupBy, type Story } from '../story';
import { indexed } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';
import { OLDEST_READ_MS, rateThroughout, RECENT_READ_MS } from './key-limits';
import { limitedKeys, startsUnder } from './rates';

/** The starts of one concurrency key, after each write. */
interface Logs {
  name: string;
  /** The rate by which a write at some time was made; undefined: it had none, or it was changed just then. */
  rateAt: (ms: number) => Rate | undefined;
  writes: readonly { t: number; starts: readonly LoggedStart[] }[];
}

/**
 * The log of starts keeps the rate by its own times, whichever executor is frozen at whichever call. No
 * execution starts uncounted, no count is lost, and no period has more of them than the rate allows.
 */
export function checkStartLogs(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  return limitedKeys(story).flatMap((ref) => {
    const logs = logsOf(ref, story);
    return [...tooMany(logs), ...lostCounts(logs), ...uncounted(ref, logs, story)];
  });
}

const logWrites = indexed((records: Story['records']) =>
  groupBy(
    records.flatMap((record) => (record.src === 'table' && record.type === 'start-log' ? [record] : [])),
    ({ queue }) => queue,
  ),
);

function logsOf(ref: ConcurrencyKeyRef, story: Story): Logs {
  const readMs = story.frozen.size > 0 ? OLDEST_READ_MS : 2 * RECENT_READ_MS;
  return {
    name: `${ref.userId} ${ref.concurrencyKey}`,
    rateAt: (ms) => rateThroughout(story, ref, { fromMs: ms - readMs, untilMs: ms }),
    writes: logWrites(story.records).get(slotsKeyOf(ref)) ?? [],
  };
}

const newestOf = (starts: readonly LoggedStart[]): LoggedStart => starts.at(-1)!;

/** Starts that still count when the newest of a log is counted. */
const countingIn = (starts: readonly LoggedStart[], newest: LoggedStart, { per }: Rate) =>
  starts.filter(({ atMs }) => atMs > newest.atMs - parseDuration(per));

const tooMany = ({ name, rateAt, writes }: Logs): Violation[] =>
  writes.flatMap(({ t, starts }) => {
    const rate = rateAt(t);
    if (!rate) return [];
    const counted = countingIn(starts, newestOf(starts), rate).reduce((sum, { count }) => sum + count, 0);
    if (counted <= rate.limit) return [];
    return [broken('start-log', `${name} counts ${counted} starts at ${clockTime(t)}, not ${rate.limit}`)];
  });

/** A start that is counted anew moves. No other one goes before its period has passed. */
const lostCounts = ({ name, rateAt, writes }: Logs): Violation[] =>
  writes.slice(1).flatMap(({ t, starts }, index) => {
    const rate = rateAt(t);
    if (!rate) return [];
    const newest = newestOf(starts);
    const isKept = (one: LoggedStart) =>
      one.startId === newest.startId ||
      starts.some(({ startId, atMs }) => startId === one.startId && atMs === one.atMs);
    const lost = countingIn(writes[index]!.starts, newest, rate).find((one) => !isKept(one));
    if (!lost) return [];
    const since = clockTime(lost.atMs);
    return [broken('start-log', `${name} at ${clockTime(t)} has lost the start of ${since}`)];
  });

function uncounted(ref: ConcurrencyKeyRef, { name, rateAt, writes }: Logs, story: Story): Violation[] {
  const countedMs = new Map<string, number>();
  for (const { t, starts } of writes)
    for (const { startId } of starts)
      if (startId !== undefined && !countedMs.has(startId)) countedMs.set(startId, t);
  return startsUnder(ref, story).flatMap(({ id, t, execution }) => {
    const atMs = countedMs.get(startIdOf(execution)) ?? Number.POSITIVE_INFINITY;
    if (atMs <= t || !rateAt(t)) return [];
    return [broken('start-log', `${id} began ${clockTime(t)}, and ${name} counts it ${clockTime(atMs)}`)];
  });
}
