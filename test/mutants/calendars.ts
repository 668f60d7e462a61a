import type { Mutant } from './mutant';

const ALLOWED_TIMES = 'lambdas/core/schedule/allowed-times.ts';
const UNIT_TEST = 'test/unit/core/schedule/calendars/calendars.test.ts';
const TEST = 'test/integration/pipeline/calendars.test.ts';

export const calendarMutants: readonly Mutant[] = [
  {
    name: 'an executor plans a job by the calendars with which it was saved',
    file: 'lambdas/core/store/read-whole.ts',
    find: 'deps.jobs.getMany(missing, { consistent: true, today })',
    replace: 'deps.jobs.getMany(missing, { consistent: true })',
    killedBy: TEST,
    test: 'an occurrence that is out already',
  },
  {
    name: 'a replan begins the count of runs anew',
    file: 'lambdas/core/domain/replan.ts',
    find: 'runsBase: runsBaseAt(fromMs, job, schedule),',
    replace: 'runsBase: { atMs: fromMs, count: 0 },',
    killedBy: TEST,
    test: 'a changed calendar replans its jobs',
  },
  {
    name: 'the auditor does not finish the change of a calendar',
    file: 'lambdas/auditor/replan-outdated.ts',
    find: 'if (!pointer.changing) {',
    replace: 'if (pointer) {',
    killedBy: TEST,
    test: 'an occurrence that is out already',
  },
  {
    name: 'what a calendar has let run on one day runs again on another',
    file: 'lambdas/core/schedule/occurrence-mover.ts',
    find: 'if (to && to.firstSec * 1000 > fromMs && to.firstSec * 1000 <= untilMs)',
    replace: 'if (to && to.firstSec * 1000 <= untilMs)',
    killedBy: UNIT_TEST,
    test: 'runs what is named by its local date at most once',
  },
  {
    name: 'a search takes a day that is excluded in part for an excluded one',
    file: ALLOWED_TIMES,
    find: 'days &= ~times.wholeDaysOf(this.zone, year, month);',
    replace: 'days &= ~times.touchedDaysOf(this.zone, year, month);',
    killedBy: UNIT_TEST,
    test: 'stops at a day that is excluded in part',
  },
  {
    name: 'times of day count on their own date in a zone where it is another one',
    file: 'lambdas/core/schedule/time-set.ts',
    find: 'if (this.days.has(firstDay + each + laterDays)) bits[each]! |= times;',
    replace: 'if (this.days.has(firstDay + each)) bits[each]! |= times;',
    killedBy: 'test/unit/core/schedule/calendars/times-on-days.test.ts',
    test: 'tells of days what it tells of each of their times',
  },
  {
    name: 'a pointer of a calendar replaces one that was not seen',
    file: 'lambdas/core/store/dynamo/dynamo-calendar-store.ts',
    find: "const isSeen = '#etag = :seenEtag';",
    replace: "const isSeen = '#etag = :seenEtag OR #etag <> :seenEtag';",
    killedBy: 'test/conformance/store-on-memory.test.ts',
    test: 'CalendarStore replaces the pointer seen',
  },
  {
    name: 'the change of a calendar is over after its first page of jobs',
    file: 'lambdas/core/job-writes/replan-calendar.ts',
    find: 'const cursor = uses.length === JOBS_A_SECOND ?',
    replace: 'const cursor = uses.length < 0 ?',
    killedBy: 'test/integration/pipeline/calendar-replan.test.ts',
    test: 'beyond its first page',
  },
  {
    name: 'a VTIMEZONE may change the clocks on other dates than the zone that it names',
    file: 'client/ics/zone-definition.ts',
    find: '.find((time) => time.stated !== time.actual);',
    replace: '.find((time) => time.stated !== time.actual && offsets.size === 1);',
    killedBy: 'test/unit/client/ics/zones.test.ts',
    test: 'contradicts its name is refused',
  },
];
