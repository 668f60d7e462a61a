import type { Mutant } from './mutant';

const COVERAGE = 'lambdas/core/history/coverage.ts';
const COVERAGE_TEST = 'test/unit/core/history/coverage.test.ts';
const SKIP_RANGES = 'lambdas/core/ending/skip-ranges.ts';
const WALK = 'lambdas/core/shards/walk.ts';
const WALK_TEST = 'test/unit/core/shards/walk.test.ts';
const RAISE = 'lambdas/core/shards/raise-shards.ts';
const CREATE_CURSORS =
  '    await schedule.createCursors(\n' +
  '      shards.flatMap((shard) => CURSOR_KINDS.map((kind) => ({ kind, shard, ...start }))),\n' +
  '    );\n';
const RAISE_COUNT = '    if (isRaised) await schedule.raiseShards(wanted);\n';

export const historyMutants: readonly Mutant[] = [
  {
    name: 'a row inside a range hides the range',
    file: COVERAGE,
    find: '(!row.insideRange || row.dueAtMs === dueAtMs) && ',
    replace: '',
    killedBy: COVERAGE_TEST,
  },
  {
    name: 'a row inside a range ends the range',
    file: COVERAGE,
    find: 'row.insideRange ? afterMs : fromMs - 1',
    replace: 'row.insideRange ? fromMs - 1 : fromMs - 1',
    killedBy: COVERAGE_TEST,
  },
  {
    name: 'a late row does not stay inside the range',
    file: SKIP_RANGES,
    find: '    await deps.executions.markInsideRange({ jobKey, execId });\n',
    replace: '    void execId;\n',
    killedBy: 'test/integration/pipeline/skipped-rows.test.ts',
    test: 'does not end the range',
  },
  {
    name: 'a range is written once, and not again around new rows',
    file: SKIP_RANGES,
    find: 'if (gaps.length === 0) return count;',
    replace: 'if (gaps.length === 0 || count > 0) return count;',
    killedBy: 'test/integration/pipeline/skipped-rows.test.ts',
    test: 'the claim is first',
  },
  {
    name: 'a cursor moves past a bucket that is not done',
    file: WALK,
    find: 'const isOver = done.isDone && range.endsBucket;',
    replace: 'const isOver = range.endsBucket;',
    killedBy: WALK_TEST,
  },
  {
    name: 'a cursor moves before its page is visited',
    file: WALK,
    find: '        : await visit(page, cursor);\n',
    replace:
      '        : await (async (one, seen) => {\n' +
      "            const early = { minute: seen.minute, after: one.nextAfter ?? '~', " +
      'movedAtMs: clock.nowMs(), entriesInLastBucket };\n' +
      '            await schedule.moveCursor(seen, early);\n' +
      '            cursor = { ...seen, ...early };\n' +
      '            return visit(one, seen);\n' +
      '          })(page, cursor);\n',
    killedBy: 'test/integration/protocol/order-of-writes.test.ts',
    test: 'recheck, then cursor',
  },
  {
    name: 'the read that ends a bucket is not consistent',
    file: WALK,
    find: 'const isProbe = range && !range.endsBucket && cursor.entriesInLastBucket === 0;',
    replace: 'const isProbe = range && cursor.entriesInLastBucket === 0;',
    killedBy: 'test/unit/sweeper/sweep-shards.test.ts',
    test: 'finds at the end of a bucket',
  },
  {
    name: 'a walk goes on after another process has moved its cursor',
    file: WALK,
    find: "if ((await schedule.moveCursor(cursor, to)) === 'lost') return result('overtaken');",
    replace: 'await schedule.moveCursor(cursor, to);',
    killedBy: 'test/integration/pipeline/interleavings.test.ts',
    test: 'a sweeper that stalls',
  },
  {
    name: 'shards are raised before their cursors exist',
    file: RAISE,
    find: CREATE_CURSORS + RAISE_COUNT,
    replace: RAISE_COUNT + CREATE_CURSORS,
    killedBy: 'test/unit/core/shards/raise-shards.test.ts',
  },
  {
    name: 'the run of a backfill counts for an await',
    file: 'lambdas/core/domain/execution.ts',
    find: "trigger === 'backfill' && backfill === undefined;",
    replace: "trigger === 'backfill' || backfill !== undefined;",
    killedBy: 'test/integration/workflows/backfill-runs.test.ts',
    test: 'an await with need',
  },
];
