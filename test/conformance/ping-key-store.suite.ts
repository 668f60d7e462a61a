import { pingRowKeyOf } from '../../lambdas/core/contracts/ping-rows';
import { GetCommand } from '../../lambdas/core/store/dynamo/commands';
import type { StoreSetup } from './store-setup';

/** What the store of the keys of monitors must do. */
export function describePingKeyStore(setup: () => StoreSetup): void {
  describe('PingKeyStore', () => {
    let seed = Date.now();
    const newKey = () => {
      seed += 1;
      return { pingId: seed.toString(36).padStart(16, '0'), userId: setup().freshUser(), jobId: 'backup' };
    };

    it('finds a key by its id', async () => {
      const { pingKeys } = setup();
      const key = newKey();
      expect(await pingKeys.get(key.pingId)).toBeUndefined();
      await pingKeys.keep(key);
      expect(await pingKeys.get(key.pingId)).toEqual({ ...key, version: 1 });
    });

    it('rotates the version that was seen, once', async () => {
      const { pingKeys } = setup();
      const key = newKey();
      await pingKeys.keep(key);
      const seen = { ...key, version: 1 };
      expect(await pingKeys.rotate(seen, 5_000)).toBe('done');
      expect(await pingKeys.rotate(seen, 6_000)).toBe('changed');
      expect(await pingKeys.get(key.pingId)).toEqual({ ...key, version: 2, earlierUntilMs: 5_000 });
      expect(await pingKeys.rotate({ ...key, version: 2 }, undefined)).toBe('done');
      expect(await pingKeys.get(key.pingId)).toEqual({ ...key, version: 3 });
    });

    it('keeps the version of a monitor that comes back, and takes its expiry away', async () => {
      const { pingKeys, client, tables } = setup();
      const key = newKey();
      await pingKeys.keep(key);
      await pingKeys.rotate({ ...key, version: 1 }, undefined);
      const later = Math.ceil(Date.now() / 1_000) + 86_400;
      await pingKeys.expire(key.pingId, later);
      const expiry = async () => {
        const input = { TableName: tables.jobs, Key: pingRowKeyOf(key.pingId) };
        return (await client.documents.send(new GetCommand(input))).Item?.expiresAtSec as number | undefined;
      };
      expect(await expiry()).toBe(later);
      await pingKeys.keep(key);
      expect([await expiry(), (await pingKeys.get(key.pingId))?.version]).toEqual([undefined, 2]);
    });

    it('expires nothing that does not exist', async () => {
      const { pingKeys } = setup();
      const key = newKey();
      await pingKeys.expire(key.pingId, 1);
      expect(await pingKeys.get(key.pingId)).toBeUndefined();
    });
  });
}
