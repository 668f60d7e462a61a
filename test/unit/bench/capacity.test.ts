import { demandOf, shardsFor, usesOf } from '../../../bench/capacity/demand';
import { LIMITS } from '../../../bench/capacity/limits';
import { playPartitions } from '../../../bench/capacity/partitions';

describe('capacity', () => {
  test.each([
    [10_000, 1],
    [100_000, 4],
    [1_000_000, 32],
  ])('of %d fires a minute takes %d shards', (firesPerMinute, shards) => {
    expect(shardsFor(firesPerMinute)).toBe(shards);
  });

  test.each(['spread', 'nine'] as const)(
    'of no partition is passed by 100,000 fires a minute, %s',
    (load) => {
      const { writes, reads } = playPartitions(load, {
        fires: 100_000,
        users: 100,
        shards: shardsFor(100_000),
        executedPerSec: 10_000,
      });
      expect(writes.units).toBeGreaterThan(0);
      expect(writes.units).toBeLessThanOrEqual(LIMITS.partitionWritesPerSec);
      expect(reads.units).toBeLessThanOrEqual(LIMITS.partitionReadsPerSec);
    },
  );

  it("of a user's partition is passed where one user has everything", () => {
    const { reads } = playPartitions('nine', { fires: 40_000, users: 1, shards: 2, executedPerSec: 10_000 });
    expect(reads).toMatchObject({ key: 'Jobs user-0' });
    expect(reads.units).toBeGreaterThan(LIMITS.partitionReadsPerSec);
  });

  it('names the limit that binds first', () => {
    const [first, ...others] = usesOf(demandOf(1_000_000), 1);
    // 1,667 batches of ten a second, each in hand for the target's second and 0.45 s of its own.
    expect(first).toMatchObject({ limit: expect.stringContaining('executors at once'), demand: 2_417 });
    expect(others.every(({ share }) => share <= first!.share)).toBe(true);
  });
});
