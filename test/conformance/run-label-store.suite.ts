import { TAG_SLOTS } from '../../lambdas/core/contracts/label-keys';
import { compactInstant, jobKeyOf, userPartOf } from '../../lambdas/core/contracts/tables';
import type { StoreSetup } from './store-setup';

const AT_MS = Date.parse('2026-12-01T08:30:00Z');
const UNTIL_SEC = 1_800_000_000;
const ALL_DAY = { fromExecId: '20261201', toExecId: '20261202', limit: 10 };

/** What the rows must do by which executions are found. */
export function describeRunLabelStore(setup: () => StoreSetup): void {
  describe('RunLabelStore', () => {
    const refOf = (userId: string, minute: number, jobId = 'a') => ({
      jobKey: jobKeyOf({ userId, jobId }),
      execId: compactInstant(AT_MS + minute * 60_000),
    });
    const tagged = async (userId: string, runTag: string, day = '20261201') => {
      const userPart = userPartOf(jobKeyOf({ userId, jobId: '' }));
      const slots = Array.from({ length: TAG_SLOTS }, (_, slot) => slot);
      const pages = await Promise.all(
        slots.map((slot) => setup().runLabels.list({ userPart, runTag, day, slot }, ALL_DAY)),
      );
      return pages.flat().map(({ execId, jobKey }) => ({ execId, jobKey }));
    };

    it('lists the executions of a run tag in one of its slots, however often they were written', async () => {
      const { runLabels, freshUser } = setup();
      const userId = freshUser();
      const tag = 'kunde:Müller & #1/ü%20';
      const refs = [refOf(userId, 1), refOf(userId, 2), refOf(userId, 2, 'b')];
      for (const ref of [...refs, refs[0]!]) await runLabels.putRunTag(ref, tag, UNTIL_SEC);
      await runLabels.putRunTag(refOf(userId, 3), 'kunde', UNTIL_SEC);
      await runLabels.putRunTag(refOf(freshUser(), 4), tag, UNTIL_SEC);
      const found = await tagged(userId, tag);
      expect(found).toHaveLength(3);
      expect(found).toEqual(expect.arrayContaining(refs));
      expect(await tagged(userId, tag, '20261202')).toEqual([]);
    });

    it('lists those of an external id, the newest first and page by page', async () => {
      const { runLabels, freshUser } = setup();
      const userId = freshUser();
      const userPart = userPartOf(jobKeyOf({ userId, jobId: '' }));
      for (const minute of [1, 2, 3]) await runLabels.putExternalId(refOf(userId, minute), 'x#1', UNTIL_SEC);
      await runLabels.putExternalId(refOf(userId, 4), 'x', UNTIL_SEC);
      const of = { userPart, externalId: 'x#1' };
      const first = await runLabels.list(of, { ...ALL_DAY, limit: 2 });
      expect(first.map(({ execId }) => execId)).toEqual([3, 2].map((minute) => refOf(userId, minute).execId));
      const rest = await runLabels.list(of, { ...ALL_DAY, after: first[1]!.position });
      expect(rest.map(({ execId }) => execId)).toEqual([refOf(userId, 1).execId]);
    });

    it('lists those of a range of times: its end is not in it', async () => {
      const { runLabels, freshUser } = setup();
      const userId = freshUser();
      const userPart = userPartOf(jobKeyOf({ userId, jobId: '' }));
      for (const minute of [1, 2, 3]) await runLabels.putExternalId(refOf(userId, minute), 'x', UNTIL_SEC);
      const page = { fromExecId: refOf('', 2).execId, toExecId: refOf('', 3).execId, limit: 10 };
      const found = await runLabels.list({ userPart, externalId: 'x' }, page);
      expect(found.map(({ execId }) => execId)).toEqual([refOf(userId, 2).execId]);
    });
  });
}
