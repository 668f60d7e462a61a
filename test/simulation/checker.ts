import { checkBackfills } from './checks/backfills';
import { checkCauses } from './checks/causes';
import { checkCalendars } from './checks/calendars';
import { checkChildren } from './checks/children';
import { checkEvents } from './checks/events';
import { checkHistories } from './checks/histories';
import { checkKeyOrder, checkKeysApart, checkLimits, checkOverlap } from './checks/gates';
import { checkNotifications } from './checks/notifications';
import { checkRates } from './checks/rates';
import { checkStartLogs } from './checks/start-logs';
import { checkLeases } from './checks/leases';
import { checkCursors, checkDrained, checkFutureEntries } from './checks/machinery';
import { checkAcknowledged, checkObedience, checkDeliveryIds } from './checks/obedience';
import { checkOccurrences } from './checks/occurrences';
import { checkEarly, checkLate, checkReasons } from './checks/times';
import type { SimulationLog } from './log';
import { checkFanOuts } from './checks/fan-outs';
import { checkRuns } from './checks/runs';
import { checkReports } from './checks/reports';
import { checkWallTimes } from './checks/wall-times';
import { checkWorkers } from './checks/workers';
import { type Story, storyOf, storySince } from './story';
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
  checkRates,
  checkStartLogs,
  checkNotifications,
  checkReasons,
  checkFutureEntries,
  checkCursors,
  checkDrained,
  checkEvents,
  checkReports,
  checkCauses,
  checkWallTimes,
  checkWorkers,
  checkRuns,
  checkChildren,
  checkFanOuts,
  checkBackfills,
  checkCalendars,
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
  'once-a-round',
  'same-version',
];

/**
 * Invariants of single executions. A restored table of executions has forgotten what they were since: claims
 * begin at the fences of that time, and records and requests are gone. Executions of later keep them all.
 */
const OF_EACH_EXECUTION: readonly Invariant[] = [
  'unfinished',
  'one-execution',
  'lease',
  'fence',
  'transition',
  'history',
  'attempts',
  'success-kept',
  'run-now',
  'reason',
  'order',
];

/** Every violation in a log. */
export function check(log: SimulationLog): Violation[] {
  const story = storyOf(log);
  const violations = violationsIn(story);
  const { wildClocks, restored } = log.conditions;
  if (wildClocks) return violations.filter(({ invariant }) => WHATEVER_THE_CLOCKS.includes(invariant));
  if (restored !== 'executions' || story.restoredMs === undefined) return violations;
  const isOfOne = ({ invariant }: Violation) => OF_EACH_EXECUTION.includes(invariant);
  const since = violationsIn(storySince(story, story.restoredMs));
  return [...violations.filter((one) => !isOfOne(one)), ...since.filter(isOfOne)];
}

const violationsIn = (story: Story): Violation[] => CHECKS.flatMap((checkOne) => checkOne(story));
