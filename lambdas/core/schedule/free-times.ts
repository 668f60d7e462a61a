import type { AllowedTimes } from './allowed-times';
import { bitsOf, lowestBit } from './bits';
import { civilDateOf, dayNumberOf, daysInMonth, SECONDS_PER_DAY } from './civil';
import { hasTimeOfDay } from './cron-calendar';
import { excludedIn } from './day-walk';
import type { Exclusions } from './exclusions';
import { instantOfLocal, steadyFrom } from './local-instants';
import type { Zone } from './zone';

/** A month of days, each with a value. */
interface Month {
  firstDay: number;
  values: Int32Array;
}

/** Fifty years. */
const MAX_CACHED_MONTHS = 600;

/**
 * Which of the times of day of a schedule are not excluded on a day, as bits: bit n is the n-th time. It
 * reads rules and calendars once for all times of a day, so a count over years may ask for each of its days.
 */
export class FreeTimes {
  private readonly months = new Map<number, Month>();
  private last: Month = { firstDay: 0, values: new Int32Array() };
  /** By exclusion of the text: the times of day that it has. */
  private readonly excludedBits: readonly number[];
  private readonly all: number;

  /** @param timesOfDay in seconds since midnight, ascending; at most 24 */
  constructor(
    private readonly timesOfDay: readonly number[],
    private readonly allowed: AllowedTimes,
    private readonly exclusions: Exclusions | undefined,
    private readonly zone: Zone,
  ) {
    this.all = (1 << timesOfDay.length) - 1;
    this.excludedBits = (exclusions?.times ?? []).map((one) =>
      bitsOf(timesOfDay, (timeOfDay) => hasTimeOfDay(one.timesOfDay, timeOfDay)),
    );
  }

  on(day: number): number {
    const { firstDay, values } = this.monthAt(day);
    return values[day - firstDay]!;
  }

  /** The first day from `fromDay` through `lastDay` that has any; undefined: none has. */
  from(fromDay: number, lastDay: number): number | undefined {
    for (let day = fromDay; day <= lastDay;) {
      const { firstDay, values } = this.monthAt(day);
      for (; day < firstDay + values.length; day++)
        if (values[day - firstDay] !== 0) return day <= lastDay ? day : undefined;
    }
    return undefined;
  }

  private monthAt(day: number): Month {
    const index = day - this.last.firstDay;
    if (index < 0 || index >= this.last.values.length) this.last = this.monthOf(day);
    return this.last;
  }

  private monthOf(day: number): Month {
    const { year, month } = civilDateOf(day);
    const key = year * 12 + month;
    let found = this.months.get(key);
    if (found) return found;
    if (this.months.size >= MAX_CACHED_MONTHS) this.months.clear();
    this.months.set(key, (found = this.read(year, month)));
    return found;
  }

  private read(year: number, month: number): Month {
    const [firstDay, length] = [dayNumberOf(year, month, 1), daysInMonth(year, month)];
    const values = this.notExcluded(year, month);
    if (values.every((times) => times === 0)) return { firstDay, values };
    for (let index = 0; index < length;) {
      const startSec = (firstDay + index) * SECONDS_PER_DAY;
      const steady = steadyFrom(this.zone, startSec);
      const steadyDays = steady ? Math.floor((steady.untilWallSec - startSec) / SECONDS_PER_DAY) : 0;
      if (steady && steadyDays > 0) {
        const days = { firstDay: firstDay + index, offsetSec: steady.offsetSec };
        const allowed = this.allowed.timesOn(days, Math.min(steadyDays, length - index), this.timesOfDay);
        for (const times of allowed) values[index++]! &= times;
      } else {
        // Clocks that skip a time may take it to the next day, so the day itself does not tell.
        if (values[index] !== 0) values[index]! &= this.bitsNearClockChange(firstDay + index);
        index++;
      }
    }
    return { firstDay, values };
  }

  /** By day of a month: which times of day the texts of `exclude` leave. */
  private notExcluded(year: number, month: number): Int32Array {
    const [firstDay, length] = [dayNumberOf(year, month, 1), daysInMonth(year, month)];
    const left = new Int32Array(length);
    const excludedDays = this.exclusions ? excludedIn(firstDay, length, this.exclusions.days) : 0;
    for (let index = 0; index < length; index++) if (!(excludedDays & (1 << index))) left[index] = this.all;
    for (const [n, { calendar }] of this.exclusions?.times.entries() ?? [])
      for (let days = calendar.daysOf(year, month); days !== 0; days &= days - 1)
        left[lowestBit(days)]! &= ~this.excludedBits[n]!;
    return left;
  }

  private bitsNearClockChange(day: number): number {
    return bitsOf(this.timesOfDay, (timeOfDay) => {
      const sec = instantOfLocal(this.zone, day * SECONDS_PER_DAY + timeOfDay);
      return sec !== undefined && this.allowed.isAllowed(sec);
    });
  }
}
