/** Proleptic Gregorian calendar by arithmetic alone: no zone, no Date object. Days count from 1970-01-01. */
interface CivilDate {
  year: number;
  /** 1–12 */
  month: number;
  /** 1–31 */
  day: number;
}

export const SECONDS_PER_DAY = 86_400;

/** At least 0, and less than `by`. */
export const remainder = (value: number, by: number): number => ((value % by) + by) % by;

const DAYS_PER_400_YEARS = 146_097;
/** After this the calendar repeats, weekdays included: a date that has not occurred by then never occurs. */
export const CALENDAR_CYCLE_SEC = DAYS_PER_400_YEARS * SECONDS_PER_DAY;

const DAYS_TO_EPOCH = 719_468; // from 0000-03-01, where a leap day ends its year

export function dayNumberOf(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_400_YEARS + dayOfEra - DAYS_TO_EPOCH;
}

/** Each expression of a schedule asks for the same day, one after another. */
let last: { dayNumber: number; date: Readonly<CivilDate> } = {
  dayNumber: 0,
  date: { year: 1970, month: 1, day: 1 },
};

export function civilDateOf(dayNumber: number): Readonly<CivilDate> {
  if (dayNumber !== last.dayNumber) last = { dayNumber, date: computedDate(dayNumber) };
  return last.date;
}

function computedDate(dayNumber: number): CivilDate {
  const shifted = dayNumber + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_400_YEARS);
  const dayOfEra = shifted - era * DAYS_PER_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : LENGTHS[month - 1]!;

/** 0 = Sunday … 6 = Saturday. */
export const weekdayOf = (dayNumber: number): number => remainder(dayNumber + 4, 7);
