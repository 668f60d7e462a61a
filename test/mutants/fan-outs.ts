import type { Mutant } from './mutant';

const FOLDER = 'lambdas/core/ending/runs/fan-outs/';
const STORE = 'lambdas/core/store/dynamo/runs/dynamo-fan-out-store.ts';
const FAULTS = 'test/integration/workflows/fan-out-faults.test.ts';
const FAN_OUTS = 'test/integration/workflows/fan-outs.test.ts';
const CHILDREN = 'test/integration/workflows/child-fan-out-faults.test.ts';
const BACKFILLS = 'test/integration/workflows/backfill-runs.test.ts';

/** The safeguards of fan-outs. */
export const fanOutMutants: readonly Mutant[] = [
  {
    name: 'a second head replaces the first one',
    file: STORE,
    find: 'conditionalPut(access, { Item, ConditionExpression: isNew })',
    replace: 'conditionalPut(access, { Item, ConditionExpression: `${isNew} OR ${exists}` })',
    killedBy: FAULTS,
    test: 'stop-meets-layout',
  },
  {
    name: 'of items that are marked together none fills the segment',
    file: 'lambdas/core/store/dynamo/runs/dynamo-fan-out-store.ts',
    find: '    row = marked.after;\n',
    replace: '    void row;\n',
    killedBy: 'test/integration/workflows/marks-together.test.ts',
    test: 'of a fan-out',
  },
  {
    name: 'an item is taken although its fan-out is stopped',
    file: STORE,
    find: "ConditionExpression: allOf(exists, isNotStopped, '#next < :count', ...asSeen),",
    replace: "ConditionExpression: allOf(exists, '#next < :count', ...asSeen),",
    killedBy: FAULTS,
    test: 'a fan-out that its user cancels',
  },
  {
    name: 'a recheck does not fill the window',
    file: `${FOLDER}open-items.ts`,
    find: '  const first = await deps.fanOuts.dispense(fanOutRef(task), take);',
    replace: '  const first = items < 0 ? await deps.fanOuts.dispense(fanOutRef(task), take) : undefined;',
    killedBy: FAULTS,
    test: 'a window of one goes on',
  },
  {
    name: 'a recheck does not send the item that was taken',
    file: 'lambdas/sweeper/recheck-fan-out.ts',
    find: '    await launchItems(task, lost, deps);',
    replace: '    await launchItems(task, lost.slice(0, 0), deps);',
    killedBy: FAULTS,
    test: 'dispense-dies-after-add',
  },
  {
    name: 'a retry of what failed runs all items',
    file: `${FOLDER}launch-fan-out.ts`,
    find: '  if (round === undefined) return new Map();',
    replace: '  if (round === undefined || items.length > 0) return new Map();',
    killedBy: FAN_OUTS,
    test: 'a retry of what failed',
  },
  {
    name: 'a second follow-up of a child does not ask for the next item',
    file: `${FOLDER}item-ends.ts`,
    find: '  if (!isOwn) await recheckGap(',
    replace: '  if (!isOwn && item < 0) await recheckGap(',
    killedBy: CHILDREN,
    test: 'a window of one goes on',
  },
  {
    name: 'a recheck does not start the children that were not begun',
    file: 'lambdas/sweeper/recheck-fan-out.ts',
    find: '  if (mayBegin && unbegun.length > 0)',
    replace: '  if (mayBegin && unbegun.length < 0)',
    killedBy: CHILDREN,
    test: 'before the child of the item that was taken',
  },
  {
    name: 'the next date of a backfill races with an occurrence that waits',
    file: 'lambdas/core/gates/overlap.ts',
    find: 'if (hasPassedNoGate(message) && (await leavesLock(message, deps))) return WAIT;',
    replace: 'if (!hasPassedNoGate && (await leavesLock(message, deps))) return WAIT;',
    killedBy: BACKFILLS,
    test: 'backfill-meets-schedule',
  },
  {
    name: 'an occurrence that meets a date of a backfill is skipped',
    file: 'lambdas/core/gates/overlap.ts',
    find: "  const overlap = isOfDate ? 'queue' : message.overlap;",
    replace: "  const overlap = isOfDate && !message.execId ? 'queue' : message.overlap;",
    killedBy: BACKFILLS,
    test: 'backfill-meets-schedule',
  },
];
