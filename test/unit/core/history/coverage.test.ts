import { execIdOfManualRun, execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import { scheduleOf } from '../../../../lambdas/core/domain/entry-planning';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import {
  coveringRow,
  coveredThroughMs,
  covers,
  gapsBetween,
  isFinished,
  newestRowThrough,
  rowsBetween,
  skippedRangeOver,
  uncoveredRanges,
} from '../../../../lambdas/core/history/coverage';
import type { ExecutionStore } from '../../../../lambdas/core/store/execution-store';
import { aJob, anExecution, T0_MS } from '../../../support/factories';

/** A job that fires each minute; all times in minutes since T0. */
const job = aJob();
const at = (minute: number) => T0_MS + minute * 60_000;
const minuteOf = (ms: number) => (ms - T0_MS) / 60_000;

const ran = (minute: number): Execution => anExecution({ dueAtMs: at(minute), status: 'succeeded' });
const inside = (minute: number): Execution => ({ ...ran(minute), insideRange: true });
const skipped = (from: number, to: number): Execution =>
  anExecution({
    dueAtMs: at(from),
    status: 'skipped',
    skipped: { fromMs: at(from), toMs: at(to), count: to - from + 1 },
  });
const manual = (minute: number, id: number): Execution =>
  anExecution({ trigger: 'manual', dueAtMs: at(minute), execId: execIdOfManualRun(at(minute), `run-${id}`) });

/** A store that lists these rows, as the real one does: by execId, at most `limit`. */
function storeOf(rows: readonly Execution[]) {
  const limits: number[] = [];
  const executions: Pick<ExecutionStore, 'get' | 'list'> = {
    get: async ({ execId }) => rows.find((row) => row.execId === execId),
    list: async (_, { order, after, fromExecId = '', toExecId = '~', limit }) => {
      limits.push(limit);
      const inOrder = rows.toSorted((a, b) => (a.execId < b.execId === (order === 'asc') ? -1 : 1));
      const isAfter = (id: string) => after === undefined || (order === 'asc' ? id > after : id < after);
      const left = inOrder.filter(
        ({ execId }) => isAfter(execId) && execId >= fromExecId && execId <= toExecId,
      );
      const page = left.slice(0, limit);
      return { executions: page, nextAfter: left.length > limit ? page.at(-1)!.execId : undefined };
    },
  };
  return { deps: { executions: executions as ExecutionStore }, limits };
}

const JOB_KEY = ran(0).jobKey;

describe('the newest row at or before an occurrence', () => {
  test.each<[what: string, newest: Execution | undefined, through: number | undefined, covered: boolean]>([
    ['none', undefined, undefined, false],
    ['its own', ran(5), 5, true],
    ['its own, as skipped', skipped(5, 5), 5, true],
    ['an earlier one', ran(4), 4, false],
    ['a skipped range that ends before it', skipped(0, 4), 4, false],
    ['a skipped range that ends with it', skipped(0, 5), 5, true],
    ['a skipped range that extends beyond it', skipped(0, 9), 9, true],
  ])('%s', (_, newest, through, covered) => {
    if (newest) expect(coveredThroughMs(newest)).toBe(at(through!));
    expect(covers(newest, at(5))).toBe(covered);
  });
});

describe('the ranges from minute 0 through 9 that no row covers', () => {
  type Gap = [from: number, to: number];
  const rows: [what: string, rows: Execution[], gaps: Gap[]][] = [
    ['no row', [], [[0, 9]]],
    ['a row for the first', [ran(0)], [[1, 9]]],
    ['a row for the last', [ran(9)], [[0, 8]]],
    ['rows for all but the last', [skipped(0, 8)], [[9, 9]]],
    ['rows for all but the first', [skipped(1, 9)], [[0, 0]]],
    [
      'a row in the middle',
      [ran(4)],
      [
        [0, 3],
        [5, 9],
      ],
    ],
    [
      'neighbouring rows',
      [ran(4), ran(5)],
      [
        [0, 3],
        [6, 9],
      ],
    ],
    [
      'a skipped range inside',
      [skipped(2, 6)],
      [
        [0, 1],
        [7, 9],
      ],
    ],
    ['a skipped range over all', [skipped(0, 9)], []],
    ['a skipped range that extends beyond', [skipped(3, 20)], [[0, 2]]],
    ['a skipped range from before, into it', [skipped(-5, 3)], [[4, 9]]],
    ['a skipped range from before, over all', [skipped(-5, 20)], []],
    ['a skipped range that ended before', [skipped(-5, -2)], [[0, 9]]],
    ['a row from before', [ran(-1)], [[0, 9]]],
    ['a row inside a range ends its coverage', [skipped(0, 9), ran(4)], [[5, 9]]],
    ['a range inside a range ends its coverage', [skipped(0, 9), skipped(2, 3)], [[4, 9]]],
    ['a range from before, ended by a row inside', [skipped(-5, 20), ran(4)], [[5, 9]]],
    ['a row marked as inside a range does not end it', [skipped(0, 9), inside(4)], []],
    ['a range from before, not ended by a marked row', [skipped(-5, 20), inside(4)], []],
    ['a range from before, with a marked row before it', [skipped(-5, 20), inside(-2)], []],
    ['a marked row without its range covers itself', [inside(0)], [[1, 9]]],
  ];
  const gapsOf = (gaps: ReturnType<typeof gapsBetween>) =>
    gaps.map(({ fromMs, toMs, count }) => [minuteOf(fromMs), minuteOf(toMs), count]);
  const expected = (gaps: Gap[]) => gaps.map(([from, to]) => [from, to, to - from + 1]);
  const range = { fromMs: at(0), toMs: at(9) };

  test.each(rows)('%s', (_, given, gaps) => {
    expect(gapsOf(gapsBetween(given, scheduleOf(job), range))).toEqual(expected(gaps));
  });

  test.each(rows)('read from the store: %s', async (_, given, gaps) => {
    const others = [manual(0, 1), manual(4, 2), manual(-1, 3), ran(10), ran(-6)];
    const { deps } = storeOf([...given, ...others]);
    expect(gapsOf(await uncoveredRanges(job, range, deps))).toEqual(expected(gaps));
  });

  test('a range between two due times has none', () => {
    expect(gapsBetween([], scheduleOf(job), { fromMs: at(0.1), toMs: at(0.9) })).toEqual([]);
  });

  test('a schedule that has ended has none', () => {
    const ended = aJob({ schedule: { type: 'at', at: new Date(at(-1)).toISOString() } });
    expect(gapsBetween([], scheduleOf(ended), range)).toEqual([]);
  });
});

describe('whether minute 5 is covered, finished, and by which skipped range', () => {
  type Row = [
    what: string,
    rows: Execution[],
    covered: boolean,
    finished: boolean,
    rangeFrom: number | undefined,
  ];
  const NONE = undefined;
  test.each<Row>([
    ['no row', [], false, false, NONE],
    ['its own row, ended', [ran(5)], true, true, NONE],
    ['its own row, not ended', [anExecution({ dueAtMs: at(5) })], true, false, NONE],
    ['a skipped range', [skipped(0, 9)], true, true, 0],
    ['a skipped range that ended before', [skipped(0, 4)], false, false, NONE],
    ['a skipped range that a later row ended', [skipped(0, 9), ran(4)], false, false, NONE],
    ['a skipped range, and its own row', [skipped(0, 9), anExecution({ dueAtMs: at(5) })], true, false, 0],
    ['a skipped range that begins with it', [skipped(5, 9)], true, true, NONE],
    ['a skipped range that begins after it', [skipped(6, 9)], false, false, NONE],
    ['a manual run of that instant', [manual(5, 1)], false, false, NONE],
    ['a manual run after a skipped range began', [skipped(0, 9), manual(4, 1)], true, true, 0],
  ])('%s', async (_, rows, covered, finished, rangeFrom) => {
    const { deps } = storeOf(rows);
    const occurrence = { jobKey: JOB_KEY, execId: execIdOfOccurrence(at(5)), dueAtMs: at(5) };
    expect((await coveringRow(occurrence, deps)) !== undefined).toBe(covered);
    expect(await isFinished(occurrence, deps)).toBe(finished);
    const over = await skippedRangeOver(occurrence, deps);
    expect(over && minuteOf(over.dueAtMs)).toBe(rangeFrom);
  });
});

test('the newest row costs one row to read, and a page only past manual runs', async () => {
  const runs = Array.from({ length: 150 }, (_, index) => manual(4, 1_000 + index));
  const { deps, limits } = storeOf([ran(3), ran(2), ran(6)]);
  expect(await newestRowThrough(JOB_KEY, at(5), deps)).toEqual(ran(3));
  expect(limits).toEqual([1]);
  const behind = storeOf([ran(3), ...runs]);
  expect(await newestRowThrough(JOB_KEY, at(5), behind.deps)).toEqual(ran(3));
  expect(behind.limits).toEqual([1, 100, 100]);
  const isRight = ({ dueAtMs }: Execution) => dueAtMs === at(2);
  expect(await newestRowThrough(JOB_KEY, at(5), deps, isRight)).toEqual(ran(2));
});

test('rows between two instants: both included, manual runs left out, across pages', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => ran(index));
  const { deps } = storeOf([...rows, manual(7, 1)]);
  const found = await rowsBetween(JOB_KEY, at(1), at(220), deps);
  expect(found).toEqual(rows.slice(1, 221));
  expect(await rowsBetween(JOB_KEY, at(7), at(7), deps)).toEqual([ran(7)]);
});

test('no row lies between two instants in the wrong order, and none is read', async () => {
  const { deps, limits } = storeOf([ran(1)]);
  expect(await rowsBetween(JOB_KEY, at(2), at(1), deps)).toEqual([]);
  expect(limits).toEqual([]);
});
