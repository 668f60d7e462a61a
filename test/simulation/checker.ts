import { checkCauses } from './checks/causes';
import { checkEvents } from './checks/events';
import { checkHistories } from './checks/histories';
import { checkKeyOrder, checkKeysApart, checkLimits, checkOverlap } from './checks/gates';
import { checkLeases } from './checks/leases';
import { checkCursors, checkDrained, checkFutureEntries } from './checks/machinery';
import { checkAcknowledged, checkObedience, checkDeliveryIds } from './checks/obedience';
import { checkOccurrences } from './checks/occurrences';
import { checkEarly, checkLate, checkReasons } from './checks/times';
import type { SimulationLog } from './log';
import { checkRuns } from './checks/runs';
import { checkReports } from './checks/reports';
import { checkWallTimes } from './checks/wall-times';
import { type Story, storyOf } from './story';
import type { Invariant, Violation } from './violation';

const CHECKS: readonly ((story: Story) => Violation[])[] = [
  checkOccurrences,
  checkLeases,
  checkHistories,
  checkObedience,
  checkAcknowledged,
  checkDeliveryIds,
  checkEarly,
  checkLate,
  checkOverlap,
  checkKeysApart,
  checkKeyOrder,
  checkLimits,
  checkReasons,
  checkFutureEntries,
  checkCursors,
  checkDrained,
  checkEvents,
  checkReports,
  checkCauses,
  checkWallTimes,
  checkRuns,
];

/** With clocks that are far off, times mean nothing. These invariants apply all the same. */
const WHATEVER_THE_CLOCKS: readonly Invariant[] = [
  'lease',
  'fence',
  'transition',
  'history',
  'attempts',
  'success-kept',
  'delivery-id',
  'acknowledged',
  'event',
  'report',
  'mark-says-row',
  'none-outlives',
  'ends-once',
  'monotone',
];

/** Every violation in a log. */
export function check(log: SimulationLog): Violation[] {
  const story = storyOf(log);
  const violations = CHECKS.flatMap((checkOne) => checkOne(story));
  if (!log.conditions.wildClocks) return violations;
  return violations.filter(({ invariant }) => WHATEVER_THE_CLOCKS.includes(invariant));
}
