import type { Mutant } from './mutant';

const DISPATCH = 'lambdas/core/dispatch/dispatch.ts';
const ORDER_OF_WRITES = 'test/integration/protocol/order-of-writes.test.ts';

const PUT_CATCH_UPS = '  await deps.schedule.putEntries(entries.filter(({ catchUp }) => catchUp));\n';
const PUT_NEXT = '  await deps.schedule.putEntries(entries.filter(({ catchUp }) => !catchUp));\n';
const RECORD_SKIPPED =
  '  await allEnded([...plans].map(([item, { skipped }]) => recordMisfire(item, skipped, deps)));\n';
const CATCH_UPS_FIRST =
  '  // Catch-ups first: a next entry that is written proves that all entries before it are.\n' +
  '  const entries = [...plans.values()].flatMap((plan) => plan.entries);\n';
const PLAN_MESSAGES = '\n  const messages = [...plans.values()].flatMap((plan) => plan.messages);\n';
const ENQUEUE = '  await enqueueTickets(messages, deps);\n';
const SEND =
  '  const sentAtMs = deps.clock.nowMs();\n' +
  '  await deps.queue.send(\n' +
  '    messages.map((message) => ({ message, delaySec: delaySecFor(message.startAtMs, sentAtMs) })),\n' +
  '  );\n';

export const dispatchMutants: readonly Mutant[] = [
  {
    name: 'next entry written after the messages',
    file: DISPATCH,
    find: PUT_NEXT + PLAN_MESSAGES + ENQUEUE + SEND,
    replace: PLAN_MESSAGES + ENQUEUE + SEND + PUT_NEXT,
    killedBy: ORDER_OF_WRITES,
    test: 'next entry, then messages: an API',
  },
  {
    name: 'catch-ups written after the next entry',
    file: DISPATCH,
    find: PUT_CATCH_UPS + PUT_NEXT,
    replace: PUT_NEXT + PUT_CATCH_UPS,
    killedBy: ORDER_OF_WRITES,
    test: 'catch-ups, then next entry',
  },
  {
    name: 'skipped range written after the next entry',
    file: DISPATCH,
    find: RECORD_SKIPPED + CATCH_UPS_FIRST + PUT_CATCH_UPS + PUT_NEXT,
    replace: CATCH_UPS_FIRST + PUT_CATCH_UPS + PUT_NEXT + RECORD_SKIPPED,
    killedBy: ORDER_OF_WRITES,
    test: 'skipped range, then next entry',
  },
  {
    name: 'tickets written after the messages',
    file: DISPATCH,
    find: ENQUEUE + SEND,
    replace: SEND + ENQUEUE,
    killedBy: ORDER_OF_WRITES,
    test: 'ticket, then message',
  },
  {
    name: 'the series of an outdated entry goes on',
    file: 'lambdas/core/dispatch/next-entry.ts',
    find: "  if (entryValidity(entry, job) !== 'current') return;\n",
    replace: '  void entryValidity;\n',
    killedBy: 'test/integration/protocol/second-series.test.ts',
    test: 'entry of another revision',
  },
  {
    name: 'an entry found late is always planned with its next entry',
    file: 'lambdas/core/dispatch/next-entry.ts',
    find: '? planEntryAndNext : planEntryOnly;',
    replace: '? planEntryAndNext : planEntryAndNext || planEntryOnly;',
    killedBy: 'test/unit/core/dispatch/next-entry.test.ts',
  },
  {
    name: 'an overdue next entry filed behind the sweep',
    file: 'lambdas/core/dispatch/next-entry.ts',
    find: 'return { ...filedInTime, checkAtMs: Math.max(filedInTime.checkAtMs, nowMs) };',
    replace: 'return filedInTime;',
    killedBy: 'test/unit/core/dispatch/next-entry.test.ts',
  },
  {
    name: 'each occurrence of a minute has an entry of its own',
    file: 'lambdas/core/domain/entry-planning.ts',
    find: 'if (next === undefined) break;',
    replace: 'if (next === undefined || next < bucketEndMs) break;',
    killedBy: 'test/integration/pipeline/life-of-a-job.test.ts',
    test: 'one entry a minute',
  },
  {
    name: 'a missing pending entry is never repaired',
    file: 'lambdas/core/dispatch/first-entry.ts',
    find: "if (!pending) return 'present';",
    replace: "if (!pending || pending) return 'present';",
    killedBy: 'test/integration/pipeline/lost-work.test.ts',
    test: 'the auditor repairs a job whose entry was deleted',
  },
  {
    name: 'the auditor asks by its own clock for the entry of a job that has just changed',
    file: 'lambdas/core/dispatch/first-entry.ts',
    find: 'Math.max(decidedMs, plannedSinceMs(job))',
    replace: 'decidedMs',
    killedBy: 'test/unit/core/dispatch/first-entry.test.ts',
  },
  {
    name: 'a missing pending entry is repaired in maintenance mode',
    file: 'lambdas/core/dispatch/first-entry.ts',
    find: "if (await deps.inMaintenance()) return 'missing';",
    replace: 'await deps.inMaintenance();',
    killedBy: 'test/integration/protocol/auditor-in-maintenance.test.ts',
  },
  {
    name: 'the auditor does not wait for a scanner that is behind',
    file: 'lambdas/core/dispatch/first-entry.ts',
    find: "if (await isScannerBehind(shards, nowMs, deps)) return 'awaits-scan';",
    replace: 'void isScannerBehind;',
    killedBy: 'test/integration/protocol/auditor-in-outage.test.ts',
  },
  {
    name: 'the auditor takes a series for lost that the next sweep continues',
    file: 'lambdas/core/dispatch/first-entry.ts',
    find: "if (recent && (await hasPendingEntry(recent, shards, deps))) return 'awaits-sweep';",
    replace: 'void recent;',
    killedBy: 'test/integration/protocol/auditor-before-the-sweep.test.ts',
  },
];
