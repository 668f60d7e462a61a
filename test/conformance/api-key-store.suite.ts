import { DeleteCommand } from '../../lambdas/core/store/dynamo/commands';

import { apiKeyRowKeyOf } from '../../lambdas/core/contracts/tables';
import { anApiKey } from '../support/api-keys';
import type { StoreSetup } from './store-setup';

/** What the store of API keys must do. */
export function describeApiKeyStore(setup: () => StoreSetup): void {
  describe('ApiKeyStore', () => {
    let seed = Date.now() % 1_000_000;
    const keyOf = (project: string, keyId?: string) =>
      anApiKey({ project, createdAtMs: Date.now(), ...(keyId !== undefined && { keyId }) }, seed++).row;

    it('finds a key by its id, and lists those of a project by id', async () => {
      const { apiKeys, freshUser } = setup();
      const project = freshUser();
      const keys = [keyOf(project), keyOf(project), keyOf(project)];
      for (const key of keys) expect(await apiKeys.create(key, 100)).toEqual({ outcome: 'created' });
      await apiKeys.create(keyOf(freshUser()), 100);
      expect(await apiKeys.get(keys[1]!.keyId)).toEqual(keys[1]);
      expect(await apiKeys.list(project)).toEqual(keys.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1)));
      expect(await apiKeys.list(freshUser())).toEqual([]);
    });

    it('does not replace a key with the same id', async () => {
      const { apiKeys, freshUser } = setup();
      const project = freshUser();
      const first = keyOf(project);
      await apiKeys.create(first, 100);
      const answer = await apiKeys.create(keyOf(project, first.keyId), 100);
      expect(answer).toEqual({ outcome: 'exists', current: first });
      expect(await apiKeys.list(project)).toEqual([first]);
    });

    it('removes a key from both, and again changes nothing', async () => {
      const { apiKeys, freshUser } = setup();
      const project = freshUser();
      const [gone, kept] = [keyOf(project), keyOf(project)];
      await apiKeys.create(gone, 100);
      await apiKeys.create(kept, 100);
      await apiKeys.remove(gone);
      await apiKeys.remove(gone);
      expect(await apiKeys.get(gone.keyId)).toBeUndefined();
      expect(await apiKeys.list(project)).toEqual([kept]);
    });

    it('never lets a project have more keys than it may, whatever comes at once', async () => {
      const { apiKeys, freshUser } = setup();
      const project = freshUser();
      await apiKeys.create(keyOf(project), 3);
      const answers = await Promise.all(Array.from({ length: 5 }, () => apiKeys.create(keyOf(project), 3)));
      const created = answers.filter(({ outcome }) => outcome === 'created');
      expect(created.length).toBeLessThanOrEqual(2);
      expect(await apiKeys.list(project)).toHaveLength(1 + created.length);
      while ((await apiKeys.list(project)).length < 3) await apiKeys.create(keyOf(project), 3);
      expect(await apiKeys.create(keyOf(project), 3)).toEqual({ outcome: 'too-many' });
      const expired = (await apiKeys.list(project))[0]!;
      await apiKeys.remove(expired);
      expect(await apiKeys.create(keyOf(project), 3)).toEqual({ outcome: 'created' });
    });

    it('counts keys that have expired no more', async () => {
      const { apiKeys, freshUser } = setup();
      const project = freshUser();
      await apiKeys.create({ ...keyOf(project), expiresAtMs: Date.now() - 1 }, 1);
      expect(await apiKeys.create(keyOf(project), 1)).toEqual({ outcome: 'created' });
    });

    it('removes what a crash left of a create, and does not count it', async () => {
      const { apiKeys, freshUser, client, tables } = setup();
      const project = freshUser();
      const left = { ...keyOf(project), createdAtMs: Date.now() - 6 * 60_000 };
      await apiKeys.create(left, 1);
      const Key = apiKeyRowKeyOf(left.keyId);
      await client.documents.send(new DeleteCommand({ TableName: tables.jobs, Key }));
      expect(await apiKeys.get(left.keyId)).toBeUndefined();
      expect(await apiKeys.list(project)).toEqual([]);
      expect(await apiKeys.create(keyOf(project), 1)).toEqual({ outcome: 'created' });
    });

    it('notes the day of the last use, never an earlier one, and of no key that is gone', async () => {
      const { apiKeys, freshUser } = setup();
      const key = keyOf(freshUser());
      await apiKeys.create(key, 100);
      for (const day of ['2026-12-01', '2026-12-03', '2026-12-02']) await apiKeys.recordUse(key.keyId, day);
      expect((await apiKeys.get(key.keyId))?.lastUsedOn).toBe('2026-12-03');
      await apiKeys.remove(key);
      await apiKeys.recordUse(key.keyId, '2026-12-04');
      expect(await apiKeys.get(key.keyId)).toBeUndefined();
    });

    it('has rows that are no jobs: neither a list nor a scan meets them', async () => {
      const { apiKeys, freshUser, jobs } = setup();
      const project = freshUser();
      const key = keyOf(project);
      await apiKeys.create(key, 100);
      expect(await jobs.list(project, { limit: 10 })).toEqual({ jobs: [], nextAfter: undefined });
      let cursor: string | undefined;
      do {
        const slice = await jobs.scan({ cursor, limit: 100 });
        const met = [...slice.jobs, ...slice.unreadable, ...slice.usages].map(({ userId }) => userId);
        expect(met.filter((userId) => userId === project || userId.includes(key.keyId))).toEqual([]);
        cursor = slice.nextCursor;
      } while (cursor !== undefined);
    });
  });
}
