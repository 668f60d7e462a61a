import type { Mutant } from './mutant';

const ELIGIBILITY = 'lambdas/core/domain/eligibility.ts';
const ELIGIBILITY_TEST = 'test/unit/core/domain/eligibility.test.ts';
const TAKEOVERS = 'test/integration/protocol/takeovers-after-a-change.test.ts';
const JOB = 'lambdas/core/domain/job.ts';
const CLOCKS_BEHIND = 'test/integration/protocol/clocks-behind.test.ts';
const WALL = 'lambdas/core/schedule/wall-occurrences.ts';
const CLOCK_CHANGES = 'test/unit/core/schedule/cron-vectors.test.ts';

export const domainMutants: readonly Mutant[] = [
  {
    name: 'an interval reads each excluded second',
    file: 'lambdas/core/schedule/interval-occurrences.ts',
    find: 'atMs = steady.next(Math.min(freeSec - offsetSec, endSec) * 1000 - 1, untilMs);',
    replace: 'atMs = steady.next(atMs, untilMs);',
    killedBy: 'test/unit/core/schedule/exhausted.test.ts',
  },
  {
    name: 'five lost attempts do not end an execution',
    file: 'lambdas/core/domain/lease.ts',
    find: 'export const MAX_TAKEOVERS = 5;',
    replace: 'export const MAX_TAKEOVERS = 50;',
    killedBy: 'test/integration/pipeline/poison.test.ts',
    test: 'crashed',
  },
  {
    name: 'a retry starts before the due time',
    file: 'lambdas/core/domain/retry-policy.ts',
    find: 'Math.max(attempt.dueAtMs, attempt.nowMs + Math.max(backoffMs, askedMs))',
    replace: 'attempt.nowMs + Math.max(backoffMs, askedMs)',
    killedBy: 'test/unit/core/domain/retry-policy.test.ts',
    test: 'before the due time',
  },
  {
    name: 'a change of a job plans from its own clock, though that is behind',
    file: JOB,
    find: 'Math.max(nowMs, sinceMs) : nowMs',
    replace: 'nowMs : nowMs',
    killedBy: CLOCKS_BEHIND,
    test: 'plans nothing from before',
  },
  {
    name: 'a change of a job waits for a clock that was wrong',
    file: JOB,
    find: 'sinceMs <= nowMs + CLOCK_SKEW_MS ?',
    replace: 'sinceMs <= nowMs + 1e12 + CLOCK_SKEW_MS ?',
    killedBy: CLOCKS_BEHIND,
    test: 'an hour ahead',
  },
  {
    name: 'a retry runs although its job is paused',
    file: ELIGIBILITY,
    find: "if (job.status === 'paused') return {",
    replace: "if (job.status === 'paused' && execution.fence <= 1) return {",
    killedBy: ELIGIBILITY_TEST,
  },
  {
    name: 'a claim does not ask the schedule of today',
    file: ELIGIBILITY,
    find: 'if (isPlannedAt(job, scheduleOf(job), dueAtMs)) return undefined;',
    replace: 'if (isPlannedAt(job, scheduleOf(job), dueAtMs) || dueAtMs) return undefined;',
    killedBy: ELIGIBILITY_TEST,
  },
  {
    name: 'a takeover is eligible whatever has changed',
    file: ELIGIBILITY,
    find: 'fence > 1 && startedAtMs < changedAtMs - CLOCK_SKEW_MS;',
    replace: 'fence > 1 && (startedAtMs < changedAtMs - CLOCK_SKEW_MS || true);',
    killedBy: ELIGIBILITY_TEST,
    test: 'the job no longer plans it',
  },
  {
    name: 'a lost attempt proves that it was eligible',
    file: ELIGIBILITY,
    find: "attempts.some(({ outcome }) => outcome !== 'lost'));",
    replace: 'attempts.length > 0);',
    killedBy: TAKEOVERS,
    test: 'obeys a schedule',
  },
  {
    name: 'a takeover shortly before a change counts as called',
    file: ELIGIBILITY,
    find: 'fence > 1 && startedAtMs < changedAtMs - CLOCK_SKEW_MS;',
    replace: 'fence > 1 && startedAtMs < changedAtMs;',
    killedBy: ELIGIBILITY_TEST,
  },
  {
    name: 'a change of a calendar excuses what a change of the schedule took away before the claim',
    file: ELIGIBILITY,
    find: '    : scheduleChangedAtMs;',
    replace: '    : Math.max(scheduleChangedAtMs, replannedAtMs);',
    killedBy: ELIGIBILITY_TEST,
    test: 'the calendar changed, and matters not',
  },
  {
    name: 'a resumption excuses what a change of the schedule took away before the claim',
    file: ELIGIBILITY,
    find: '    : scheduleChangedAtMs;',
    replace: '    : Math.max(scheduleChangedAtMs, activeSinceMs);',
    killedBy: ELIGIBILITY_TEST,
    test: 'the job was resumed',
  },
  {
    name: 'a takeover forgets that a calendar excluded nothing when it was claimed',
    file: ELIGIBILITY,
    find: '    ? Math.max(scheduleChangedAtMs, replannedAtMs)',
    replace: '    ? scheduleChangedAtMs',
    killedBy: ELIGIBILITY_TEST,
    test: 'and excludes it since',
  },
  {
    name: 'a user retry begins with fence 0',
    file: 'lambdas/core/domain/user-retry.ts',
    find: '    takeovers: 0,\n    startAtMs,',
    replace: '    takeovers: 0,\n    fence: 0,\n    startAtMs,',
    killedBy: 'test/unit/core/domain/user-retry.test.ts',
  },
  {
    name: 'a user retry is the same life',
    file: 'lambdas/core/domain/user-retry.ts',
    find: 'userRetries: (ended.userRetries ?? 0) + 1,',
    replace: 'userRetries: ended.userRetries ?? 1,',
    killedBy: 'test/unit/core/domain/user-retry.test.ts',
  },
  {
    name: 'no message of an old schedule can be out',
    file: 'lambdas/core/domain/timing.ts',
    find: 'dueAtMs < changedAtMs + horizonMs + DIRECT_BEYOND_MS + MINUTE_MS + 2 * CLOCK_SKEW_MS;',
    replace: 'dueAtMs < changedAtMs + 0 * (horizonMs + DIRECT_BEYOND_MS + MINUTE_MS + 2 * CLOCK_SKEW_MS);',
    killedBy: 'test/integration/protocol/frozen-claims.test.ts',
    test: 'a claim that thaws',
  },
  {
    name: 'a time in the gap of a clock change is never shifted',
    file: WALL,
    find: 'if (gapSec <= 0 || gapSec > MAX_SHIFTED_GAP_SEC) return false;',
    replace: 'if (gapSec <= MAX_SHIFTED_GAP_SEC || gapSec > MAX_SHIFTED_GAP_SEC) return false;',
    killedBy: CLOCK_CHANGES,
  },
  {
    name: 'a repeated hour fires twice',
    file: WALL,
    find: "overlap === 'first' ? Math.max(wallSec, segment.startSec + segment.offsetBeforeSec) : wallSec;",
    replace: "overlap === 'first' ? Math.max(wallSec, wallSec) : wallSec;",
    killedBy: CLOCK_CHANGES,
  },
  {
    name: 'a forced stop takes what was excluded for stopped',
    file: 'lambdas/core/domain/workflow/derive.ts',
    find: '(force && !seen)',
    replace: 'force',
    killedBy: 'test/unit/core/domain/workflow/progress.test.ts',
    test: 'leaves what it finds excluded',
  },
  {
    name: 'a lost attempt of a deleted job is one of its first target alone',
    file: 'lambdas/core/domain/takeover.ts',
    find: '1 + Math.max(0, ...attempts.map(({ target }) => target))',
    replace: '1 + Math.min(0, attempts.length)',
    killedBy: 'test/unit/core/domain/takeover.test.ts',
    test: 'known by their records',
  },
];
