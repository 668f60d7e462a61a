import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { demandOf, shardsFor, usesOf } from '../../../bench/capacity/demand';
import { LIMITS } from '../../../bench/capacity/limits';
import { playPartitions } from '../../../bench/capacity/partitions';
import { executedBy, secondsFor } from '../../../bench/capacity/ramp';

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
        executedBy: (second) => second * 10_000,
      });
      expect(writes.units).toBeGreaterThan(0);
      expect(writes.units).toBeLessThanOrEqual(LIMITS.partitionWritesPerSec);
      expect(reads.units).toBeLessThanOrEqual(LIMITS.partitionReadsPerSec);
    },
  );

  it("of a user's partition is passed where one user has everything", () => {
    const { reads } = playPartitions('nine', {
      fires: 40_000,
      users: 1,
      shards: 2,
      executedBy: (second) => second * 10_000,
    });
    expect(reads).toMatchObject({ key: 'Jobs user-0' });
    expect(reads.units).toBeGreaterThan(LIMITS.partitionReadsPerSec);
  });

  it('names the limit that binds first', () => {
    const [first, ...others] = usesOf(demandOf(1_000_000), 1);
    // 1,667 batches of ten a second, each in hand for the target's second and 0.45 s of its own.
    expect(first).toMatchObject({ limit: expect.stringContaining('executors at once'), demand: 2_417 });
    expect(others.every(({ share }) => share <= first!.share)).toBe(true);
  });

  it('of a burst is that of executors which Lambda starts one after another', () => {
    const ramp = { maxConcurrency: 1_000, batchSec: 0.5 };
    // 5 at first and 5 more each second: (50 t + 25 t²) / 0.5 executions within t seconds.
    expect(executedBy(10, ramp)).toBe((50 * 10 + 25 * 100) / 0.5);
    // All 1,000 work after 199 s, and run 20,000 a second from then on.
    expect(executedBy(200, ramp) - executedBy(199, ramp)).toBe(20_000);
    for (const executions of [1, 100, 10_000, 1_000_000, 5_000_000])
      expect(executedBy(secondsFor(executions, ramp), ramp)).toBeCloseTo(executions, 3);
    const { drainSec } = playPartitions('nine', {
      fires: 100_000,
      users: 100,
      shards: 4,
      executedBy: (second) => executedBy(second, ramp),
    });
    expect(drainSec).toBe(Math.ceil(secondsFor(100_000, ramp)));
  });

  it('of a burst is sooner with pollers that are ready, by the batches of each', () => {
    const ramp = { maxConcurrency: 320, batchSec: 0.5, pollers: 16 };
    // 160 at first and 1,000 more each minute.
    expect(executedBy(3, ramp)).toBeCloseTo((160 * 3 + (1_000 / 60) * 4.5) * 20);
    expect(secondsFor(10_000, ramp)).toBeLessThan(secondsFor(10_000, { ...ramp, pollers: 0 }) / 3);
    for (const executions of [1, 10_000, 1_000_000])
      expect(executedBy(secondsFor(executions, ramp), ramp)).toBeCloseTo(executions, 3);
  });

  it('of a burst is as docs/guarantees.md states it', () => {
    const guarantees = readFileSync(join(__dirname, '../../../docs/guarantees.md'), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    const ramp = { maxConcurrency: 160, batchSec: 0.5 };
    const [thousand, tenThousand] = [1_000, 10_000].map((due) => Math.round(secondsFor(0.99 * due, ramp)));
    expect(guarantees).toContain(`1,000 after ${thousand} s, of 10,000 after ${tenThousand} s`);
  });
});
