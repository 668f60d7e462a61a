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

    describe('of a project', () => {
      const newProjectKey = () => {
        const { pingId, userId } = newKey();
        return { pingId, userId, name: 'pings', allowCreate: true, setBy: 'ann', createdAtMs: 5_000 };
      };
      const LIMITS = { perMinute: 2, inAll: 3 };

      it('keeps its version and when it was made through changes, until it is removed', async () => {
        const { pingKeys } = setup();
        const key = newProjectKey();
        expect(await pingKeys.getOfProject(key.pingId)).toBeUndefined();
        await pingKeys.putOfProject(key, true);
        expect(await pingKeys.getOfProject(key.pingId)).toEqual({ ...key, version: 1 });
        expect(await pingKeys.rotate({ ...key, version: 1 }, 9_000)).toBe('done');
        const changed = { ...key, name: 'servers', allowCreate: false, setBy: 'bob' };
        await pingKeys.putOfProject({ ...changed, createdAtMs: 6_000 }, false);
        expect(await pingKeys.getOfProject(key.pingId)).toEqual({
          ...changed,
          version: 2,
          earlierUntilMs: 9_000,
        });
        await pingKeys.removeOfProject(key.pingId);
        await pingKeys.removeOfProject(key.pingId); // a repeat
        expect(await pingKeys.getOfProject(key.pingId)).toBeUndefined();
      });

      it('is not rotated as one that was removed since', async () => {
        const { pingKeys } = setup();
        const key = newProjectKey();
        await pingKeys.putOfProject(key, true);
        const seen = { ...key, version: 1 };
        await pingKeys.removeOfProject(key.pingId);
        await pingKeys.putOfProject({ ...key, createdAtMs: 6_000 }, true);
        expect(await pingKeys.rotate(seen, undefined)).toBe('changed');
        expect(await pingKeys.rotate({ ...seen, createdAtMs: 6_000 }, undefined)).toBe('done');
      });

      it('is no key of a monitor, and the other way round', async () => {
        const { pingKeys } = setup();
        const [ofProject, ofMonitor] = [newProjectKey(), newKey()];
        await pingKeys.putOfProject(ofProject, true);
        await pingKeys.keep(ofMonitor);
        expect(await pingKeys.get(ofProject.pingId)).toBeUndefined();
        expect(await pingKeys.getOfProject(ofMonitor.pingId)).toBeUndefined();
      });

      it('makes so many monitors in a minute and in all, and is counted from 0 again', async () => {
        const { pingKeys, client } = setup();
        const key = newProjectKey();
        const count = (minute: number) => pingKeys.countMade(key.pingId, minute, LIMITS);
        expect(await count(7)).toBe('full'); // there is no such key
        await pingKeys.putOfProject(key, true);
        expect([await count(7), await count(7), await count(7)]).toEqual([1, 2, 'minute-full']);
        expect([await count(8), await count(8), await count(9)]).toEqual([3, 'full', 'full']);
        await pingKeys.uncountMade(key.pingId, 2); // another one was counted since
        expect(await count(9)).toBe('full');
        client.loseNextAnswer(); // the SDK repeats it
        await pingKeys.uncountMade(key.pingId, 3);
        expect([await count(9), await count(9)]).toEqual([3, 'full']);
        await pingKeys.putOfProject(key, false);
        expect(await count(10)).toBe('full');
        await pingKeys.putOfProject(key, true);
        expect(await count(10)).toBe(1);
      });
    });
  });
}
