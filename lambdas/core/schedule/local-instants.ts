import { instantOfWall } from './wall-occurrences';
import type { Zone } from './zone';

/** From a local time on, clocks repeat and skip none, and have one offset. */
interface Steady {
  /** Wall time minus UTC. */
  offsetSec: number;
  /** A local time, exclusive. */
  untilWallSec: number;
}

/** The steady period that has a local time; undefined if a change of clocks is near. */
export function steadyFrom(zone: Zone, fromWallSec: number): Steady | undefined {
  const near = zone.segmentAt(fromWallSec);
  const { startSec, endSec, offsetSec, offsetBeforeSec, offsetAfterSec } = zone.segmentAt(
    fromWallSec - near.offsetSec,
  );
  const untilWallSec = endSec + Math.min(offsetSec, offsetAfterSec);
  const isInside =
    offsetSec === near.offsetSec &&
    fromWallSec >= startSec + Math.max(offsetSec, offsetBeforeSec) &&
    fromWallSec < untilWallSec;
  return isInside ? { offsetSec, untilWallSec } : undefined;
}

/** Wall time minus UTC, if it is the same in `[fromWallSec, untilWallSec)` and clocks repeat none of that. */
export function steadyOffset(zone: Zone, fromWallSec: number, untilWallSec: number): number | undefined {
  const steady = steadyFrom(zone, fromWallSec);
  return steady && untilWallSec <= steady.untilWallSec ? steady.offsetSec : undefined;
}

/** The instant of a local time that no change of clocks is near; undefined if one is. */
export function certainInstant(zone: Zone, wallSec: number): number | undefined {
  const steady = steadyFrom(zone, wallSec);
  return steady && wallSec - steady.offsetSec;
}

export const instantOfLocal = (zone: Zone, wallSec: number): number | undefined =>
  certainInstant(zone, wallSec) ?? instantOfWall(zone, wallSec);
