import type { StoreSetup } from './store-setup';

const AT_MS = Date.UTC(2026, 11, 1, 8, 30);
const POOL = 'default';

/** What the rows of how long calls hold executors must do. */
export function describeCallLoadStore(setup: () => StoreSetup): void {
  describe('CallLoadStore', () => {
    it('adds up in a window of 10 s, and keeps the one before', async () => {
      const { freshUser, callLoads } = setup();
      const of = { userId: freshUser(), pool: POOL };
      expect(await callLoads.recent(of)).toEqual({ heldMs: 0, heldBeforeMs: 0, windowAtMs: 0 });
      await callLoads.add(of, 500, AT_MS);
      await Promise.all([callLoads.add(of, 10_500, AT_MS + 9_999), callLoads.add(of, -9_000, AT_MS + 5_000)]);
      const first = { heldMs: 2_000, heldBeforeMs: 0, windowAtMs: AT_MS };
      expect(await callLoads.recent(of)).toEqual(first);
      await callLoads.add(of, 100, AT_MS + 10_000);
      const second = { heldMs: 100, heldBeforeMs: 2_000, windowAtMs: AT_MS + 10_000 };
      expect(await callLoads.recent(of)).toEqual(second);
      await callLoads.add(of, 70, AT_MS); // of a process whose clock is behind
      expect(await callLoads.recent(of)).toEqual(second);
    });

    it('forgets a window that is not followed by another', async () => {
      const { freshUser, callLoads } = setup();
      const of = { userId: freshUser(), pool: POOL };
      await callLoads.add(of, 100_000, AT_MS);
      await callLoads.add(of, 5_000, AT_MS + 20_000);
      expect((await callLoads.recent(of)).heldBeforeMs).toBe(0);
    });

    it('keeps pools and projects apart, and is no job', async () => {
      const { freshUser, callLoads, jobs } = setup();
      const userId = freshUser();
      await callLoads.add({ userId, pool: POOL }, 7_000, AT_MS);
      expect((await callLoads.recent({ userId, pool: 'heavy' })).heldMs).toBe(0);
      expect((await callLoads.recent({ userId: freshUser(), pool: POOL })).heldMs).toBe(0);
      expect((await jobs.list(userId, { limit: 10 })).jobs).toEqual([]);
    });
  });
}
