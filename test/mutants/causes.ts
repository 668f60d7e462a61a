import type { Mutant } from './mutant';

const START_RUNS = 'lambdas/core/ending/start-runs.ts';
const AFTER_TEST = 'test/integration/pipeline/after.test.ts';
const EVENTS_TEST = 'test/integration/pipeline/events.test.ts';
const DEBOUNCE = 'lambdas/api/events/debounce.ts';
const MOVE_QUEUED = 'lambdas/core/store/dynamo/executions/change-executions.ts';

export const causeMutants: readonly Mutant[] = [
  {
    name: 'a message from before a later event claims the run',
    file: 'lambdas/core/store/dynamo/executions/lease.ts',
    find: "const mayHaveMoved = trigger === 'manual' || trigger === 'event';",
    replace: "const mayHaveMoved = trigger === 'manual';",
    killedBy: 'test/conformance/store-on-memory.test.ts',
    test: 'does not move what was claimed',
  },
  {
    name: 'a run that an event moves gets the ordering key of its job',
    file: DEBOUNCE,
    find: 'attemptMessage(written, start, job)',
    replace: 'attemptMessage({ ...written, orderingKey: job.orderingKey ?? undefined }, start, job)',
    killedBy: 'test/integration/pipeline/waiting-and-edits.test.ts',
    test: 'keeps the ordering key of its row',
  },
  {
    name: 'the end of an awaited job has no follow-up',
    file: 'lambdas/core/domain/follow-ups.ts',
    find: "['start-waiters', 'ask-awaits']",
    replace: "['ask-awaits']",
    killedBy: AFTER_TEST,
  },
  {
    name: 'the run of a cause has another id each time',
    file: START_RUNS,
    find: 'execId: execIdOfCause(atMs, cause, jobKey),',
    replace: 'execId: execIdOfCause(clock.nowMs(), cause, jobKey),',
    killedBy: AFTER_TEST,
    test: 'whatever write the executor dies after',
  },
  {
    name: 'a run that was left without its message is not started again',
    file: START_RUNS,
    find: "row.status === 'queued' && row.fence === 0 ? entryOfRepeat(row, deps) : undefined;",
    replace: 'void [row, deps, entryOfRepeat] as never;',
    killedBy: 'test/integration/protocol/slow-writes.test.ts',
    test: 'once its event is repeated',
  },
  {
    name: 'an event of a paused job is not recorded',
    file: START_RUNS,
    find: '    await recordSkipped(run, deps);\n',
    replace: '',
    killedBy: EVENTS_TEST,
    test: 'a paused job records',
  },
  {
    name: 'a run of an old cause starts although its job waits for another one',
    file: 'lambdas/core/domain/eligibility.ts',
    find: 'const isNamed = namesCause(job.schedule, cause) ||',
    replace: 'const isNamed = Boolean(namesCause) ||',
    killedBy: AFTER_TEST,
    test: 'a change of the waiter holds at once',
  },
  {
    name: 'a replacement of a job forgets that others wait for it',
    file: 'lambdas/core/store/dynamo/jobs/dynamo-job-store.ts',
    find: 'awaitedAtMs === undefined ? isNotAwaited : isAwaitedAsSeen',
    replace: "awaitedAtMs === undefined ? 'attribute_exists(#etag)' : isAwaitedAsSeen",
    killedBy: 'test/unit/api/jobs/check-causes.test.ts',
    test: 'keeps the mark',
  },
  {
    name: 'an event that finds no row of the open run opens another run',
    file: DEBOUNCE,
    find: "if (!row) return deps.clock.nowMs() < lastStartMs ? { is: 'unwritten', run: moved } : { is: 'over' };",
    replace: "if (!row) return { is: 'over' };",
    killedBy: EVENTS_TEST,
    test: 'a dead request has named',
  },
  {
    name: 'a repeat of an event that has moved a run starts another, once that has begun',
    file: 'lambdas/api/events/debounce.ts',
    find: "isOf(row, to) ? { is: 'moved', run: row } : { is: 'over' }",
    replace: "{ is: 'over' }",
    killedBy: 'test/integration/pipeline/events.test.ts',
    test: 'whose request moved a run and died',
  },
  {
    name: 'the name of a run that was never written counts for ever',
    file: DEBOUNCE,
    find: 'deps.clock.nowMs() < lastStartMs ?',
    replace: 'deps.clock.nowMs() > 0 ?',
    killedBy: EVENTS_TEST,
    test: 'named a day ago',
  },
  {
    name: 'events move a debounced run for ever',
    file: DEBOUNCE,
    find: 'const startAtMs = Math.min(to.dueAtMs, lastStartMs);',
    replace: 'const startAtMs = to.dueAtMs;',
    killedBy: EVENTS_TEST,
    test: 'a day after the event that opened it',
  },
  {
    name: 'an event that was overtaken moves the open run back',
    file: MOVE_QUEUED,
    find: 'ConditionExpression: allOf(isQueued, isNotLater),',
    replace: 'ConditionExpression: isQueued,',
    killedBy: EVENTS_TEST,
    test: 'has overtaken',
  },
  {
    name: 'an event moves what a user runs again',
    file: MOVE_QUEUED,
    find: "const isQueued = '#status = :queued AND",
    replace: "const isQueued = '(#status = :queued OR attribute_exists(#userRetries)) AND",
    killedBy: EVENTS_TEST,
    test: 'what a user runs again',
  },
  {
    name: 'an event names its run in the place of one that it has not seen',
    file: 'lambdas/core/store/dynamo/dynamo-debounce-store.ts',
    find: 'ConditionExpression: seen === undefined ? isNew : isAsSeen,',
    replace: 'ConditionExpression: seen === undefined ? `${isNew} OR attribute_exists(#openRun)` : isAsSeen,',
    killedBy: EVENTS_TEST,
    test: 'come together',
  },
];
