import { groupCommit } from '../../../../lambdas/core/async/group-commit';

interface Write {
  items: readonly string[];
  answer: () => void;
  fail: (error: Error) => void;
}

/** A group commit whose writes are answered by the test. An item is `name` or `name=value`. */
function grouped(most = 3) {
  const writes: Write[] = [];
  const nameOf = (item: string): string => item.split('=')[0]!;
  const commit = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const answer = () => resolve(items.map((item) => `${item} in ${writes.length}`));
      writes.push({ items, answer, fail: reject });
    });
  const clash = (one: string, other: string) => nameOf(one) === nameOf(other);
  const put = groupCommit({ commit, clash, most });
  const written = () => writes.map(({ items }) => items);
  const answered = async (at: number) => {
    writes[at]!.answer();
    await settled();
  };
  return { put, writes, written, answered };
}

const settled = async (): Promise<void> => {
  for (let tick = 0; tick < 10; tick++) await Promise.resolve();
};

test('an item that comes alone waits for nothing', async () => {
  const { put, written, answered } = grouped();
  const first = put('run', 'a');
  expect(written()).toEqual([['a']]);
  await answered(0);
  expect(await first).toBe('a in 1');
  void put('run', 'b');
  expect(written()).toEqual([['a'], ['b']]);
});

test('items that come during a write go together as the next one, in their order', async () => {
  const { put, written, answered } = grouped();
  const all = Promise.all(['a', 'b', 'c', 'd'].map((item) => put('run', item)));
  expect(written()).toEqual([['a']]);
  await answered(0);
  expect(written()).toEqual([['a'], ['b', 'c', 'd']]);
  await answered(1);
  expect(await all).toEqual(['a in 1', 'b in 2', 'c in 2', 'd in 2']);
});

test('items of different keys do not wait for each other', () => {
  const { put, written } = grouped();
  void put('run', 'a');
  void put('other', 'b');
  expect(written()).toEqual([['a'], ['b']]);
});

test('items that clash, and those beyond the most, wait for a further write', async () => {
  const { put, written, answered } = grouped(2);
  for (const item of ['a', 'b=1', 'b=2', 'c', 'd']) void put('run', item);
  await answered(0);
  expect(written().at(-1)).toEqual(['b=1', 'c']);
  await answered(1);
  expect(written().at(-1)).toEqual(['b=2', 'd']);
});

test('a write without an answer fails its own items, and the next one goes', async () => {
  const { put, writes, written, answered } = grouped();
  const first = put('run', 'a');
  const failing = Promise.allSettled([put('run', 'b'), put('run', 'c')]);
  await answered(0);
  const last = put('run', 'd');
  writes[1]!.fail(new Error('no answer'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await settled();
  expect(written()).toEqual([['a'], ['b', 'c'], ['d']]);
  await answered(2);
  expect([await first, await last]).toEqual(['a in 1', 'd in 3']);
});
