import { dateText, timeText } from './instant';
import type { SchedulePlan } from './planned-schedule';
import type { WallPlan } from './wall-plan';
import type { Segment, Zone } from './zone';
import { MAX_OFFSET_DIFFERENCE_SEC, MAX_SHIFTED_GAP_SEC } from './zone';

/**
 * What a change of clocks did to the occurrence at `atSec`, and to planned times since the previous
 * occurrence that the clocks skip. Undefined if the clocks did nothing.
 */
export function clockNote(
  { zone, wall, clockChanges }: Required<Pick<SchedulePlan, 'zone' | 'wall' | 'clockChanges'>>,
  lastSec: number,
  atSec: number,
): string | undefined {
  const notes: string[] = [];
  const atWallSec = atSec + zone.segmentAt(atSec).offsetSec;
  const fromWallSec = lastSec + zone.segmentAt(lastSec).offsetSec + 1;
  for (const { plannedSec, nextSec, after } of plannedInGaps(zone, wall, fromWallSec, atWallSec)) {
    const several = wall.next(plannedSec + 1) !== nextSec;
    const moved =
      clockChanges.gap === 'shift' && after.startSec === atSec && gapSec(after) <= MAX_SHIFTED_GAP_SEC;
    notes.push(`${missingText(plannedSec, several, after)}: ${moved ? 'moved here' : 'dropped'}`);
  }
  const repeated = repeatedText(zone.segmentAt(atSec), atWallSec);
  if (repeated) notes.push(clockChanges.overlap === 'both' ? `${repeated}, both count` : repeated);
  return notes.length > 0 ? notes.join('; ') : undefined;
}

/** What a change of clocks did to a fixed spacing: the time of day moves. */
export function spacingNote(zone: Zone, lastSec: number, atSec: number): string | undefined {
  const movedSec = zone.segmentAt(atSec).offsetSec - zone.segmentAt(lastSec).offsetSec;
  if (movedSec === 0) return undefined;
  const length = timeText(Math.abs(movedSec));
  return `clocks went ${movedSec > 0 ? 'forward' : 'back'} by ${length}: the spacing stays, the time of day moves`;
}

/**
 * The first planned time of each gap between two wall times, the next one after the gap, and the segment that
 * begins there. It goes from gap to gap, because any number of planned times may lie between them.
 */
function* plannedInGaps(
  zone: Zone,
  wall: WallPlan,
  fromWallSec: number,
  untilWallSec: number,
): Generator<{ plannedSec: number; nextSec: number | undefined; after: Segment }> {
  let plannedSec = wall.next(fromWallSec);
  while (plannedSec !== undefined && plannedSec < untilWallSec) {
    const after = segmentAfterGap(zone, plannedSec, untilWallSec);
    if (!after) return;
    const gapStartSec = after.startSec + after.offsetBeforeSec;
    const isInGap = plannedSec >= gapStartSec;
    const nextSec = wall.next(isInGap ? after.startSec + after.offsetSec : gapStartSec);
    if (isInGap) yield { plannedSec, nextSec, after };
    plannedSec = nextSec;
  }
}

/**
 * The segment that begins after the first gap that ends later than a wall time. Undefined if that gap begins
 * at `untilWallSec` or later.
 */
function segmentAfterGap(zone: Zone, wallSec: number, untilWallSec: number): Segment | undefined {
  let segment = zone.segmentAt(wallSec - MAX_OFFSET_DIFFERENCE_SEC);
  while (segment.endSec + segment.offsetSec < untilWallSec) {
    segment = zone.segmentAt(segment.endSec);
    if (gapSec(segment) > 0 && wallSec < segment.startSec + segment.offsetSec) return segment;
  }
  return undefined;
}

const gapSec = ({ offsetSec, offsetBeforeSec }: Segment): number => offsetSec - offsetBeforeSec;

function missingText(plannedSec: number, several: boolean, after: Segment): string {
  const fromSec = after.startSec + after.offsetBeforeSec;
  const toSec = after.startSec + after.offsetSec;
  const oneDate = dateText(fromSec) === dateText(toSec);
  const [from, to] = [fromSec, toSec].map((sec) => (oneDate ? '' : `${dateText(sec)} `) + timeText(sec));
  const what = several ? `${timeText(plannedSec)} and later times do` : `${timeText(plannedSec)} does`;
  return `${what} not exist on ${dateText(plannedSec)} (clocks go from ${from} to ${to})`;
}

function repeatedText(
  { startSec, endSec, offsetBeforeSec, offsetAfterSec }: Segment,
  wallSec: number,
): string | undefined {
  const what = `${timeText(wallSec)} comes twice on ${dateText(wallSec)}`;
  if (wallSec >= endSec + offsetAfterSec) return `${what}: this is the first`;
  if (wallSec < startSec + offsetBeforeSec) return `${what}: this is the second`;
  return undefined;
}
