import { checkAtWork } from './checks/at-work';
import { checkBackfills } from './checks/backfills';
import { checkCauses } from './checks/causes';
import { checkCalendars } from './checks/calendars';
import { checkCircles } from './checks/circles';
import { checkChildren } from './checks/children';
import { checkDurations } from './checks/durations';
import { checkErrands } from './checks/errands';
import { checkExport } from './checks/export';
import { checkEvents } from './checks/events';
import { checkGivenUp } from './checks/given-up';
import { checkHolders } from './checks/holders';
import { checkHistories } from './checks/histories';
import { checkKeyOrder, checkKeysApart, checkLimits, checkOverlap } from './checks/gates';
import { checkNeeds } from './checks/needs';
import { checkIncidents } from './checks/incidents';
import { checkMonitors } from './checks/monitors';
import { checkResumptions } from './checks/resumptions';
import { checkNotifications } from './checks/notifications';
import { checkRates } from './checks/rates';
import { checkSpans } from './checks/spans';
import { checkStartLogs } from './checks/start-logs';
import { checkJournal } from './checks/journal';
import { checkLeases } from './checks/leases';
import { checkMadeMonitors } from './checks/made-monitors';
import { checkCursors, checkDrained, checkExpectations, checkFutureEntries } from './checks/machinery';
import { checkAcknowledged, checkObedience, checkDeliveryIds } from './checks/obedience';
import { checkOccurrences } from './checks/occurrences';
import { checkEarly, checkLate, checkReasons } from './checks/times';
import type { SimulationLog } from './log';
import { checkFanOuts } from './checks/fan-outs';
import { checkPayloadSchemas } from './checks/payload-schemas';
import { checkRuns } from './checks/runs';
import { checkRunKeys } from './checks/run-keys';
import { checkSlotKeys } from './checks/slot-keys';
import { checkRunTags } from './checks/run-tags';
import { checkRepairs } from './checks/repairs';
import { checkReports } from './checks/reports';
import { checkWallTimes } from './checks/wall-times';
import { checkWorkers } from './checks/workers';
import { recordsKnown, type Restored, restoredIn } from './restored-log';
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
  checkSlotKeys,
  checkCircles,
  checkNeeds,
  checkRates,
  checkStartLogs,
  checkNotifications,
  checkDurations,
  checkIncidents,
  checkMonitors,
  checkMadeMonitors,
  checkResumptions,
  checkReasons,
  checkFutureEntries,
  checkExpectations,
  checkCursors,
  checkDrained,
  checkEvents,
  checkReports,
  checkCauses,
  checkPayloadSchemas,
  checkWallTimes,
  checkWorkers,
  checkRuns,
  checkChildren,
  checkFanOuts,
  checkBackfills,
  checkCalendars,
  checkErrands,
  checkJournal,
  checkRunTags,
  checkExport,
  checkSpans,
  checkRunKeys,
  checkGivenUp,
  checkRepairs,
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
  'given-up',
];

/** Every violation in a log. */
export function check(log: SimulationLog): Violation[] {
  const restored = restoredIn(log);
  if (restored) return checkRestored(log, restored);
  const violations = violationsIn(storyOf(log));
  if (!log.conditions.wildClocks) return violations;
  return violations.filter(({ invariant }) => WHATEVER_THE_CLOCKS.includes(invariant));
}

/**
 * To the other tables, the restore of Jobs alone is a change of each job. Otherwise two runs are checked. The
 * run until the restore keeps every promise but those that it had yet to keep. The run that the tables know
 * keeps all.
 */
function checkRestored(log: SimulationLog, restored: Restored): Violation[] {
  const isChange = restored.tables === 'jobs';
  const before = isChange ? [] : violationsIn(storyOf({ ...log, records: restored.before.records }));
  const known = storyOf(isChange ? log : { ...log, records: recordsKnown(restored) });
  return [
    ...before.filter(({ mayHeal }) => !mayHeal),
    ...checkAtWork(restored),
    ...violationsIn(known),
    ...checkHolders(known),
  ];
}

const violationsIn = (story: Story): Violation[] => CHECKS.flatMap((checkOne) => checkOne(story));
