import type { Execution, JobSummary } from '../../../client/browser';
import { type ListedPage, readOn } from '../../../console/api/read-on';
import { groupsOf, overTime, retryOrder, withCounts } from '../../../console/pages/failures/groups';
import { pressed, sorted, sortingOf, sortText } from '../../../console/pages/executions/sorting';
import { workersOf } from '../../../console/pages/queues/workers';
import { causeOf } from '../../../console/parts/cause';
import {
  busiest,
  cutJobs,
  figuresOf,
  hoursOf,
  quartersOf,
  rowsSince,
} from '../../../console/pages/today/figures';

const execution = (jobId: string, dueAt: string, more: object = {}) =>
  ({
    jobId,
    execId: dueAt,
    dueAt,
    finishedAt: dueAt,
    status: 'failed',
    reason: 'attempts-exhausted',
    attempts: [{ attempt: 1, statusCode: 503, error: 'target answered 503' }],
    skipped: null,
    ...more,
  }) as unknown as Execution;

describe('groups of failures', () => {
  const heads = (items: Execution[]) => groupsOf(items, ({ jobId }) => jobId);

  test('hold what has the same cause, whatever ids and numbers its text has', () => {
    const timeout = (id: string) => ({
      attempts: [{ attempt: 1, statusCode: null, error: `no answer of ${id}` }],
    });
    const items = [
      execution('a', '2026-11-22T08:00:00Z', timeout('8f1c0c2e99')),
      execution('b', '2026-11-22T08:01:00Z', timeout('11aa22bb33')),
      execution('c', '2026-11-22T08:02:00Z'),
    ];
    expect(heads(items).map(({ count, jobs }) => [count, jobs])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    expect(causeOf(items[0]!)).toBe(causeOf(items[1]!));
  });

  test('failures come first, and a skipped range counts all of its occurrences', () => {
    const skipped = { status: 'skipped', reason: 'paused', attempts: [], skipped: { count: 8 } };
    const groups = heads([
      execution('a', '2026-11-22T08:00:00Z', skipped),
      execution('b', '2026-11-22T08:00:00Z'),
    ]);
    expect(groups.map(({ status, count }) => [status, count])).toEqual([
      ['failed', 1],
      ['skipped', 8],
    ]);
  });

  test('take the counts of the API, and causes that only the API has', () => {
    const known = execution('a', '2026-11-22T08:00:00Z', {
      fingerprint: 'failed/status/503',
      finishedAt: '2026-11-22T08:00:07Z',
    });
    const counted = (fingerprint: string, count: number, more: object = {}) => ({
      fingerprint,
      status: 'failed' as const,
      reason: 'attempts-exhausted',
      errorClass: 'status' as const,
      statusCode: 503,
      host: null,
      task: null,
      excerpt: null,
      count,
      countIs: 'exact' as const,
      jobs: 2,
      blocksKey: false,
      firstDueAt: '2026-11-21T08:00:00Z',
      lastDueAt: '2026-11-21T09:00:00Z',
      firstEndedAt: '2026-11-22T08:00:07Z',
      lastEndedAt: '2026-11-22T08:30:00Z',
      latest: { jobId: 'a', execId: 'x' },
      first: { jobId: 'a', execId: 'w' },
      ack: null,
      ...more,
    });
    const groups = withCounts(heads([known]), [
      counted('failed/status/503', 7),
      counted('failed/status/500', 1_200, { statusCode: 500, countIs: 'at-least', excerpt: 'disk full' }),
    ]);
    expect(groups.map(({ head, count, isAtLeast, items }) => [head, count, isAtLeast, items.length])).toEqual(
      [
        ['target answered 500', 1_200, true, 0],
        ['a', 7, false, 1],
      ],
    );
    expect(groups[0]?.excerpt).toBe('disk full');
    // As on Today, which does not ask for counts: since the first one ended, not since it was due.
    const [, { firstMs, lastMs } = { firstMs: 0, lastMs: 0 }] = groups;
    expect([firstMs, lastMs].map((ms) => new Date(ms).toISOString())).toEqual([
      '2026-11-22T08:00:07.000Z',
      '2026-11-22T08:30:00.000Z',
    ]);
  });

  test('are retried from the oldest on, one ordering key after the other', () => {
    const items = [
      execution('new', '2026-11-22T08:03:00Z'),
      execution('key-2', '2026-11-22T08:02:00Z', { orderingKey: 'k' }),
      execution('old', '2026-11-22T08:01:00Z'),
      execution('key-1', '2026-11-22T08:00:00Z', { orderingKey: 'k' }),
    ];
    expect(retryOrder(items).map(({ jobId }) => jobId)).toEqual(['key-1', 'key-2', 'old', 'new']);
  });

  test('bars over time count each once, also outside of the span', () => {
    const items = ['2026-11-22T07:00:00Z', '2026-11-22T08:30:00Z', '2026-11-22T10:00:00Z'].map((at) =>
      execution('a', at),
    );
    const [from, to] = [Date.parse('2026-11-22T08:00:00Z'), Date.parse('2026-11-22T09:00:00Z')];
    expect(overTime(items, from, to, 4)).toEqual([1, 0, 1, 1]);
  });
});

describe('the numbers of a day', () => {
  const fromMs = Date.parse('2026-11-22T00:00:00Z');
  const row = (minute: number, status: string, latenessMs: number | null = 10) => ({
    execId: String(minute),
    status,
    latenessMs,
    dueAt: new Date(fromMs + minute * 60_000).toISOString(),
  });
  const jobs = [
    { jobId: 'a', history: [row(600, 'succeeded', 2_000), row(30, 'failed'), row(-5, 'succeeded')] },
    { jobId: 'b', history: Array.from({ length: 20 }, (_, index) => row(700 - index, 'skipped', null)) },
  ] as unknown as JobSummary[];

  test('count what was due since midnight', () => {
    expect(figuresOf(rowsSince(jobs, fromMs))).toEqual({
      succeeded: 1,
      failed: 1,
      skipped: 20,
      running: 0,
      late: 1,
      worstMs: 2_000,
      p50Ms: 10,
      p99Ms: 2_000,
    });
    expect(figuresOf([])).toMatchObject({ worstMs: 0, p50Ms: undefined });
  });

  test('say for how many jobs 20 executions were not enough', () => {
    expect(cutJobs(jobs, fromMs)).toBe(1);
    expect(cutJobs(jobs, fromMs + 690 * 60_000)).toBe(0);
  });

  test('quarters hold what happened before now, and what is planned after it', () => {
    const counts = Array.from({ length: 1_440 }, () => 1);
    const span = { fromMs, toMs: fromMs + 86_400_000, nowMs: fromMs + 12 * 3_600_000 };
    const quarters = quartersOf(rowsSince(jobs, fromMs), counts, span);
    expect(quarters).toHaveLength(96);
    expect(quarters[2]).toMatchObject({ failed: 1, planned: 0 });
    expect(quarters[60]).toMatchObject({ succeeded: 0, planned: 15 });
    expect(quarters.reduce((sum, { planned }) => sum + planned, 0)).toBe(719);
  });

  test('hours hold what the API has counted, and what is planned', () => {
    const counts = Array.from({ length: 1_440 }, () => 1);
    const span = { fromMs, toMs: fromMs + 86_400_000, nowMs: fromMs + 12 * 3_600_000 };
    const bucket = (hour: number, ended: object) => ({
      from: new Date(fromMs + hour * 3_600_000).toISOString(),
      counts: { succeeded: 0, failed: 0, cancelled: 0, skipped: 0, ...ended },
    });
    const buckets = [bucket(2, { failed: 3, cancelled: 9 }), bucket(12, { succeeded: 5 }), bucket(30, {})];
    const hours = hoursOf(buckets as never, counts, span);
    expect(hours).toHaveLength(24);
    expect(hours[2]).toMatchObject({ failed: 3, succeeded: 0, planned: 0 });
    expect(hours[12]).toMatchObject({ succeeded: 5, planned: 59 });
    expect(hours.reduce((sum, { planned }) => sum + planned, 0)).toBe(719);
  });

  test('the busiest minutes are those with the most, the earlier first', () => {
    expect(busiest([0, 3, 9, 3], 3)).toEqual([
      { minute: 2, count: 9 },
      { minute: 1, count: 3 },
      { minute: 3, count: 3 },
    ]);
  });
});

describe('a list that is read page by page', () => {
  /** Pages of ten of the rows; a cursor is the row before. */
  function listOf(rows: readonly number[]) {
    const asked: (string | undefined)[] = [];
    const read = (from: string | undefined) => {
      asked.push(from);
      const behind = rows.filter((row) => from === undefined || row > Number(from));
      const items = behind.slice(0, 10);
      return Promise.resolve({ items, nextCursor: behind.length > 10 ? String(items.at(-1)) : null });
    };
    return { asked, read };
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  const rowsOf = (pages: readonly ListedPage<number>[]) => pages.flatMap(({ items }) => items);

  test('is read until enough rows are there, and then on from its end', async () => {
    const { asked, read } = listOf(upTo(95));
    const again = { from: 0, to: 0 };
    const first = await readOn([], { most: 20, again, read });
    const second = await readOn(first, { most: 40, again, read });
    expect([first, second].map((pages) => rowsOf(pages).length)).toEqual([20, 40]);
    expect(asked).toEqual([undefined, '9', '19', '29']);
    expect(rowsOf(await readOn(second, { most: 1_000, again, read }))).toEqual(upTo(95));
  });

  test('is read again where it is in view, if nothing came or went there', async () => {
    const { asked, read } = listOf(upTo(95));
    const known = await readOn([], { most: 95, again: { from: 0, to: 0 }, read });
    asked.length = 0;
    expect(rowsOf(await readOn(known, { most: 95, again: { from: 25, to: 41 }, read }))).toEqual(upTo(95));
    expect(asked).toEqual(['19', '29', '39']);
  });

  test('has every row once its pages have shifted', async () => {
    const again = { from: 15, to: 16 };
    for (const rows of [upTo(95).filter((row) => row !== 12), [...upTo(12), 11.5, ...upTo(95).slice(12)]]) {
      const known = await readOn([], { most: 95, again, read: listOf(upTo(95)).read });
      const pages = await readOn(known, { most: 95, again, read: listOf(rows).read });
      expect([...new Set(rowsOf(pages))]).toEqual(rows);
    }
  });
});

describe('the order of executions', () => {
  const started = { startedAt: '2026-11-22T08:00:00Z' };
  const rows = [
    execution('b', '2026-11-22T08:01:00Z', { ...started, finishedAt: '2026-11-22T08:00:09Z' }),
    execution('a', '2026-11-22T08:02:00Z', { ...started, finishedAt: null }),
    execution('c', '2026-11-22T08:00:00Z', { ...started, finishedAt: '2026-11-22T08:00:02Z' }),
  ];
  const by = (text: string) => sorted(rows, sortingOf(new URLSearchParams({ sort: text })));
  const idsBy = (text: string) => by(text).map(({ jobId }) => jobId);

  test('is that of the address, and what has no value comes last', () => {
    expect([idsBy(''), idsBy('due'), idsBy('-job')]).toEqual([
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['c', 'b', 'a'],
    ]);
    expect([idsBy('took'), idsBy('-took'), idsBy('toString')]).toEqual([
      ['c', 'b', 'a'],
      ['b', 'c', 'a'],
      ['a', 'b', 'c'],
    ]);
  });

  test('turns with a second press, and the usual one leaves the address', () => {
    const usual = sortingOf(new URLSearchParams());
    const longest = pressed(usual, 'took');
    expect([sortText(usual), sortText(longest), sortText(pressed(longest, 'took'))]).toEqual([
      '',
      '-took',
      'took',
    ]);
    expect(sortText(pressed(usual, 'job'))).toBe('job');
  });
});

test('workers are those that ask and those that have work, and the busiest come first', () => {
  const lastSeenAt = '2026-11-22T08:00:00Z';
  const before = '2026-11-22T07:50:00Z';
  const asked = [
    { queue: 'a', workers: [{ worker: 'host-1', lastSeenAt }] },
    { queue: 'b', workers: ['host-1', 'host-2'].map((worker) => ({ worker, lastSeenAt: before })) },
    { queue: 'c' },
  ];
  const runs = ['host-2', 'host-3', 'host-3', undefined].map((worker) =>
    execution('load', lastSeenAt, { detail: { queue: 'c', ...(worker && { worker }) } }),
  );
  const all = workersOf(asked, runs);
  expect(all.map((one) => [one.worker, one.lastSeenAt, [...one.queues], one.runs.length])).toEqual([
    ['host-3', undefined, ['c'], 2],
    ['host-2', before, ['b', 'c'], 1],
    ['host-1', lastSeenAt, ['a', 'b'], 0],
  ]);
  expect(workersOf([], [])).toEqual([]);
});
