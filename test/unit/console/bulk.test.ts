import { bulkOfFilter, bulkOfItems, countOf } from '../../../console/api/bulk';

describe('a bulk action', () => {
  const never = new AbortController().signal;

  test('does each item once, at most 8 at a time, and lists what was refused', async () => {
    let atOnce = 0;
    let most = 0;
    const act = async (item: number): Promise<void> => {
      most = Math.max(most, ++atOnce);
      await Promise.resolve();
      atOnce--;
      if (item % 10 === 0) throw new Error(`no ${item}`);
    };
    const items = Array.from({ length: 40 }, (_, index) => index);
    const bulk = bulkOfItems({ title: 'Do', items, nameOf: String, act });
    const { done, refused, isOver } = await bulk.run({ signal: never, onState: () => {} });
    expect([done, refused.map(({ name }) => name), isOver]).toEqual([36, ['0', '10', '20', '30'], true]);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('begins nothing more once it is stopped', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    const act = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 3) stop.abort();
    };
    const bulk = bulkOfItems({ title: 'Do', items: [...Array(100).keys()], nameOf: String, act });
    await bulk.run({ signal: stop.signal, onState: () => {} });
    expect(begun.length).toBeLessThan(20);
  });

  test('that is stopped waits for what is under way, so that it counts what was done', async () => {
    const stop = new AbortController();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const states: [done: number, isStopping: boolean, isOver: boolean][] = [];
    const ofFilter = bulkOfFilter({ title: 'Retry', total: 13, request }, async () => {
      stop.abort();
      await answered;
      return page(12, 'more');
    });
    const ended = ofFilter.run({
      signal: stop.signal,
      onState: ({ done, isStopping, isOver }) => states.push([done, isStopping, isOver]),
    });
    expect(states).toEqual([[0, true, false]]);
    answer();
    expect((await ended).done).toBe(12);
    expect(states.at(-1)).toEqual([12, true, true]);
  });

  const page = (done: number, nextCursor: string | null, more: object = {}) =>
    ({ matched: done, done, unchanged: 0, failed: [], nextCursor, ...more }) as Awaited<
      ReturnType<NonNullable<Parameters<typeof countOf>[1]>>
    >;
  const request = { action: 'pause' as const, filter: { tag: ['team:data'] } };

  test('over a filter goes on page by page under one key, and lists what the API refused', async () => {
    const sent: [string | undefined, string][] = [];
    const failed = [{ jobId: 'x', problem: { detail: 'it has changed' } }];
    const pages = [page(100, 'c1'), page(99, 'c2', { failed }), page(50, null)];
    const bulk = bulkOfFilter({ title: 'Pause', total: 250, request }, async ({ cursor }, key) => {
      sent.push([cursor, key]);
      return pages[sent.length - 1]!;
    });
    const { done, refused, isOver } = await bulk.run({ signal: never, onState: () => {} });
    expect([done, refused.map(({ name }) => name), isOver]).toEqual([249, ['x'], true]);
    expect(sent.map(([cursor]) => cursor)).toEqual([undefined, 'c1', 'c2']);
    expect(new Set(sent.map(([, key]) => key)).size).toBe(1);
  });

  test('over a filter asks for no further page once it is stopped, and says why it ended early', async () => {
    const stop = new AbortController();
    let asked = 0;
    const stopped = bulkOfFilter({ title: 'Pause', total: 500, request }, async () => {
      if (++asked === 2) stop.abort();
      return page(100, `c${asked}`);
    });
    expect((await stopped.run({ signal: stop.signal, onState: () => {} })).done).toBe(200);
    const failing = bulkOfFilter({ title: 'Pause', total: 500, request }, () =>
      Promise.reject(new Error('429')),
    );
    expect(await failing.run({ signal: never, onState: () => {} })).toMatchObject({
      isOver: true,
      error: expect.objectContaining({ message: '429' }) as Error,
    });
  });

  test('is kept with its place before each page, and no more once it is over', async () => {
    const kept: (string | undefined)[] = [];
    const pages = [page(100, 'c1'), page(10, null)];
    const ofFilter = bulkOfFilter(
      { title: 'Pause', total: 110, request },
      async () => pages.shift()!,
      (_key, one) => kept.push(one && `${one.from.cursor} ${one.from.done}`),
    );
    await ofFilter.run({ signal: never, onState: () => {} });
    expect(kept).toEqual(['undefined 0', 'c1 100', undefined]);
  });

  test('goes on from its place under its key, and is kept after an error', async () => {
    const sent: [cursor: string | undefined, key: string][] = [];
    const kept: unknown[] = [];
    const from = { key: 'k', cursor: 'c1', done: 100 };
    const ofFilter = bulkOfFilter(
      { title: 'Pause', total: 210, request, from },
      async ({ cursor }, key) => {
        sent.push([cursor, key]);
        if (cursor === 'c2') throw new Error('no answer');
        return page(100, 'c2');
      },
      (_key, one) => kept.push(one?.from.cursor),
    );
    const { done } = await ofFilter.run({ signal: never, onState: () => {} });
    expect([done, sent, kept]).toEqual([
      200,
      [
        ['c1', 'k'],
        ['c2', 'k'],
      ],
      ['c1', 'c2'],
    ]);
  });

  test('with a pace takes small pages, and stops in the pause between them', async () => {
    const stop = new AbortController();
    const limits: (number | undefined)[] = [];
    const slow = bulkOfFilter(
      { title: 'Retry', total: 9, request, pace: { items: 2, everyMs: 600_000 } },
      async ({ limit }) => {
        limits.push(limit);
        return page(2, 'more');
      },
    );
    const running = slow.run({
      signal: stop.signal,
      onState: ({ done }) => done === 2 && queueMicrotask(() => stop.abort()),
    });
    expect((await running).done).toBe(2);
    expect(limits).toEqual([2]);
  });

  test('counts over all pages of a dry run', async () => {
    const dry: unknown[] = [];
    const counted = await countOf(request, async (asked) => {
      dry.push(asked.dryRun);
      return page(100, dry.length < 3 ? 'more' : null);
    });
    expect([counted, dry]).toEqual([300, [true, true, true]]);
  });
});
