import type { Clock } from '../clock/clock';
import { WRITE_DEADLINE_MS } from '../domain/timing';
import { WriteTimeoutError } from '../errors';
import type { ScheduleStore } from './schedule-store';

/**
 * Entries are acknowledged within `WRITE_DEADLINE_MS` of their own time, however long ago their writer read
 * the clock. Otherwise a writer that was slow, or frozen, could write one behind the sweep.
 */
export const withEntryDeadline = (schedule: ScheduleStore, clock: Pick<Clock, 'nowMs'>): ScheduleStore => ({
  ...schedule,
  async putEntries(entries, withinMs = WRITE_DEADLINE_MS) {
    const firstMs = Math.min(...entries.map(({ checkAtMs }) => checkAtMs));
    const leftMs = firstMs + WRITE_DEADLINE_MS - clock.nowMs();
    if (leftMs <= 0) throw new WriteTimeoutError('entries were stamped too long ago to be written');
    return schedule.putEntries(entries, Math.min(withinMs, leftMs));
  },
});
