import { AllowedTimes } from './allowed-times';
import type { Calendar } from './calendar';
import type { CronExpression } from './cron-expression';
import type { Exclusions } from './exclusions';
import { MovedOccurrences } from './moved-occurrences';
import { MAX_MOVED_TIMES_A_DAY, type MovePeriod, timesOf } from './occurrence-mover';
import { ScheduleError, quoted } from './schedule-error';
import type { CalendarRef, RecurringOptions } from './spec';
import type { ClockChangePolicy } from './wall-occurrences';
import type { Zone } from './zone';

/** A calendar that a schedule uses, and what it was before. */
export interface CalendarInUse {
  id: string;
  calendar: Calendar;
  /** In order of time. Only of schedules that move occurrences: these decide what came before a change. */
  earlier?: readonly { untilMs: number; calendar: Calendar }[];
}

export const MAX_CALENDARS_A_SCHEDULE = 10;

const isRef = (exclusion: string | CalendarRef): exclusion is CalendarRef => typeof exclusion !== 'string';

/** The calendars that a schedule names, each once, with the path of the first mention. */
export function calendarsNamedBy({
  exclude = [],
  only = [],
}: RecurringOptions): { id: string; path: string }[] {
  const named = new Map<string, string>();
  const add = (field: string) => (one: string | CalendarRef, index: number) => {
    if (isRef(one) && !named.has(one.calendar)) named.set(one.calendar, `${field}.${index}.calendar`);
  };
  exclude.forEach(add('exclude'));
  only.forEach(add('only'));
  return [...named].map(([id, path]) => ({ id, path }));
}

/** Whether excluded occurrences move. */
export const movesOccurrences = ({ onExcluded = 'skip' }: RecurringOptions): boolean => onExcluded !== 'skip';

/**
 * What the calendars of a schedule allow, by period: one period for each content that decides, the present
 * last. Throws `ScheduleError` for a calendar that is not among those given.
 */
export function periodsOf(
  spec: RecurringOptions,
  zone: Zone,
  inUse: readonly CalendarInUse[] = [],
): [...MovePeriod[], MovePeriod] {
  const named = calendarsNamedBy(spec);
  if (named.length > MAX_CALENDARS_A_SCHEDULE)
    throw new ScheduleError(
      named[MAX_CALENDARS_A_SCHEDULE]!.path,
      `is one calendar too many; at most ${MAX_CALENDARS_A_SCHEDULE} are allowed`,
    );
  const byId = new Map(inUse.map((one) => [one.id, one]));
  for (const { id, path } of named)
    if (!byId.has(id)) throw new ScheduleError(path, `${quoted(id)} is no calendar of this project`);
  const at = (untilMs: number): AllowedTimes => {
    const within = (refs: readonly (string | CalendarRef)[] = []) =>
      refs.filter(isRef).map(({ calendar: id }) => {
        const { calendar, earlier = [] } = byId.get(id)!;
        return { id, calendar: earlier.find((one) => one.untilMs >= untilMs)?.calendar ?? calendar };
      });
    return new AllowedTimes({ exclude: within(spec.exclude), only: within(spec.only) }, zone);
  };
  const ends = movesOccurrences(spec)
    ? new Set(named.flatMap(({ id }) => (byId.get(id)!.earlier ?? []).map(({ untilMs }) => untilMs)))
    : [];
  const earlier = [...ends].sort((a, b) => a - b).map((untilMs) => ({ untilMs, allowed: at(untilMs) }));
  const untilMs = Number.POSITIVE_INFINITY;
  return [...earlier, { untilMs, allowed: at(untilMs) }];
}

/** Throws `ScheduleError` if the schedule cannot move its occurrences. */
export function movedCron(
  spec: RecurringOptions,
  cron: CronExpression,
  parts: {
    exclusions: Exclusions | undefined;
    zone: Zone;
    policy: ClockChangePolicy;
    periods: readonly MovePeriod[];
  },
): MovedOccurrences {
  const times = cron.interval ? undefined : timesOf(cron).length;
  if (times === undefined || times > MAX_MOVED_TIMES_A_DAY)
    throw new ScheduleError('onExcluded', `${quoted(spec.onExcluded)} ${mayMove} ${notThis(times)}`);
  return new MovedOccurrences({ ...parts, cron, onExcluded: spec.onExcluded as 'next-day' | 'previous-day' });
}

/** Throws `ScheduleError` if an interval is to move its occurrences. */
export function checkInterval(spec: RecurringOptions): void {
  if (movesOccurrences(spec))
    throw new ScheduleError('onExcluded', `${quoted(spec.onExcluded)} ${mayMove} an interval has no days`);
}

const mayMove = `needs a cron expression of at most ${MAX_MOVED_TIMES_A_DAY} fixed times a day:`;
const notThis = (times: number | undefined): string =>
  times === undefined ? 'this one keeps its spacing' : `this one has ${times}`;
