import { HAS_SECRETS_SORT } from '../../lambdas/core/contracts/tables';
import type { Secret } from '../../lambdas/core/domain/secret';
import type { AccessTokenRow } from '../../lambdas/core/store/secret-store';
import type { Use } from '../../lambdas/core/store/uses-store';
import type { StoreSetup } from './store-setup';

const aSecret = (project: string, overrides: Partial<Secret> = {}): Secret => ({
  project,
  name: 'crm',
  version: 'v1',
  sealed: 's1.a.b.c',
  hosts: ['example.com'],
  updatedAtMs: 1_000,
  by: { sub: 'alice', name: null, via: 'token' },
  ...overrides,
});

const aToken = (project: string, overrides: Partial<AccessTokenRow> = {}): AccessTokenRow => ({
  project,
  secret: 'crm',
  grant: 'hash',
  fetchedAtMs: 1_000,
  usableUntilMs: 2_000,
  sealed: 's1.a.b.c',
  expiresAtSec: 4_000_000_000,
  ...overrides,
});

/** What the rows of secrets, of access tokens and of uses must do. */
export function describeSecretStores(setup: () => StoreSetup): void {
  describe('SecretStore', () => {
    it('replaces the version seen, and recognises its own write', async () => {
      const { secrets, freshUser, client } = setup();
      const project = freshUser();
      expect(await secrets.get(project, 'crm')).toBeUndefined();
      client.loseNextAnswer();
      expect(await secrets.put(aSecret(project), undefined)).toBe('put');
      expect(await secrets.get(project, 'crm')).toEqual(aSecret(project));
      expect(await secrets.put(aSecret(project, { version: 'v2' }), undefined)).toBe('changed');
      const second = aSecret(project, { version: 'v2', earlier: [{ sealed: 's1', untilMs: 5 }] });
      client.loseNextAnswer();
      expect(await secrets.put(second, 'v1')).toBe('put');
      expect(await secrets.put(aSecret(project, { version: 'v3' }), 'v1')).toBe('changed');
      expect(await secrets.get(project, 'crm')).toEqual(second);
    });

    it('puts the same version under another key, unless it has changed', async () => {
      const { secrets, freshUser } = setup();
      const project = freshUser();
      await secrets.put(aSecret(project), undefined);
      expect(await secrets.reseal(aSecret(project, { sealed: 'anew' }))).toBe('put');
      expect(await secrets.get(project, 'crm')).toMatchObject({ sealed: 'anew', version: 'v1' });
      expect(await secrets.reseal(aSecret(project, { version: 'v0' }))).toBe('changed');
    });

    it('lists and removes the secrets of one project', async () => {
      const { secrets, jobs, freshUser } = setup();
      const [project, other] = [freshUser(), freshUser()];
      for (const name of ['b', 'a']) await secrets.put(aSecret(project, { name }), undefined);
      await secrets.put(aSecret(other, { name: 'c' }), undefined);
      expect((await secrets.list(project)).map(({ name }) => name)).toEqual(['a', 'b']);
      await secrets.remove(project, 'a');
      expect((await secrets.list(project)).map(({ name }) => name)).toEqual(['b']);
      // the row that says so is beside the jobs, and none of them
      expect((await jobs.list(project, { limit: 10 })).jobs).toEqual([]);
      expect(HAS_SECRETS_SORT < '0').toBe(true);
    });

    it('finds the latest token of a grant, and all of a secret', async () => {
      const { secrets, freshUser } = setup();
      const project = freshUser();
      expect(await secrets.latestToken(project, 'crm', 'hash')).toBeUndefined();
      const older = aToken(project, { fetchedAtMs: 999 });
      const newer = aToken(project, { fetchedAtMs: 1_000_000, sealed: 'newer' });
      const others = [aToken(project, { grant: 'zzz' }), aToken(project, { secret: 'crm2' })];
      for (const token of [newer, older, ...others]) await secrets.putToken(token);
      expect(await secrets.latestToken(project, 'crm', 'hash')).toEqual(newer);
      expect(await secrets.listTokens(project, 'crm')).toHaveLength(3);
      expect(await secrets.listTokens(project)).toHaveLength(4);
    });
  });

  describe('UsesStore', () => {
    const use = (userId: string, jobId: string, atMs: number): Use => ({
      userId,
      jobId,
      kind: 'secret',
      name: 'crm',
      atMs,
    });

    it('lists the users of a thing in pages, and removes a row that is as it was seen', async () => {
      const { uses, freshUser } = setup();
      const user = freshUser();
      await uses.put(['c', 'a', 'b'].map((jobId) => use(user, jobId, 1)));
      await uses.put([{ ...use(user, 'z', 1), name: 'crm2' }]);
      const list = (page: { after?: string; limit: number }) => uses.list(user, 'secret', 'crm', page);
      expect((await list({ limit: 2 })).map(({ jobId }) => jobId)).toEqual(['a', 'b']);
      expect(await list({ after: 'b', limit: 2 })).toEqual([use(user, 'c', 1)]);
      await uses.put([use(user, 'a', 2)]);
      await uses.remove(use(user, 'a', 1));
      await uses.remove(use(user, 'b', 1));
      expect((await list({ limit: 9 })).map(({ jobId }) => jobId)).toEqual(['a', 'c']);
    });

    it('is met by a scan before the jobs of its user', async () => {
      const { uses, jobs, freshUser } = setup();
      const user = freshUser();
      await uses.put([use(user, 'a', 1)]);
      const found: Use[] = [];
      let cursor: string | undefined;
      do {
        const slice = await jobs.scan({ limit: 100, ...(cursor !== undefined && { cursor }) });
        found.push(...slice.uses.map(({ jobsBefore: _, ...rest }) => rest));
        cursor = slice.nextCursor;
      } while (cursor !== undefined);
      expect(found).toContainEqual(use(user, 'a', 1));
    });
  });
}
