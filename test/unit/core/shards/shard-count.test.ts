import { activeShardCount } from '../../../../lambdas/core/shards/shard-count';
import { FakeClock } from '../../../support/fake-clock';

describe('the active shard count', () => {
  const clock = new FakeClock();
  const storeOf = (...answers: (number | Error)[]) => {
    let reads = 0;
    return {
      reads: () => reads,
      readShards: async () => {
        const answer = answers[Math.min(reads++, answers.length - 1)]!;
        if (answer instanceof Error) throw answer;
        return { count: answer, history: [answer] };
      },
    };
  };

  it('is read once for all who ask at the same time, and again after a minute', async () => {
    const store = storeOf(4, 8);
    const shards = activeShardCount(store, clock);
    expect(await Promise.all([shards(), shards(), shards()])).toEqual([4, 4, 4]);
    await clock.advance(59_999);
    expect(await shards()).toBe(4);
    expect(store.reads()).toBe(1);
    await clock.advance(1);
    expect(await shards()).toBe(8);
  });

  it('is read again after a failure', async () => {
    const shards = activeShardCount(storeOf(new Error('no answer'), 4), clock);
    await expect(Promise.all([shards(), shards()])).rejects.toThrow('no answer');
    expect(await shards()).toBe(4);
  });

  it('is made where it is missing, or else the tick has never run', async () => {
    expect(await activeShardCount(storeOf(0), clock, async () => 16)()).toBe(16);
    await expect(activeShardCount(storeOf(0), clock)()).rejects.toThrow('the tick has never run');
  });
});
