import type { FanOutHead, ItemMarks } from '../../lambdas/core/domain/workflow/fan-out';
import type { StoreSetup } from './store-setup';

const EXPIRES_SEC = 1_800_000_000;
const NOW_MS = 1_796_113_800_000;
const HEAD: FanOutHead = { count: 60, next: 2, laidOutAtMs: NOW_MS, movedAtMs: NOW_MS, sums: {} };
const AT = { nowMs: NOW_MS + 1_000, expiresAtSec: EXPIRES_SEC };

/** What the store of fan-outs must do. */
export function describeFanOutStore(setup: () => StoreSetup): void {
  describe('FanOutStore', () => {
    const fresh = () => ({ jobKey: setup().freshJobKey(), execId: '20261201T083000.000Z/load' });
    const laidOut = async (head: Partial<FanOutHead> = {}) => {
      const fanOut = fresh();
      await setup().fanOuts.putHead(fanOut, { ...HEAD, ...head }, EXPIRES_SEC);
      return fanOut;
    };

    test('the items of a segment come back as they were, and may be written again', async () => {
      const { fanOuts, another } = setup();
      const fanOut = fresh();
      expect(await another().fanOuts.getItems(fanOut, 0)).toBeUndefined();
      const items = { count: 60, items: [1, 'a', null, [], { __proto__: 1, constructor: { x: 1e300 } }] };
      await fanOuts.putItems(fanOut, 1, items, EXPIRES_SEC);
      await fanOuts.putItems(fanOut, 1, items, EXPIRES_SEC);
      expect(await another().fanOuts.getItems(fanOut, 1)).toEqual(items);
      expect(await another().fanOuts.getItems(fanOut, 0)).toBeUndefined();
    });

    test('the first head counts', async () => {
      const { fanOuts } = setup();
      const fanOut = fresh();
      expect(await fanOuts.getHead(fanOut)).toBeUndefined();
      const head = { ...HEAD, sums: { 0: '48.1.1', 12: '50.0.0' } };
      expect(await fanOuts.putHead(fanOut, head, EXPIRES_SEC)).toEqual({ isNew: true, head });
      const other = await fanOuts.putHead(fanOut, { ...HEAD, count: 1 }, EXPIRES_SEC);
      expect(other).toEqual({ isNew: false, head });
      expect(await fanOuts.getHead(fanOut)).toEqual(head);
    });

    test('the first mark of an item counts, and each call learns what was there before', async () => {
      const { fanOuts } = setup();
      const fanOut = fresh();
      expect(await fanOuts.markItems(fanOut, 1, { 3: 's1', 4: 'f1' }, EXPIRES_SEC)).toEqual({
        before: {},
        after: { 3: 's1', 4: 'f1' },
      });
      expect(await fanOuts.markItems(fanOut, 1, { 4: 's2', 49: 's2' }, EXPIRES_SEC)).toEqual({
        before: { 3: 's1', 4: 'f1' },
        after: { 3: 's1', 4: 'f1', 49: 's2' },
      });
      const again = await fanOuts.markItems(fanOut, 1, { 3: 's1' }, EXPIRES_SEC);
      expect(again.before).toEqual(again.after);
      expect(await fanOuts.getMarks(fanOut, [0, 1])).toEqual(new Map([[1, { 3: 's1', 4: 'f1', 49: 's2' }]]));
      expect(await fanOuts.getMarks(fanOut, [])).toEqual(new Map());
    });

    test('marks of one process that fall together are two writes, and one of them fills the segment', async () => {
      const { fanOuts, client, another } = setup();
      const fanOut = fresh();
      await another().fanOuts.markItems(fanOut, 0, { 7: 'f1' }, EXPIRES_SEC);
      const before = client.requests;
      const positions = Array.from({ length: 10 }, (_, at) => at).filter((at) => at !== 7);
      const all = await Promise.all(
        positions.map((at) => fanOuts.markItems(fanOut, 0, { [at]: 's1' }, EXPIRES_SEC)),
      );
      expect(client.requests - before).toBe(2);
      const sizes = all.map(({ after }) => Object.keys(after).length);
      expect(sizes).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
      for (const [at, one] of all.entries()) expect(one.before[positions[at]!]).toBeUndefined();
    });

    test('a mark that another process was first to make does not hold up those beside it', async () => {
      const { fanOuts, another } = setup();
      const fanOut = fresh();
      await another().fanOuts.markItems(fanOut, 0, { 2: 'f1' }, EXPIRES_SEC);
      const marks: ItemMarks[] = [{ 0: 's1' }, { 1: 's1' }, { 2: 's1' }, { 1: 'f9' }, { 3: 's1' }];
      const all = await Promise.all(marks.map((one) => fanOuts.markItems(fanOut, 0, one, EXPIRES_SEC)));
      const isOwn = all.map(({ before }, at) => before[Number(Object.keys(marks[at]!)[0])] === undefined);
      expect(isOwn).toEqual([true, true, false, false, true]);
      expect((await fanOuts.getMarks(fanOut, [0])).get(0)).toEqual({ 0: 's1', 1: 's1', 2: 'f1', 3: 's1' });
    });

    test('the first sum of a segment counts, and a head that is gone gets none', async () => {
      const { fanOuts } = setup();
      const fanOut = await laidOut();
      expect(await fanOuts.addSum(fanOut, 1, '9.1.0')).toMatchObject({ sums: { 1: '9.1.0' } });
      expect(await fanOuts.addSum(fanOut, 1, '10.0.0')).toMatchObject({ sums: { 1: '9.1.0' } });
      expect(await fanOuts.addSum(fanOut, 0, '50.0.0')).toMatchObject({
        sums: { 0: '50.0.0', 1: '9.1.0' },
      });
      expect(await fanOuts.addSum(fresh(), 0, '50.0.0')).toBeUndefined();
    });

    test('each item is taken once, until there are no more', async () => {
      const { fanOuts } = setup();
      const fanOut = await laidOut({ next: 57 });
      const take = (more: object = {}) =>
        fanOuts.dispense(fanOut, { items: 1, ofCount: 60, nowMs: NOW_MS + 5, ...more });
      expect((await Promise.all([take(), take()])).toSorted()).toEqual([57, 58]);
      expect(await take({ seenNext: 57 })).toBeUndefined();
      expect(await take({ seenNext: 59 })).toBe(59);
      expect(await take()).toBeUndefined();
      expect(await fanOuts.getHead(fanOut)).toMatchObject({ next: 60, movedAtMs: NOW_MS + 5 });
      expect(await fanOuts.dispense(fresh(), { items: 1, ofCount: 60, nowMs: NOW_MS })).toBeUndefined();
    });

    test('no item is taken once it is stopped, also before it was laid out; the first reason counts', async () => {
      const { fanOuts } = setup();
      const fanOut = await laidOut();
      expect(await fanOuts.stop(fanOut, 'stopped', AT)).toMatchObject({ count: 60, stopped: 'stopped' });
      expect(await fanOuts.stop(fanOut, 'deleted', AT)).toMatchObject({ stopped: 'stopped' });
      expect(await fanOuts.dispense(fanOut, { items: 1, ofCount: 60, nowMs: NOW_MS })).toBeUndefined();
      const other = fresh();
      expect(await fanOuts.stop(other, 'stopped', AT)).toMatchObject({ count: 0, stopped: 'stopped' });
      const late = await fanOuts.putHead(other, HEAD, EXPIRES_SEC);
      expect(late).toMatchObject({ isNew: false, head: { count: 0, stopped: 'stopped' } });
    });
  });
}
