import type { AuditRecord } from '../../lambdas/core/domain/audit';
import type { StoreSetup } from './store-setup';

/** What the store of audit records must do. */
export function describeAuditStore(setup: () => StoreSetup): void {
  describe('AuditStore', () => {
    const recordAt = (id: string): AuditRecord => ({
      id,
      atMs: 1_796_113_800_000,
      by: { sub: 'alice', name: null, via: 'token' },
      what: 'api-key.created',
      outcome: 'done',
      resource: 'k3y',
      expiresAtSec: 1_800_000_000,
    });
    const IDS = ['20261201T083000.000Z-a', '20261201T083000.000Z-b', '20261202T000000.000Z-a'];

    it('lists the records of a project, newest first, page by page', async () => {
      const { audit, freshUser } = setup();
      const project = freshUser();
      for (const id of IDS) await audit.record(project, recordAt(id));
      await audit.record(freshUser(), recordAt(IDS[0]!));
      const seen: AuditRecord[] = [];
      let after: string | undefined;
      do {
        const page = await audit.list(project, { after, limit: 1 });
        seen.push(...page.records);
        after = page.nextAfter;
      } while (after !== undefined);
      expect(seen).toEqual(IDS.toReversed().map(recordAt));
    });

    it('lists a range: from its first id on, and before its last', async () => {
      const { audit, freshUser } = setup();
      const project = freshUser();
      for (const id of IDS) await audit.record(project, recordAt(id));
      const idsIn = async (fromId: string, toId: string) =>
        (await audit.list(project, { fromId, toId, limit: 10 })).records.map(({ id }) => id);
      expect(await idsIn(IDS[0]!, IDS[2]!)).toEqual([IDS[1], IDS[0]]);
      expect(await idsIn(IDS[1]!, ':')).toEqual([IDS[2], IDS[1]]);
      expect(await idsIn(IDS[1]!, IDS[1]!)).toEqual([]);
      expect(await idsIn(IDS[2]!, IDS[0]!)).toEqual([]);
    });

    it('replaces a record by one with the same id', async () => {
      const { audit, freshUser } = setup();
      const project = freshUser();
      await audit.record(project, { ...recordAt(IDS[0]!), outcome: 'attempted' });
      await audit.record(project, recordAt(IDS[0]!));
      expect((await audit.list(project, { limit: 10 })).records).toEqual([recordAt(IDS[0]!)]);
    });

    it('has rows that are no executions: no list of a job meets them', async () => {
      const { audit, executions } = setup();
      await audit.record('', recordAt(IDS[0]!));
      expect(await executions.list('audit', { order: 'asc', limit: 10 })).toEqual({ executions: [] });
      expect((await audit.list('', { limit: 100 })).records).toContainEqual(recordAt(IDS[0]!));
    });
  });
}
