import { SECONDS_PER_DAY } from './civil';
import { dateText, timeText } from './instant';
import { instantOfLocal } from './local-instants';
import { MAX_MOVED_DAYS, type OccurrenceMover, WINDOW_DAYS } from './occurrence-mover';

/** What moves look like in words. Nothing is planned by it, so the bundle of the console leaves it out. */

/** An occurrence that a change moved into the past. */
export interface MovedIntoPast {
  /** When it was to come before the change. */
  wasAtMs: number;
  /** When it would have come. */
  movedToMs: number;
}

const MOST_NAMED = 3;

/** What moved to the instant, and what was dropped since the one before; undefined: nothing. */
export function noteOnMoves(mover: OccurrenceMover, lastMs: number, atMs: number): string | undefined {
  const [fromSec, atSec] = [Math.floor(lastMs / 1000), Math.floor(atMs / 1000)];
  const notes: string[] = [];
  for (const day of plannedDays(mover, mover.dayOf(atSec) - WINDOW_DAYS, mover.dayOf(atSec) + WINDOW_DAYS)) {
    for (const { atSecs, wallSec, targetWallSec } of mover.placedOn(day))
      if (wallSec !== targetWallSec && atSecs.includes(atSec))
        notes.push(`moved here from ${wallText(wallSec)}: ${whyExcluded(mover, wallSec)}`);
  }
  notes.push(...droppedBetween(mover, fromSec, atSec));
  return notes.length === 0 ? undefined : notes.join('; ');
}

/** Those that the last change moved into its own past: they come no more. */
export function movedIntoPastBy(mover: OccurrenceMover): MovedIntoPast[] {
  const { periods } = mover.plan;
  const before = periods.at(-2);
  if (!before) return [];
  const asBefore = [...periods.slice(0, -2), { ...before, untilMs: Number.POSITIVE_INFINITY }];
  const changeDay = mover.dayOf(Math.floor(before.untilMs / 1000));
  const moved: MovedIntoPast[] = [];
  for (const day of plannedDays(mover, changeDay - 2 * WINDOW_DAYS, changeDay + 2 * WINDOW_DAYS)) {
    for (const timeOfDay of mover.timesOfDay) {
      const wallSec = day * SECONDS_PER_DAY + timeOfDay;
      if (mover.settled(wallSec)) continue;
      const wasAtSec = mover.settled(wallSec, asBefore)?.atSecs[0];
      const now = mover.move(wallSec, mover.present);
      if (wasAtSec === undefined || now === undefined || wasAtSec * 1000 <= before.untilMs) continue;
      moved.push({ wasAtMs: wasAtSec * 1000, movedToMs: now.firstSec * 1000 });
    }
  }
  return moved;
}

function droppedBetween(mover: OccurrenceMover, fromSec: number, atSec: number): string[] {
  const dropped: number[] = [];
  for (const day of plannedDays(mover, mover.dayOf(fromSec), mover.dayOf(atSec))) {
    if (dropped.length > MOST_NAMED) break;
    const kept = new Set(mover.placedOn(day).map(({ wallSec }) => wallSec));
    for (const timeOfDay of mover.timesOfDay) {
      const wallSec = day * SECONDS_PER_DAY + timeOfDay;
      const sec = instantOfLocal(mover.plan.zone, wallSec);
      if (!kept.has(wallSec) && sec !== undefined && sec > fromSec && sec < atSec) dropped.push(wallSec);
    }
  }
  return dropped
    .slice(0, MOST_NAMED)
    .map(
      (wallSec) =>
        `${wallText(wallSec)} is left out: no day within ${MAX_MOVED_DAYS} days is free, or it came before a change`,
    );
}

/** The planned days, before any move, from `fromDay` through `toDay`. */
function* plannedDays(mover: OccurrenceMover, fromDay: number, toDay: number): Generator<number> {
  for (
    let day = mover.plannedFrom(fromDay);
    day !== undefined && day <= toDay;
    day = mover.plannedFrom(day + 1)
  )
    yield day;
}

function whyExcluded({ plan: { exclusions, zone, periods } }: OccurrenceMover, wallSec: number): string {
  if (exclusions && exclusions.past(wallSec) !== wallSec) return 'excluded by the schedule';
  const sec = instantOfLocal(zone, wallSec);
  if (sec === undefined) return 'the clocks skip that day';
  const period = periods.find(({ allowed }) => !allowed.isAllowed(sec)) ?? periods.at(-1)!;
  return period.allowed.why(sec);
}

const wallText = (wallSec: number): string => `${dateText(wallSec)} ${timeText(wallSec)}`;
