import { changeSortOf } from '../../lambdas/core/contracts/tables';
import type { KeptState } from '../../lambdas/core/domain/job-state';
import type { StoreSetup } from './store-setup';

const CREATED_AT_MS = 1_796_113_800_000;

/** What the store of the states that jobs had must do. */
export function describeChangeStore(setup: () => StoreSetup): void {
  describe('ChangeStore', () => {
    const stateAt = (number: number, createdAtMs = CREATED_AT_MS): KeptState => ({
      createdAtMs,
      number,
      etag: `etag-${number}`,
      status: 'active',
      generation: number,
      revision: `revision-${number}`,
      scheduleChangedAtMs: createdAtMs,
      activeSinceMs: createdAtMs,
      atMs: createdAtMs + number,
      by: { sub: 'alice', name: null, via: 'token' },
      definition: {
        schedule: { type: 'cron', expression: '0 9 * * *' },
        target: { type: 'http', url: 'https://example.com', method: 'POST', headers: {}, timeout: '30s' },
        payload: JSON.parse('{"__proto__":null,"z":[[null,[]],{}],"a":1e21,"constructor":"ä€"}'),
        priority: 'medium',
        pool: 'default',
        retry: { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' },
        misfire: { policy: 'fire-once', grace: '60s', catchUpWindow: '1h' },
        overlap: 'allow',
        orderingKey: null,
        onFailure: 'continue',
        timeout: '5m',
        tags: {},
      },
      expiresAtSec: 1_800_000_000,
    });
    /** Put in another order than they are listed in. */
    const STATES = [stateAt(9), stateAt(1, CREATED_AT_MS + 1), stateAt(10)];
    const LISTED = [STATES[1], STATES[2], STATES[0]];
    const withStates = async () => {
      const { changes, freshJobKey } = setup();
      const jobKey = freshJobKey();
      for (const state of STATES) await changes.put(jobKey, state);
      await changes.put(freshJobKey(), stateAt(11));
      return { changes, jobKey };
    };

    it('lists the states of an id, those of the newest job first, page by page', async () => {
      const { changes, jobKey } = await withStates();
      const seen: KeptState[] = [];
      let before: string | undefined;
      do {
        const page = await changes.list(jobKey, { before, limit: 1 });
        seen.push(...page.states);
        before = page.nextBefore;
      } while (before !== undefined);
      expect(seen).toEqual(LISTED);
      const definitions = (states: readonly (KeptState | undefined)[]) =>
        JSON.stringify(states.map((state) => state?.definition));
      expect(definitions(seen)).toBe(definitions(LISTED));
    });

    it('lists a range: from its first key on, and before its last', async () => {
      const { changes, jobKey } = await withStates();
      const numbersIn = async (from: number, before: number) => {
        const sortOf = (number: number) => changeSortOf({ createdAtMs: CREATED_AT_MS, number });
        const page = await changes.list(jobKey, { from: sortOf(from), before: sortOf(before), limit: 10 });
        return page.states.map(({ number }) => number);
      };
      expect(await numbersIn(9, 10)).toEqual([9]);
      expect(await numbersIn(0, 11)).toEqual([10, 9]);
      expect(await numbersIn(10, 9)).toEqual([]);
    });

    it('replaces a state by the same one, and erases only its definition', async () => {
      const { changes, jobKey } = await withStates();
      const removed = { atMs: CREATED_AT_MS, by: { sub: 'bob', name: null, via: 'token' as const } };
      await changes.put(jobKey, { ...STATES[2]!, removed });
      expect(await changes.erase(jobKey, STATES[2]!)).toBe(true);
      expect(await changes.erase(jobKey, stateAt(12))).toBe(false);
      const { definition: _, ...erased } = STATES[2]!;
      expect((await changes.list(jobKey, { limit: 10 })).states).toEqual([
        LISTED[0],
        { ...erased, removed },
        LISTED[2],
      ]);
    });

    it('has rows that are no executions: no list of the job meets them', async () => {
      const { executions } = setup();
      const { jobKey } = await withStates();
      expect(await executions.list(jobKey, { order: 'asc', limit: 10 })).toEqual({ executions: [] });
    });

    it('keeps a definition that does not compress', async () => {
      const { changes, freshJobKey } = setup();
      const jobKey = freshJobKey();
      let seed = 1;
      const letters = Array.from({ length: 65_000 }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return String.fromCharCode(33 + (seed % 90));
      });
      const state = stateAt(1);
      const kept = { ...state, definition: { ...state.definition!, payload: letters.join('') } };
      await changes.put(jobKey, kept);
      expect((await changes.list(jobKey, { limit: 1 })).states).toEqual([kept]);
    });
  });
}
