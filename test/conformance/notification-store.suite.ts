import { GetCommand, PutCommand } from '../../lambdas/core/store/dynamo/commands';

import { expectationSortOf } from '../../lambdas/core/contracts/tables';
import type { Alert } from '../../lambdas/core/domain/alert';
import type { Notification } from '../../lambdas/core/domain/notification';
import type { StoreSetup } from './store-setup';

const aNotification = (project: string, overrides: Partial<Notification> = {}): Notification => ({
  project,
  id: 'ops',
  on: ['failed'],
  target: { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/ops' },
  minInterval: '10m',
  format: 'json',
  etag: 'e1',
  createdAtMs: 1_000,
  updatedAtMs: 1_000,
  by: { sub: 'alice', name: null, via: 'token' },
  ...overrides,
});

const anAlert = (overrides: Partial<Alert> = {}): Alert => ({
  version: 1,
  isOpen: true,
  sinceMs: 1_000,
  count: 1,
  lastMs: 1_000,
  isNotified: true,
  notifiedMs: 1_000,
  successNotifiedMs: 0,
  counted: ['abc'],
  ...overrides,
});

/** What the rows of notifications and of alerts must do. */
export function describeNotificationStores(setup: () => StoreSetup): void {
  describe('NotificationStore', () => {
    it('replaces the etag seen, and recognises its own write', async () => {
      const { notifications, freshUser } = setup();
      const project = freshUser();
      expect(await notifications.get(project, 'ops')).toBeUndefined();
      expect(await notifications.put(aNotification(project), undefined)).toBe('put');
      expect(await notifications.put(aNotification(project), undefined)).toBe('put');
      expect(await notifications.get(project, 'ops')).toEqual(aNotification(project));
      expect(await notifications.put(aNotification(project, { etag: 'e2' }), undefined)).toBe('changed');
      const second = aNotification(project, { etag: 'e2', filter: { tag: 'a:b' } });
      expect(await notifications.put(second, 'e1')).toBe('put');
      expect(await notifications.get(project, 'ops')).toEqual(second);
    });

    it('lets the row of one that is marked as deleted expire', async () => {
      const { notifications, freshUser, client, tables } = setup();
      const project = freshUser();
      const deleted = aNotification(project, { deletedAtMs: 2_000_000_000_000 });
      await notifications.put(deleted, undefined);
      expect(await notifications.get(project, 'ops')).toEqual(deleted);
      const Key = { userId: project, jobId: '~n-ops' };
      const { Item } = await client.documents.send(new GetCommand({ TableName: tables.jobs, Key }));
      expect(Item).toMatchObject({ expiresAtSec: 2_000_172_800 });
    });

    it('lists those of a project by id, and the projects that have any', async () => {
      const { notifications, freshUser } = setup();
      const [project, other] = [freshUser(), freshUser()];
      for (const id of ['b', 'a']) await notifications.put(aNotification(project, { id }), undefined);
      expect((await notifications.list(project)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await notifications.list(other)).toEqual([]);
      const projects = await notifications.projects();
      expect([projects.has(project), projects.has(other)]).toEqual([true, false]);
      await notifications.remove(project, 'a');
      expect((await notifications.list(project)).map(({ id }) => id)).toEqual(['b']);
    });

    it('has a hidden job for each, which no list of jobs and no cursor of jobs ends at', async () => {
      const { notifications, jobs, freshUser } = setup();
      const project = freshUser();
      await notifications.put(aNotification(project), undefined);
      const job = await jobs.get({ userId: project, jobId: '~n-ops' });
      expect(job).toMatchObject({ target: aNotification(project).target, schedule: { type: 'none' } });
      expect(await jobs.list(project, { limit: 10 })).toEqual({ jobs: [] });
    });
  });

  describe('AlertStore', () => {
    it('replaces the version seen', async () => {
      const { alerts, freshUser } = setup();
      const ref = { project: freshUser(), notification: 'ops', jobId: 'backup' };
      expect(await alerts.get(ref)).toBeUndefined();
      expect(await alerts.put(ref, anAlert(), undefined)).toBe('put');
      expect(await alerts.put(ref, anAlert(), undefined)).toBe('changed');
      expect(await alerts.put(ref, anAlert({ version: 2, count: 2 }), 1)).toBe('put');
      expect(await alerts.put(ref, anAlert({ version: 2, count: 3 }), 1)).toBe('changed');
      expect(await alerts.get(ref)).toEqual(anAlert({ version: 2, count: 2 }));
    });

    it('lists the jobs with an open alert', async () => {
      const { alerts, freshUser } = setup();
      const project = freshUser();
      const put = (jobId: string, isOpen: boolean) =>
        alerts.put({ project, notification: 'ops', jobId }, anAlert({ isOpen }), undefined);
      await put('open', true);
      await put('closed', false);
      await alerts.put({ project, notification: 'other', jobId: 'second' }, anAlert(), undefined);
      expect(await alerts.openJobs(project)).toEqual(new Set(['open', 'second']));
      expect(await alerts.openOf(project, 'ops')).toEqual(['open']);
      expect(await alerts.openOf(project, 'op')).toEqual([]);
    });

    it('counts the messages of a minute, and notes its summary', async () => {
      const { alerts, freshUser } = setup();
      const ref = { project: freshUser(), notification: 'ops', minute: 29_000_000 };
      expect(await alerts.minute(ref)).toEqual({ count: 0, hasSummary: false });
      expect(await alerts.countMessage(ref)).toEqual({ count: 1, hasSummary: false });
      await alerts.noteSummary(ref);
      expect(await alerts.countMessage(ref)).toEqual({ count: 2, hasSummary: true });
      expect(await alerts.minute(ref)).toEqual({ count: 2, hasSummary: true });
    });
  });

  it('keeps the pending expectation of a job', async () => {
    const { alerts, freshUser } = setup();
    const ref = { userId: freshUser(), jobId: 'backup' };
    expect(await alerts.expectation(ref)).toBeUndefined();
    await alerts.putExpectation(ref, { sinceMs: 5, atMs: 2_000_000_000_000, checkAtMs: 2_000_000_000_000 });
    const filed = { sinceMs: 5, atMs: 2_000_000_300_000, checkAtMs: 2_000_000_312_000 };
    await alerts.putExpectation(ref, filed);
    expect(await alerts.expectation(ref)).toEqual(filed);
    expect(await alerts.openJobs(ref.userId)).toEqual(new Set());
  });

  it('reads an expectation that an earlier version has written', async () => {
    const { alerts, client, freshUser, tables } = setup();
    const ref = { userId: freshUser(), jobId: 'backup' };
    const Item = {
      userId: ref.userId,
      jobId: expectationSortOf(ref.jobId),
      sinceMs: 5,
      atMs: 2_000_000_000_000,
    };
    await client.documents.send(new PutCommand({ TableName: tables.jobs, Item }));
    expect(await alerts.expectation(ref)).toEqual({
      sinceMs: 5,
      atMs: 2_000_000_000_000,
      checkAtMs: 2_000_000_000_000,
    });
  });
}
