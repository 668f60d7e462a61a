import type { AwaitingTask } from '../../lambdas/core/store/await-store';
import type { StoreSetup } from './store-setup';

const NOW_MS = 1_796_113_800_000;
const HOUR_MS = 3_600_000;

/** What the list of the tasks that wait for a job must do. */
export function describeAwaitStore(setup: () => StoreSetup): void {
  describe('AwaitStore', () => {
    const task = (jobKey: string, id: string, toMs: number): AwaitingTask => ({
      jobKey,
      execId: `20261201T083000.000Z/${id}`,
      fromMs: toMs - HOUR_MS,
      toMs,
      expiresAtSec: 1_800_000_000,
    });

    test('a task that waits comes back as it was, for this window alone', async () => {
      const { awaits, freshJobKey } = setup();
      const [awaited, jobKey] = [freshJobKey(), freshJobKey()];
      const row = task(jobKey, 'ingested', NOW_MS);
      expect(await awaits.has(awaited, row)).toBe(false);
      await awaits.put(awaited, row);
      await awaits.put(awaited, row);
      expect(await awaits.has(awaited, row)).toBe(true);
      expect(await awaits.has(awaited, { ...row, fromMs: row.fromMs - 1 })).toBe(false);
      expect(await awaits.has(awaited, { ...row, toMs: row.toMs + 1 })).toBe(false);
      expect(await awaits.has(jobKey, row)).toBe(false);
      expect(await awaits.list(awaited, NOW_MS - 1)).toEqual([row]);
    });

    test('the list of a job has its own rows alone, whose windows end later, by their ends', async () => {
      const { awaits, freshJobKey } = setup();
      const [awaited, other, jobKey] = [freshJobKey(), freshJobKey(), freshJobKey()];
      const rows = [
        task(jobKey, 'a', NOW_MS),
        task(jobKey, 'b', NOW_MS + 1),
        task(jobKey, 'a', NOW_MS + HOUR_MS),
        task(jobKey, 'c', NOW_MS + HOUR_MS),
      ];
      for (const row of rows.toReversed()) await awaits.put(awaited, row);
      await awaits.put(other, task(jobKey, 'a', NOW_MS + HOUR_MS));
      expect(await awaits.list(awaited, NOW_MS)).toEqual(rows.slice(1));
      expect(await awaits.list(awaited, NOW_MS - 1)).toEqual(rows);
      expect(await awaits.list(awaited, NOW_MS + HOUR_MS)).toEqual([]);
    });
  });
}
