import type { Occurrences } from './occurrences';
import type { WallPlan, WallSearch } from './wall-plan';
import { LAST_WALL_SEC, singlePlan } from './wall-plan';
import type { Segment, Zone } from './zone';
import { MAX_OFFSET_DIFFERENCE_SEC, MAX_SHIFTED_GAP_SEC } from './zone';

/** What happens to planned wall times that do not exist, or exist twice. */
export interface ClockChangePolicy {
  /** Up to 3 h: fire at the first instant after the gap, or not at all. In a longer gap nothing fires. */
  gap: 'shift' | 'skip';
  /** In repeated time: fire in the first pass, the second, or both. */
  overlap: 'first' | 'second' | 'both';
}

/** Keeps real spacing: every existing wall time fires as often as it exists. */
export const AS_THE_CLOCK_SHOWS: ClockChangePolicy = { gap: 'skip', overlap: 'both' };

/**
 * Planned times in a row that the clocks skip, after which a schedule counts as exhausted. Clocks skip one or
 * two a year. Every kind of year occurs within 40 years of rules, and this is far more, even after the years
 * listed one by one.
 */
const MAX_MISSED_IN_A_ROW = 300;
/** Excluded times between them, after which it counts as exhausted too: 30 years of days. */
const MAX_EXCLUDED_IN_A_SEARCH = 11_000;

/** Turns planned wall times into instants of a zone. */
export function wallOccurrences(plan: WallPlan, zone: Zone, policy: ClockChangePolicy): Occurrences {
  return {
    next(afterMs, untilMs = Number.POSITIVE_INFINITY) {
      const lastSec = Math.floor(untilMs / 1000);
      let fromSec = Math.floor(afterMs / 1000) + 1;
      let plannedSec: number | undefined;
      const search: WallSearch = {
        untilSec: lastSec + MAX_OFFSET_DIFFERENCE_SEC,
        excludedTimes: MAX_EXCLUDED_IN_A_SEARCH,
      };
      for (let missed = 0; missed <= MAX_MISSED_IN_A_ROW && fromSec <= lastSec;) {
        const segment = zone.segmentAt(fromSec);
        if (fromSec === segment.startSec && policy.gap === 'shift' && firesAfterGap(plan, segment))
          return fromSec * 1000;
        const fromWallSec = firstWallSec(segment, fromSec, policy);
        const wallSec = plan.next(fromWallSec, search) ?? Number.POSITIVE_INFINITY;
        if (wallSec < wallEndSec(segment, policy)) {
          const atSec = wallSec - segment.offsetSec;
          return atSec <= lastSec ? atSec * 1000 : undefined;
        }
        const resumeSec = resumeAfter(segment, fromWallSec, wallSec);
        if (resumeSec === Number.POSITIVE_INFINITY) return undefined;
        if (wallSec !== plannedSec) missed++;
        [plannedSec, fromSec] = [wallSec, resumeSec];
      }
      return undefined;
    },
    count(afterMs, throughMs) {
      let count = 0;
      eachPart(plan, zone, policy, { afterMs, throughMs }, ({ gapEndSec, fromWallSec, untilWallSec }) => {
        if (gapEndSec !== undefined) count++;
        if (fromWallSec < untilWallSec) count += plan.count(fromWallSec, untilWallSec);
      });
      return count;
    },
    addByMinute({ afterMs, throughMs, laterMs }, add) {
      const laterSec = Math.floor(laterMs / 1000);
      eachPart(plan, zone, policy, { afterMs, throughMs }, (part) => {
        const { gapEndSec, fromWallSec, untilWallSec, offsetSec } = part;
        if (gapEndSec !== undefined) add(Math.floor((gapEndSec + laterSec) / 60), 1);
        if (fromWallSec < untilWallSec)
          plan.addByMinute(fromWallSec, untilWallSec, laterSec - offsetSec, add);
      });
    },
  };
}

/** What lies within one segment. */
interface Part {
  /** Present if something planned in the gap before the segment fires at its first second. */
  gapEndSec?: number;
  /** Planned wall times in `[fromWallSec, untilWallSec)` fire; none if that is empty. */
  fromWallSec: number;
  untilWallSec: number;
  /** Wall time minus UTC. */
  offsetSec: number;
}

/** Visits the parts of `(afterMs, throughMs]`, segment by segment. */
function eachPart(
  plan: WallPlan,
  zone: Zone,
  policy: ClockChangePolicy,
  { afterMs, throughMs }: { afterMs: number; throughMs: number },
  visit: (part: Part) => void,
): void {
  const untilSec = Math.min(Math.floor(throughMs / 1000), LAST_WALL_SEC) + 1;
  for (let fromSec = Math.floor(afterMs / 1000) + 1; fromSec < untilSec;) {
    const segment = zone.segmentAt(fromSec);
    const { offsetSec } = segment;
    const endSec = Math.min(segment.endSec, untilSec);
    const untilWallSec = Math.min(wallEndSec(segment, policy), endSec + offsetSec);
    let fromWallSec = firstWallSec(segment, fromSec, policy);
    let gapEndSec: number | undefined;
    if (fromSec === segment.startSec && policy.gap === 'shift' && firesAfterGap(plan, segment)) {
      gapEndSec = fromSec;
      // what is planned for that instant itself does not fire twice
      fromWallSec = Math.max(fromWallSec, fromSec + offsetSec + 1);
    }
    visit({ gapEndSec, fromWallSec, untilWallSec, offsetSec });
    fromSec = endSec;
  }
}

/** Whether something is planned within the gap that the segment begins with. */
function firesAfterGap(plan: WallPlan, { startSec, offsetSec, offsetBeforeSec }: Segment): boolean {
  const gapSec = offsetSec - offsetBeforeSec;
  if (gapSec <= 0 || gapSec > MAX_SHIFTED_GAP_SEC) return false;
  const search = { untilSec: startSec + offsetSec - 1, excludedTimes: MAX_EXCLUDED_IN_A_SEARCH };
  const plannedSec = plan.next(startSec + offsetBeforeSec, search);
  return plannedSec !== undefined && plannedSec <= search.untilSec;
}

/**
 * Where to begin within the segment: after its second pass of repeated time, if only the first pass counts.
 */
function firstWallSec(segment: Segment, fromSec: number, { overlap }: ClockChangePolicy): number {
  const wallSec = fromSec + segment.offsetSec;
  return overlap === 'first' ? Math.max(wallSec, segment.startSec + segment.offsetBeforeSec) : wallSec;
}

/** Where the segment ends: before its first pass of time to be repeated, if only the second pass counts. */
function wallEndSec({ endSec, offsetSec, offsetAfterSec }: Segment, { overlap }: ClockChangePolicy): number {
  return endSec + (overlap === 'second' ? Math.min(offsetSec, offsetAfterSec) : offsetSec);
}

/**
 * Where the search continues after an exhausted segment: near `wallSec`, the next planned time, possibly
 * years later. But if the next segment repeats wall times before `fromWallSec`, it continues at that segment.
 */
function resumeAfter({ endSec, offsetAfterSec }: Segment, fromWallSec: number, wallSec: number): number {
  const goesBack = endSec + offsetAfterSec < fromWallSec;
  return goesBack ? endSec : Math.max(endSec, wallSec - MAX_OFFSET_DIFFERENCE_SEC);
}

/**
 * The instant of one wall time. If it exists twice, the earlier one. In a gap of up to 3 h, the first instant
 * after the gap. Undefined in a longer gap.
 */
export function instantOfWall(zone: Zone, wallSec: number): number | undefined {
  const atMs = wallOccurrences(singlePlan(wallSec), zone, { gap: 'shift', overlap: 'first' }).next(
    (wallSec - MAX_OFFSET_DIFFERENCE_SEC) * 1000,
  );
  return atMs === undefined ? undefined : atMs / 1000;
}
