import type { Mutant } from './mutant';

const PACKS = 'lambdas/core/store/dynamo/entry-packs.ts';
const MODEL = 'test/unit/core/store/dynamo/packs/model.test.ts';
const CODEC = 'test/unit/core/store/dynamo/packs/entry-packs.test.ts';
const PIPELINE = 'test/integration/pipeline/packs.test.ts';

/** That messages go first is a mutant of the dispatch step. */
export const packMutants: readonly Mutant[] = [
  {
    name: 'a pack is named by its time alone',
    file: PACKS,
    find: "createHash('sha256').update(pack).digest('base64url').slice(0, 22)",
    replace: "createHash('sha256').update(String(pack && 1)).digest('base64url').slice(0, 22)",
    killedBy: MODEL,
    test: 'no order of steps',
  },
  {
    name: 'an entry is dropped at a border',
    file: PACKS,
    find: 'if (isBorder(entry.jobKey)) close();',
    replace: 'if (isBorder(entry.jobKey)) [open, bytes] = [[], 0];',
    killedBy: MODEL,
    test: 'a pack and a row',
  },
  {
    name: 'slots of a minute',
    file: PACKS,
    find: 'export const SLOT_MS = 10_000;',
    replace: 'export const SLOT_MS = 60_000;',
    killedBy: CODEC,
    test: 'late by less',
  },
  {
    name: 'an entry in two packs goes on in two',
    file: 'lambdas/scanner/scan-bucket.ts',
    find: 'entry.rechecks !== undefined || seen.size < seen.add(entrySortKey(entry)).size',
    replace: 'entry.rechecks !== undefined || seen.add(entrySortKey(entry)).size > 0',
    killedBy: PIPELINE,
    test: 'in two packs',
  },
  {
    name: 'the sweep passes a pack that is settled in part',
    file: 'lambdas/sweeper/sweep-shards.ts',
    find: 'findLast((key) => key !== rowKeys[settled])',
    replace: 'findLast((key) => key !== `${rowKeys[settled]} of another`)',
    killedBy: PIPELINE,
    test: 'the sweep stands before a pack',
  },
  {
    name: 'a packed entry is not found',
    file: 'lambdas/core/store/dynamo/find-entry.ts',
    find: '(await hasRowOf(access, entry)) || packs.has(entry, name)',
    replace: '(await hasRowOf(access, entry))',
    killedBy: 'test/conformance/store-on-memory.test.ts',
    test: 'ScheduleStore: packs',
  },
  {
    name: 'an entry of a revision before the last one does not know of a deletion',
    file: 'lambdas/core/history/job-then.ts',
    find: 'if (state.revision === revision) return endOf(state, next);',
    replace: 'if (state.revision === revision) return state.removed?.atMs ?? Number.POSITIVE_INFINITY;',
    killedBy: PIPELINE,
    test: 'changed before',
  },
  {
    name: 'a packed entry that is due at the last change counts as due before the first',
    file: 'lambdas/sweeper/recheck-unclaimed.ts',
    find: 'endedMs ??= await endedByMs(entry, job, deps);',
    replace: 'endedMs ??= job ? Number.POSITIVE_INFINITY : await endedByMs(entry, job, deps);',
    killedBy: PIPELINE,
    test: 'around its packed entry',
  },
];
