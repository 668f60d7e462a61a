import { waitingSortOf } from '../../lambdas/core/contracts/tables';
import type { Waiting } from '../../lambdas/core/store/waiting-store';
import type { StoreSetup } from './store-setup';

const NOW_MS = 1_796_113_800_000;

/** What the list of what waits for users must do. */
export function describeWaitingStore(setup: () => StoreSetup): void {
  describe('WaitingStore', () => {
    const approval = (jobKey: string, task = 'release'): Waiting => ({
      kind: 'approval',
      jobKey,
      execId: `20261201T083000.000Z/${task}`,
      sinceMs: NOW_MS,
      untilMs: NOW_MS + 60_000,
      note: 'ship it?',
      toTell: true,
      expiresAtSec: 1_800_000_000,
    });
    const held = (jobKey: string): Waiting => ({
      kind: 'held',
      jobKey,
      execId: '20261201T083000.000Z',
      sinceMs: NOW_MS,
      expiresAtSec: 1_800_000_000,
    });

    test('what waits comes back as it was, and is replaced by what is written later', async () => {
      const { waiting, freshJobKey } = setup();
      const row = approval(freshJobKey());
      expect(await waiting.get(row)).toBeUndefined();
      await waiting.put(row);
      expect(await waiting.get(row)).toEqual(row);
      const { toTell: _, ...later } = row;
      await waiting.put(later);
      expect(await waiting.get(row)).toEqual(later);
    });

    test('a row that is removed is gone, and may be removed again', async () => {
      const { waiting, freshJobKey } = setup();
      const row = held(freshJobKey());
      await waiting.put(row);
      await waiting.remove(row);
      await waiting.remove(row);
      expect(await waiting.get(row)).toBeUndefined();
    });

    test('the list of a project has its own rows alone, page by page, by job and execution', async () => {
      const { waiting, freshUser } = setup();
      const [project, other] = [freshUser(), freshUser()];
      const rows = [
        held(`${project}/a`),
        approval(`${project}/a`),
        approval(`${project}/a`, 'ship'),
        held(`${project}/b`),
      ];
      for (const row of [...rows.toReversed(), held(`${other}/a`)]) await waiting.put(row);
      const listed: Waiting[] = [];
      const sizes: number[] = [];
      for (let after: string | undefined; ;) {
        const page = await waiting.list(project, { limit: 3, ...(after !== undefined && { after }) });
        listed.push(...page.rows);
        sizes.push(page.rows.length);
        after = page.nextAfter;
        if (after === undefined) break;
      }
      expect(listed).toEqual(rows);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
      const { rows: rest } = await waiting.list(project, { limit: 3, after: waitingSortOf(rows[2]!) });
      expect(rest).toEqual([rows[3]]);
    });
  });
}
