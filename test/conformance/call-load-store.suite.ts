import type { StoreSetup } from './store-setup';

const AT_MS = Date.UTC(2026, 11, 1, 8, 30);
const POOL = 'default';

/** What the rows of how long calls hold executors must do. */
export function describeCallLoadStore(setup: () => StoreSetup): void {
  describe('CallLoadStore', () => {
    it('adds up in a window of 10 s, and keeps the one before', async () => {
      const { freshUser, callLoads } = setup();
      const of = { userId: freshUser(), pool: POOL };
      const nothing = { calls: 0, heldMs: 0 };
      expect(await callLoads.recent(of)).toEqual({ latest: nothing, before: nothing, windowAtMs: 0 });
      await callLoads.add(of, { calls: 2, heldMs: 500 }, AT_MS);
      await Promise.all([
        callLoads.add(of, { calls: 1, heldMs: 10_500 }, AT_MS + 9_999),
        callLoads.add(of, { calls: 0, heldMs: -9_000 }, AT_MS + 5_000),
      ]);
      const first = { calls: 3, heldMs: 2_000 };
      expect(await callLoads.recent(of)).toEqual({ latest: first, before: nothing, windowAtMs: AT_MS });
      const second = { calls: 1, heldMs: 100 };
      await callLoads.add(of, second, AT_MS + 10_000);
      const both = { latest: second, before: first, windowAtMs: AT_MS + 10_000 };
      expect(await callLoads.recent(of)).toEqual(both);
      await callLoads.add(of, first, AT_MS); // of a process whose clock is behind
      expect(await callLoads.recent(of)).toEqual(both);
    });

    it('forgets a window that is not followed by another', async () => {
      const { freshUser, callLoads } = setup();
      const of = { userId: freshUser(), pool: POOL };
      await callLoads.add(of, { calls: 1, heldMs: 100_000 }, AT_MS);
      await callLoads.add(of, { calls: 1, heldMs: 5_000 }, AT_MS + 20_000);
      expect((await callLoads.recent(of)).before).toEqual({ calls: 0, heldMs: 0 });
    });

    it('keeps pools and projects apart, and is no job', async () => {
      const { freshUser, callLoads, jobs } = setup();
      const userId = freshUser();
      await callLoads.add({ userId, pool: POOL }, { calls: 1, heldMs: 7_000 }, AT_MS);
      expect((await callLoads.recent({ userId, pool: 'heavy' })).latest.calls).toBe(0);
      expect((await callLoads.recent({ userId: freshUser(), pool: POOL })).latest.calls).toBe(0);
      expect((await jobs.list(userId, { limit: 10 })).jobs).toEqual([]);
    });
  });
}
