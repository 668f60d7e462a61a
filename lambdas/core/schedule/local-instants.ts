import { instantOfWall } from './wall-occurrences';
import type { Zone } from './zone';

/** Wall time minus UTC, if it is the same in `[fromWallSec, untilWallSec)` and clocks repeat none of that. */
export function steadyOffset(zone: Zone, fromWallSec: number, untilWallSec: number): number | undefined {
  const near = zone.segmentAt(fromWallSec);
  const { startSec, endSec, offsetSec, offsetBeforeSec, offsetAfterSec } = zone.segmentAt(
    fromWallSec - near.offsetSec,
  );
  const isInside =
    offsetSec === near.offsetSec &&
    fromWallSec >= startSec + Math.max(offsetSec, offsetBeforeSec) &&
    untilWallSec <= endSec + Math.min(offsetSec, offsetAfterSec);
  return isInside ? offsetSec : undefined;
}

/** The instant of a local time that no change of clocks is near; undefined if one is. */
export function certainInstant(zone: Zone, wallSec: number): number | undefined {
  const offsetSec = steadyOffset(zone, wallSec, wallSec + 1);
  return offsetSec === undefined ? undefined : wallSec - offsetSec;
}

export const instantOfLocal = (zone: Zone, wallSec: number): number | undefined =>
  certainInstant(zone, wallSec) ?? instantOfWall(zone, wallSec);
