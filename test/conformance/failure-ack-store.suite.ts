import type { FailureAck } from '../../lambdas/core/domain/failure-ack';
import type { StoreSetup } from './store-setup';

/** What the store of acknowledged causes must do. */
export function describeFailureAckStore(setup: () => StoreSetup): void {
  describe('FailureAckStore', () => {
    const ackOf = (project: string, fingerprint: string, note = 'known'): FailureAck => ({
      project,
      fingerprint,
      note,
      atMs: 1_796_113_800_000,
      untilMs: 1_796_200_200_000,
      by: { sub: 'alice', name: null, via: 'token' },
      jobIds: ['a', 'b'],
      expiresAtSec: 1_796_200_200,
    });
    const [FIRST, SECOND] = ['failed/fatal/status/500/a.test', 'failed/fatal/status/503/b.test/1f0c9a2e'];

    it('lists those of a project by fingerprint, and no others', async () => {
      const { failureAcks, freshUser } = setup();
      const project = freshUser();
      const all = [ackOf(project, FIRST!), ackOf(project, SECOND!)];
      for (const ack of all.toReversed()) await failureAcks.put(ack);
      await failureAcks.put(ackOf(freshUser(), FIRST!));
      expect(await failureAcks.list(project)).toEqual(all);
    });

    it('replaces one with the same fingerprint, and removes it', async () => {
      const { failureAcks, freshUser } = setup();
      const project = freshUser();
      await failureAcks.put(ackOf(project, FIRST!));
      await failureAcks.put(ackOf(project, FIRST!, 'fixed tomorrow'));
      expect(await failureAcks.list(project)).toEqual([ackOf(project, FIRST!, 'fixed tomorrow')]);
      await failureAcks.remove(project, FIRST!);
      await failureAcks.remove(project, FIRST!); // a repeat
      expect(await failureAcks.list(project)).toEqual([]);
    });
  });
}
