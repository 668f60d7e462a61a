import { groupCommit } from '../async/group-commit';
import type { Clock } from '../clock/clock';
import type { Entry } from '../domain/entry';
import { WRITE_DEADLINE_MS } from '../domain/timing';
import { WriteTimeoutError } from '../errors';
import type { ScheduleStore } from './schedule-store';

/** One call of `putEntries`. */
interface Put {
  entries: readonly Entry[];
  /** Monotonic time by which the entries are to be acknowledged. */
  untilMs: number;
}

/** DynamoDB takes so many rows in one batch. */
const MOST_PUTS = 25;

/**
 * Makes puts of entries that fall together one call. Entries are written without a condition, so a batch
 * costs what single writes cost. The strictest time limit of its puts bounds a batch. If a batch fails, all
 * of its puts fail.
 *
 * For one request with many jobs: the puts of different requests must not fail together.
 */
export function withGatheredEntries(
  schedule: ScheduleStore,
  clock: Pick<Clock, 'monotonicMs'>,
): ScheduleStore {
  const put = groupCommit<Put, 'written' | 'too-late'>({
    async commit(puts) {
      const nowMs = clock.monotonicMs();
      const inTime = puts.filter(({ untilMs }) => untilMs > nowMs);
      const untilMs = Math.min(...inTime.map((one) => one.untilMs));
      if (inTime.length > 0)
        await schedule.putEntries(
          inTime.flatMap(({ entries }) => entries),
          untilMs - nowMs,
        );
      return puts.map((one) => (inTime.includes(one) ? 'written' : 'too-late'));
    },
    clash: () => false,
    most: MOST_PUTS,
  });
  return {
    ...schedule,
    async putEntries(entries, withinMs = WRITE_DEADLINE_MS) {
      const outcome = await put('', { entries, untilMs: clock.monotonicMs() + withinMs });
      if (outcome === 'too-late') throw new WriteTimeoutError('no time was left to write the entries');
    },
  };
}
