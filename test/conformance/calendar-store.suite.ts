import { calendarVersionsKeyOf, TTL_ATTRIBUTE } from '../../lambdas/core/contracts/tables';
import type { CalendarPointer } from '../../lambdas/core/domain/calendar';
import type { CalendarContent } from '../../lambdas/core/schedule/calendar';
import { GetCommand } from '../../lambdas/core/store/dynamo/commands';
import { T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const CONTENT: CalendarContent = {
  timezone: 'Europe/Berlin',
  weekdays: ['SAT'],
  dates: ['2026-12-25'],
  yearly: [],
};

const EXPIRES_AT_SEC = 2_000_000_000;

const aPointer = (userId: string, overrides: Partial<CalendarPointer> = {}): CalendarPointer => ({
  userId,
  calendarId: 'holidays',
  version: 'v1',
  changedAtMs: T0_MS,
  earlier: [],
  etag: 'one',
  updatedAtMs: T0_MS,
  by: { sub: 'alice', name: null, via: 'token' },
  ...overrides,
});

/** What the rows of calendars must do: their pointers, and the content of their versions. */
export function describeCalendarStore(setup: () => StoreSetup): void {
  describe('CalendarStore', () => {
    it('replaces the pointer seen, and recognises its own write', async () => {
      const { calendars, freshUser, client } = setup();
      const userId = freshUser();
      const key = { userId, calendarId: 'holidays' };
      expect(await calendars.get(key)).toBeUndefined();
      client.loseNextAnswer();
      expect(await calendars.put(aPointer(userId), undefined)).toBe('put');
      expect(await calendars.get(key)).toEqual(aPointer(userId));
      expect(await calendars.put(aPointer(userId, { etag: 'two' }), undefined)).toBe('changed');
      const second = aPointer(userId, {
        etag: 'two',
        name: 'Holidays',
        version: 'v2',
        changedAtMs: T0_MS + 1,
        earlier: [{ version: 'v1', untilMs: T0_MS + 1 }],
        changing: { from: 'v1', cursor: 'job-7' },
      });
      client.loseNextAnswer();
      expect(await calendars.put(second, 'one')).toBe('put');
      expect(await calendars.put(aPointer(userId, { etag: 'three' }), 'one')).toBe('changed');
      expect(await calendars.get(key)).toEqual(second);
    });

    it('lists the pointers of one project by id, in pages, and none of them as a job', async () => {
      const { calendars, jobs, freshUser } = setup();
      const [userId, other] = [freshUser(), freshUser()];
      for (const calendarId of ['c', 'a', 'b'])
        await calendars.put(aPointer(userId, { calendarId }), undefined);
      await calendars.put(aPointer(other, { calendarId: 'd' }), undefined);
      const idsOf = async (page: { after?: string; limit: number }) =>
        (await calendars.list(userId, page)).map(({ calendarId }) => calendarId);
      expect(await idsOf({ limit: 2 })).toEqual(['a', 'b']);
      expect(await idsOf({ after: 'b', limit: 2 })).toEqual(['c']);
      expect((await jobs.list(userId, { limit: 10 })).jobs).toEqual([]);
    });

    it('removes the pointer seen', async () => {
      const { calendars, freshUser, client } = setup();
      const userId = freshUser();
      const key = { userId, calendarId: 'holidays' };
      await calendars.put(aPointer(userId), undefined);
      expect(await calendars.remove(key, 'another')).toBe('changed');
      expect(await calendars.get(key)).toEqual(aPointer(userId));
      client.loseNextAnswer();
      expect(await calendars.remove(key, 'one')).toBe('removed');
      expect(await calendars.get(key)).toBeUndefined();
    });

    it('keeps the content of each version, which a removed pointer leaves', async () => {
      const { calendars, freshUser } = setup();
      const key = { userId: freshUser(), calendarId: 'holidays' };
      const long = { ...CONTENT, dates: Array.from({ length: 500 }, (_, day) => dayText(day)) };
      await calendars.putVersion(key, 'v1', CONTENT, EXPIRES_AT_SEC);
      await calendars.putVersion(key, 'v1', CONTENT, EXPIRES_AT_SEC);
      await calendars.putVersion(key, 'v2', long, EXPIRES_AT_SEC);
      await calendars.put(aPointer(key.userId), undefined);
      await calendars.remove(key, 'one');
      expect((await calendars.calendarOf(key, 'v1')).content).toEqual(CONTENT);
      expect((await calendars.calendarOf(key, 'v2')).content).toEqual(long);
      await expect(calendars.calendarOf(key, 'v3')).rejects.toThrow('"holidays" has no version v3');
      await expect(calendars.calendarOf({ ...key, calendarId: 'other' }, 'v1')).rejects.toThrow();
    });

    it('keeps a version until it is replaced, and never again', async () => {
      const { calendars, freshUser, client, tables } = setup();
      const key = { userId: freshUser(), calendarId: 'holidays' };
      const expiry = async () => {
        const Key = { jobId: calendarVersionsKeyOf(key), execId: 'v1' };
        const get = new GetCommand({ TableName: tables.executions, Key, ConsistentRead: true });
        return (await client.documents.send(get)).Item?.[TTL_ATTRIBUTE] as number | undefined;
      };
      await calendars.putVersion(key, 'v1', CONTENT, EXPIRES_AT_SEC);
      expect(await expiry()).toBe(EXPIRES_AT_SEC);
      await calendars.keepVersion(key, 'v1');
      expect(await expiry()).toBeUndefined();
      await calendars.expireVersion(key, 'v1', EXPIRES_AT_SEC + 1);
      await calendars.keepVersion(key, 'v1');
      expect(await expiry()).toBe(EXPIRES_AT_SEC + 1);
      await calendars.expireVersion(key, 'v1', EXPIRES_AT_SEC + 2);
      expect(await expiry()).toBe(EXPIRES_AT_SEC + 2);
      expect((await calendars.calendarOf(key, 'v1')).content).toEqual(CONTENT);
      await calendars.keepVersion(key, 'v2');
      await calendars.expireVersion(key, 'v2', EXPIRES_AT_SEC);
      await expect(calendars.calendarOf(key, 'v2')).rejects.toThrow('no version');
    });
  });
}

const dayText = (day: number): string => new Date(T0_MS + day * 86_400_000).toISOString().slice(0, 10);
