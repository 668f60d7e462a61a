import { Queries, type Watcher } from '../../../console/api/query';
import { shared } from '../../../console/api/shared-parts';

let isHidden: boolean;
const newQueries = () => new Queries(() => isHidden);
beforeEach(() => {
  jest.useFakeTimers();
  isHidden = false;
});
afterEach(() => void jest.useRealTimers());

/** A watcher whose answers a test gives one by one. */
function watcher(fields: Partial<Watcher> = {}) {
  const asked: { answer(data: unknown): void; fail(error: Error): void; signal: AbortSignal }[] = [];
  const redraw = jest.fn();
  const load = (signal: AbortSignal) =>
    new Promise<unknown>((answer, fail) => void asked.push({ answer, fail, signal }));
  return {
    asked,
    redraw,
    watcher: { load, pauseMs: () => 5_000, asks: true, asksOnReturn: () => true, redraw, ...fields },
  };
}
/** Lets promises go on. */
const settle = () => jest.advanceTimersByTimeAsync(0);

test('two watchers share a request; it is asked again after the pause, and not in a hidden window', async () => {
  const query = newQueries().of(['jobs']);
  const one = watcher();
  const other = watcher();
  query.watch(one.watcher);
  query.watch(other.watcher);
  expect([one.asked.length, other.asked.length]).toEqual([1, 0]);
  one.asked[0]!.answer(1);
  await settle();
  expect([query.data, one.redraw.mock.calls.length, other.redraw.mock.calls.length]).toEqual([1, 1, 1]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(other.asked).toHaveLength(1);
  other.asked[0]!.answer(2);
  await settle();
  isHidden = true;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(other.asked).toHaveLength(1);
});

test('the first answer is shown as it comes, and a later one once it is whole', async () => {
  const query = newQueries().of(['day']);
  const parts: ((part: unknown) => void)[] = [];
  const { asked, redraw, watcher: one } = watcher();
  const load = (signal: AbortSignal, soFar: (part: unknown) => void) => {
    parts.push(soFar);
    return one.load(signal, soFar);
  };
  query.watch({ ...one, load });
  parts[0]!([1]);
  expect([query.data, query.isPartial, redraw.mock.calls.length]).toEqual([[1], true, 1]);
  parts[0]!([1, 2]);
  asked[0]!.answer([1, 2, 3]);
  await settle();
  expect([query.data, query.isPartial]).toEqual([[1, 2, 3], false]);
  await jest.advanceTimersByTimeAsync(5_000);
  parts[1]!([1]);
  expect([query.data, query.isPartial]).toEqual([[1, 2, 3], false]);
});

test('a window that is visible again asks for what is old', async () => {
  const queries = newQueries();
  const { asked, watcher: one } = watcher({ pauseMs: () => false });
  queries.of(['jobs']).watch(one);
  asked[0]!.answer(1);
  await settle();
  queries.returned();
  expect(asked).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(3_000);
  queries.returned();
  expect(asked).toHaveLength(2);
});

test('the last watcher gives the request up, and its answer counts for nothing', async () => {
  const query = newQueries().of(['jobs']);
  const { asked, watcher: one } = watcher();
  const leave = query.watch(one);
  leave();
  expect(asked[0]!.signal.aborted).toBe(true);
  asked[0]!.answer(1);
  await settle();
  expect(query.data).toBeUndefined();
  query.watch(one);
  expect(asked).toHaveLength(2);
});

test('a failure leaves the data, and the next answer removes the error', async () => {
  const query = newQueries().of(['jobs']);
  const { asked, watcher: one } = watcher();
  query.watch(one);
  asked[0]!.answer(1);
  await settle();
  await jest.advanceTimersByTimeAsync(5_000);
  asked[1]!.fail(new Error('no answer'));
  await settle();
  expect([query.data, query.error?.message]).toEqual([1, 'no answer']);
  await jest.advanceTimersByTimeAsync(5_000);
  asked[2]!.answer(2);
  await settle();
  expect([query.data, query.error]).toEqual([2, null]);
});

test('after an action, what begins with the key is asked again at once, and the rest when it is shown', async () => {
  const queries = newQueries();
  const [job, jobs, hidden] = [['job', 'a'], ['jobs'], ['job', 'b']].map((key) => queries.of(key));
  const [shown, beside] = [watcher(), watcher()];
  job!.watch(shown.watcher);
  jobs!.watch(beside.watcher);
  for (const { asked } of [shown, beside]) asked[0]!.answer(1);
  await settle();
  const done = queries.invalidate(['job']);
  expect([shown.asked.length, beside.asked.length]).toEqual([2, 1]);
  shown.asked[1]!.answer(2);
  await done;
  expect([job!.isInvalidated, jobs!.isInvalidated, hidden!.isInvalidated]).toEqual([false, false, true]);
});

test('data is forgotten some time after its last watcher has left', async () => {
  const queries = newQueries();
  const { asked, watcher: one } = watcher({ pauseMs: () => false });
  const leave = queries.of(['jobs']).watch(one);
  asked[0]!.answer(1);
  await settle();
  await jest.advanceTimersByTimeAsync(600_000);
  expect(queries.dataOf(['jobs'])).toEqual([1]);
  leave();
  await jest.advanceTimersByTimeAsync(300_000);
  expect(queries.dataOf(['jobs'])).toEqual([]);
});

test('equal parts of a newer answer stay the same objects', () => {
  const older = { items: [{ id: 1, tags: ['a'] }, { id: 2 }], at: 1 };
  const newer = shared(older, { items: [{ id: 1, tags: ['a'] }, { id: 3 }], at: 1 }) as typeof older;
  expect(newer.items[0]).toBe(older.items[0]);
  expect(newer.items[1]).toEqual({ id: 3 });
  expect(shared(older, JSON.parse(JSON.stringify(older)))).toBe(older);
  expect(shared(older, { items: older.items })).toEqual({ items: older.items });
});
