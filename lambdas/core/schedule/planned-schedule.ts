import type { MonthDays } from './month-days';
import type { MovedIntoPast } from './moved-notes';
import type { Occurrences } from './occurrences';
import { previousOccurrence } from './previous-occurrence';
import type { Schedule } from './schedule';
import type { ScheduleSpec } from './spec';
import type { ClockChangePolicy } from './wall-occurrences';
import type { WallPlan } from './wall-plan';
import type { Zone } from './zone';

/** 1800: before any zone had rules. From then on `Date` and Intl agree on the calendar. */
const EARLIEST_MS = Date.UTC(1800, 0, 1);

/** The parts of a parsed schedule. */
export interface SchedulePlan {
  /** The local days of a cron expression, clock changes and exclusions aside. */
  plannedDays?: MonthDays;
  /** Zone of the local times: the schedule's, or UTC. */
  zone: Zone;
  /** Due times, all limits applied. */
  occurrences: Occurrences;
  oneTime?: boolean;
  /** Nothing is planned before this instant. */
  startMs?: number;
  /** Nothing is due from this instant on, jitter included. */
  endMs?: number;
  maxRuns?: number;
  /** How much later than planned each occurrence is due. */
  jitterMs?: number;
  /** Present if times are planned as wall times: which ones, and what a clock change does to them. */
  wall?: WallPlan;
  clockChanges?: ClockChangePolicy;
  /** What calendars did between two neighbouring occurrences, jitter left out, or to the second of them. */
  calendarNote?(lastMs: number, atMs: number): string | undefined;
  /** Present with calendars: which of them have no date on a local day or later, in words. */
  calendarEnds?(day: string): string[];
  movedIntoPast?(): MovedIntoPast[];
}

/** A schedule that can also be explained. */
export interface PlannedSchedule extends Schedule {
  readonly plan: Readonly<SchedulePlan>;
}

export function plannedSchedule(spec: ScheduleSpec, plan: SchedulePlan): PlannedSchedule {
  const { occurrences } = plan;
  const next = (afterMs: number, untilMs?: number): number | undefined => {
    const fromMs = Math.max(afterMs, EARLIEST_MS);
    const atMs = occurrences.next(fromMs, untilMs);
    if (atMs !== undefined && !(atMs > fromMs)) {
      throw new Error(`schedule ${JSON.stringify(spec)} does not move on: ${atMs} follows ${afterMs}`);
    }
    return atMs;
  };
  return {
    spec,
    oneTime: plan.oneTime ?? false,
    maxRuns: plan.maxRuns,
    endMs: plan.endMs,
    plan,
    ...(plan.movedIntoPast && { movedIntoPast: plan.movedIntoPast }),
    next,
    previous: (beforeMs) => previousOccurrence(next, beforeMs),
    occursAt: (ms) => next(ms - 1, ms) === ms,
    count(afterMs, throughMs, limit) {
      const fromMs = Math.max(afterMs, EARLIEST_MS);
      return fromMs < throughMs ? Math.min(limit, occurrences.count(fromMs, throughMs)) : 0;
    },
    addByMinute(afterMs, throughMs, add) {
      const fromMs = Math.max(afterMs, EARLIEST_MS);
      if (fromMs < throughMs) occurrences.addByMinute({ afterMs: fromMs, throughMs, laterMs: 0 }, add);
    },
  };
}
